/* Countdowns: the server says how much is left, the page counts from the moment of receipt, never by its own calendar. */

let timer = null;
const received = new WeakMap();

/** Starts or goes on counting every [data-left] (milliseconds) below `root`; one with data-standing only shows. */
export function startClocks(root) {
  for (const clock of root.querySelectorAll("[data-left]")) {
    const stamp = `${clock.dataset.at}/${clock.dataset.left}`;
    if (received.get(clock)?.stamp !== stamp) received.set(clock, { stamp, at: performance.now() });
    show(clock);
  }
  timer ??= setInterval(() => root.querySelectorAll("[data-left]").forEach(show), 250);
}

function show(clock) {
  const since = clock.hasAttribute("data-standing") ? 0 : performance.now() - (received.get(clock)?.at ?? performance.now());
  const seconds = Math.max(0, Math.ceil((Number(clock.dataset.left) - since) / 1000));
  const text = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  if (clock.textContent !== text) clock.textContent = text;
}
