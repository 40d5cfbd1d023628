/* Fills the wall: one button, which hides itself once the screen is full. */

const button = document.getElementById("fullscreen");

function show() {
  button.hidden = !document.fullscreenEnabled || document.fullscreenElement !== null;
}

button.addEventListener("click", () => document.documentElement.requestFullscreen().catch(() => {}));
document.addEventListener("fullscreenchange", show);
show();
