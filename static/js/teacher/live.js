/* Keeps the session page (lobby, live grid) and the projector fresh: every hint of a change makes htmx fetch the region
   again. One fetch at a time, the last hint is never lost (hx-sync). Without the stream the page polls. */

import { connect } from "../api.js";
import { openStream } from "../stream.js";
import { startClocks } from "./clocks.js";
import { morphChildren } from "./morph.js";

const { htmx } = window;
const region = document.getElementById("live");
const offline = document.getElementById("offline");
const SLOWLY_MS = 15_000;

htmx.defineExtension("morph", {
  isInlineSwap: (style) => style === "morph",
  handleSwap(style, target, fragment) {
    if (style !== "morph") return false;
    morphChildren(target, fragment);
    return [target];
  },
});
htmx.process(region);

const topics = () => (region.firstElementChild?.dataset.topics ?? "").split(",").filter(Boolean);
const refresh = () => htmx.trigger(region, "refresh");
const reach = (reached) => {
  if (offline) offline.hidden = reached;
};

const stream = openStream({
  viewer: "teacher",
  topics: topics(),
  api: connect({ viewer: "teacher", onReach: reach }),
  on: { resync: refresh, change: refresh, versions: heard, presence: refresh, poll: refresh, close: refresh },
});

let known = "";
function heard(versions) {
  const text = JSON.stringify(versions);
  if (text !== known) refresh();
  known = text;
}

document.body.addEventListener("htmx:afterSwap", () => {
  stream.setTopics(topics());
  startClocks(region);
});
document.body.addEventListener("htmx:afterRequest", (event) => reach(event.detail.xhr.status > 0));

startClocks(region);
setInterval(() => document.visibilityState === "visible" && refresh(), SLOWLY_MS);
