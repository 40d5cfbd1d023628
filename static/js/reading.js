/* The dialog of the reading settings: larger text, spacing, motion, colours. Kept on this device only. */

const KEY = "wordtable.reading";
const NAMES = ["text", "spacing", "motion", "colours"];

const button = document.getElementById("reading-open");
const dialog = document.getElementById("reading-dialog");

function remember() {
  const kept = {};
  for (const name of NAMES) {
    const value = document.documentElement.dataset[name];
    if (value) kept[name] = value;
  }
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    /* Without storage the settings last as long as the page. */
  }
}

function show(form) {
  for (const input of form.elements) {
    if (!NAMES.includes(input.name)) continue;
    input.checked = (document.documentElement.dataset[input.name] ?? "") === input.value;
  }
}

function take(input) {
  const value = input.type === "checkbox" && !input.checked ? "" : input.value;
  if (value) document.documentElement.dataset[input.name] = value;
  else delete document.documentElement.dataset[input.name];
  remember();
}

if (button && dialog) {
  const form = dialog.querySelector("form");
  button.hidden = false;
  button.addEventListener("click", () => {
    show(form);
    dialog.showModal();
  });
  form.addEventListener("change", (event) => {
    if (NAMES.includes(event.target.name)) take(event.target);
  });
}
