/* Keys of the board. They can be switched off, because single letters clash with some screen readers. */

const KEPT = "wordtable.keys";

export function listenToKeys(on) {
  const dialog = document.getElementById("keys-dialog");
  const box = dialog.querySelector("[data-keys-on]");
  box.checked = remembered() !== "off";
  box.addEventListener("change", () => remember(box.checked ? "on" : "off"));

  const actions = {
    Backspace: on.back,
    h: on.hint,
    x: on.swap,
    Escape: on.escape,
    "?": () => dialog.showModal(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || document.querySelector("dialog[open]")) return;
    if (event.target.closest("input, textarea, select, [contenteditable]")) return;
    if (event.key === "?") return actions["?"]();
    if (!box.checked || !on.active()) return;
    if (/^[1-3]$/.test(event.key)) return on.own(Number(event.key) - 1);
    if (/^[4-8]$/.test(event.key)) return on.centre(Number(event.key) - 4);
    if (event.key === "Enter") return enter(event);
    actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]?.();
  });

  /** On a focused button Enter presses that button, as everywhere; elsewhere it means ready. */
  function enter(event) {
    if (event.target.closest("button, a, summary")) return;
    event.preventDefault();
    on.enter();
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
}

function remember(value) {
  try {
    localStorage.setItem(KEPT, value);
  } catch {
    /* Without storage the choice lasts as long as the page. */
  }
}
