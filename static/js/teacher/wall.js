/* The wall: one button fills the screen; more tables than fit take turns, whole rows at a time. */

const TURN_MS = 9_000;
const button = document.getElementById("fullscreen");

function show() {
  button.hidden = !document.fullscreenEnabled || document.fullscreenElement !== null;
}

button.addEventListener("click", () => document.documentElement.requestFullscreen().catch(() => {}));
document.addEventListener("fullscreenchange", show);
show();

/* Goes on to the first row that is not whole on the wall, and from the last one back to the top. */
function turn() {
  const boards = document.getElementById("boards");
  if (!boards || boards.scrollHeight <= boards.clientHeight + 1 || boards.contains(document.activeElement)) return;
  const edge = boards.getBoundingClientRect().bottom + 1;
  const next = [...boards.children].find((board) => board.getBoundingClientRect().bottom > edge);
  const top = next ? boards.scrollTop + next.getBoundingClientRect().top - boards.getBoundingClientRect().top : 0;
  boards.scrollTo({ top, behavior: "instant" });
}

setInterval(turn, TURN_MS);
