/* Coming in. The forms work without this; with it, pages on the way in leave no trace in the history of a shared
   tablet: whoever presses Back later finds the start page, not the class list or an earlier child's table. */

import { ask } from "./ask.js";

const question = document.getElementById("question");

const codeForm = document.querySelector("[data-code-form]");
codeForm?.addEventListener("submit", (event) => {
  const code = codeForm.elements.code.value.replace(/[\s-]/g, "").toUpperCase();
  if (!/^[A-Z0-9]+$/.test(code)) return;
  event.preventDefault();
  location.replace(codeForm.dataset.join.replace("CODE", code));
});

for (const form of document.querySelectorAll("form[data-enter]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { submitter } = event;
    if (await agreed(form, submitter)) enter(form, submitter);
  });
}

/** A wrong tap in a noisy room must not seat a child under another's name. */
function agreed(form, submitter) {
  const name = submitter?.dataset.name;
  if (!name || !form.dataset.askTitle) return Promise.resolve(true);
  const { askTitle, askYes, askNo } = form.dataset;
  return ask(question, { title: askTitle.replace("{name}", name), yes: askYes, no: askNo });
}

async function enter(form, submitter) {
  const body = new FormData(form);
  if (submitter?.name) body.set(submitter.name, submitter.value);
  form.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(form.action, { method: "POST", body, credentials: "same-origin", cache: "no-store" });
    if (response.redirected) return location.replace(response.url);
    show(await response.text());
  } catch {
    HTMLFormElement.prototype.submit.call(form);
  }
  form.removeAttribute("aria-busy");
  return undefined;
}

/** The server answered with the page and a sentence about what was refused: show that in place. */
function show(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  const place = page.querySelector('[role="alert"]');
  const old = document.querySelector('[role="alert"]');
  if (!place) return location.reload();
  if (old) old.replaceWith(place);
  else document.querySelector("h1").after(place);
  return place.scrollIntoView({ block: "center" });
}

const filter = document.querySelector("[data-filter]");
if (filter) {
  const names = [...document.querySelectorAll("[data-names] li")];
  const none = document.querySelector("[data-none]");
  const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  filter.hidden = names.length < 9;
  filter.querySelector("input").addEventListener("input", (event) => {
    const wanted = fold(event.target.value.trim());
    let shown = 0;
    for (const item of names) {
      item.hidden = !fold(item.textContent).includes(wanted);
      if (!item.hidden) shown += 1;
    }
    none.hidden = shown > 0;
  });
  filter.querySelector("input").addEventListener("keydown", (event) => event.key === "Enter" && event.preventDefault());
}

addEventListener("pageshow", (event) => event.persisted && location.reload());
