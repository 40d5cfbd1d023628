/* Time left, without the device's clock: the server says how much was left, performance.now() says how long ago. */

/** `mark(view)` on every fresh view; `left(deadline)` in milliseconds, null where there is no deadline. */
export function matchClock() {
  let now = 0;
  let at = 0;
  let runs = false;
  return {
    mark(view, { sentAt = performance.now() } = {}) {
      const heard = performance.now();
      now = view.now;
      at = heard - Math.min((heard - sentAt) / 2, 500);
      runs = view.status === "active";
    },
    left(deadline) {
      if (deadline === null || deadline === undefined) return null;
      const passed = runs ? performance.now() - at : 0;
      return Math.max(0, deadline - now - passed);
    },
  };
}

/** "1:07", to the nearest second: rounding up would add to the tick and be a second off. */
export function minutes(ms) {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
