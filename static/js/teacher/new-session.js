/* The summary sentence of a new session follows the choices. */

const form = document.getElementById("new-session");
const summary = document.getElementById("summary");

function tell() {
  const says = {};
  for (const input of form.querySelectorAll("input[type=radio]:checked")) says[input.name] = input.dataset.says;
  const sentence = summary.dataset.sentence.replace(/\{(\w+)\}/g, (whole, name) => says[name] ?? "…");
  if (summary.textContent !== sentence) summary.textContent = sentence;
}

form.addEventListener("change", tell);
addEventListener("pageshow", tell);
