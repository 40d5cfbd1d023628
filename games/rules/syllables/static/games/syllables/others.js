/* Who else sits at the table, and what there is to read while they think. */

import { el, fill, symbol, write } from "../../js/dom.js";

/** One tile per other seat: name, stars, and ready or thinking as icon and word. Never a card. */
export function showOthers(list, { view, context }) {
  const { say, sprites } = context;
  const rows = view.public.seats.map((seat, number) => ({ seat, number })).filter(({ number }) => number !== view.seat);
  const old = new Map([...list.children].map((node) => [node.dataset.state, node]));
  const nodes = rows.map(({ seat, number }) => {
    const name = context.seatName(number);
    const state = [number, name, seat.stars, seat.ready, seat.left].join("|");
    if (old.has(state)) return old.get(state);
    const kind = seat.left ? "left" : seat.ready ? "ready" : "thinking";
    const icon = { left: "door", ready: "check", thinking: "think" }[kind];
    return el(
      "li",
      { class: `syl-seat ${kind}`, data: { state } },
      el("span", { class: "syl-name" }, context.isRobot(number) ? symbol(sprites.icons, "robot") : null, el("bdi", {}, name)),
      el("span", { class: "syl-seat-stars" }, symbol(sprites.icons, "star"), String(seat.stars), el("span", { class: "visually-hidden" }, say("seat.stars", { n: seat.stars }).replace(/^\d+/, ""))),
      el("span", { class: "syl-seat-state" }, symbol(sprites.icons, icon), el("span", {}, say(`seat.${kind}`))),
    );
  });
  list.dataset.count = String(nodes.length);
  fill(list, ...nodes);
}

/** While the others think: who they are, and the last round's words with glosses, or a thing worth knowing. */
export function showMeanwhile({ title, body, view, context, tiles }) {
  const { say } = context;
  const thinking = view.public.seats.flatMap((seat, number) => (seat.ready || seat.left ? [] : [context.seatName(number)]));
  write(title, thinking.length ? say("waiting", { n: thinking.length, names: joined(thinking, say) }) : say("waiting.none"));
  const last = (view.public.last?.words ?? []).filter((word) => word.result === "valid");
  const key = `${view.public.round} ${last.length}`;
  if (body.dataset.key === key) return;
  body.dataset.key = key;
  if (last.length) fill(body, el("h3", {}, say("meanwhile.last", { round: view.public.last.round })), el("dl", { class: "syl-glosses" }, ...last.map((word) => entry(word, view.language))));
  else fill(body, el("h3", {}, say("meanwhile.tip")), el("p", {}, say(`tip.${1 + (view.public.round - 1) % 4}`)), families(say, tiles));
}

/** A word with its gloss; the gloss may be missing in a teacher's own list. */
export function entry(word, language) {
  const split = word.split ?? word.cards.map((card) => card.text);
  return el("div", { lang: language }, el("dt", { class: "word" }, split.join(" · ")), el("dd", {}, word.gloss || word.word));
}

function families(say, tiles) {
  const items = [0, 1, 2, 3, 4].map((family) => el("li", {}, tiles.badge(family), say(`family.${family}`)));
  return el("ul", { class: "syl-families" }, ...items);
}

function joined(names, say) {
  if (names.length < 2) return names.join("");
  return say("and", { first: names.slice(0, -1).join(", "), last: names.at(-1) });
}
