/* A question in a dialog: `await ask(dialog, {title, text, yes, no})` → true or false. */

export function ask(dialog, { title, text = "", yes, no, danger = false }) {
  const [heading] = dialog.getElementsByTagName("h2");
  heading.textContent = title;
  dialog.querySelector("[data-question]").textContent = text;
  const agree = dialog.querySelector('[value="yes"]');
  agree.textContent = yes;
  agree.classList.toggle("danger", danger);
  agree.classList.toggle("primary", !danger);
  dialog.querySelector('[value="no"]').textContent = no;
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener("close", () => done(dialog.returnValue === "yes"), { once: true });
  });
}
