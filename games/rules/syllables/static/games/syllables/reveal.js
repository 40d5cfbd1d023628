/* The reveal after a round, and the ranking after the last: words turn over from short to long, then the stars land. */

import { calm, el, fill, symbol, write } from "../../js/dom.js";
import { entry } from "./others.js";

const ALL_MS = 2_800;
const FLIP_MS = 90;

export function revealer({ context, tiles, onSeen }) {
  const { say } = context;
  const root = document.getElementById("board-reveal");
  const ranking = document.getElementById("board-ranking");
  const button = root.querySelector('[data-do="seen"]');
  let view = null;
  let shown = "";

  /** A phase begins. On a page that was just loaded nothing moves: the child has seen it, or has no time left to. */
  function phase(next, { first }) {
    view = next;
    if (view.public.phase === "reveal") showWords({ move: !first && !calm() });
    else if (isOver(view)) showRanking({ first });
    else shown = "";
  }

  function isOver(one) {
    return one.public.phase === "over" || ["over", "stopped", "abandoned"].includes(one.status);
  }

  function paint(next) {
    view = next;
    const over = isOver(view);
    root.hidden = view.public.phase !== "reveal" || over;
    ranking.hidden = !over;
    if (over) return showRanking({ first: false });
    if (root.hidden) return undefined;
    showWords({ move: false });
    const seen = view.public.seats[view.seat].seen;
    button.disabled = seen || view.status !== "active";
    const last = view.public.round >= view.public.rounds;
    if (view.status === "paused") return write(button, say("paused"));
    return write(button, say(seen ? "reveal.wait" : last ? "reveal.last" : "reveal.go"));
  }

  function showWords({ move }) {
    const { reveal } = view.public;
    const key = JSON.stringify([view.table, reveal, view.private.best]);
    if (!reveal || shown === key) return;
    shown = key;
    write(root.querySelector("[data-reveal-title]"), reveal.voided ? say("reveal.voided") : say("reveal.title", { round: reveal.round }));
    const words = [...reveal.words].sort((one, other) => weight(one) - weight(other));
    const step = ALL_MS / Math.max(words.length, 1);
    root.classList.toggle("moving", move);
    fill(root.querySelector("[data-words]"), ...words.map((word, at) => wordRow(word, move ? at * step : 0)));
    showBest(reveal, move ? ALL_MS : 0);
    root.hidden = false;
    root.querySelector("h1").focus({ preventScroll: true });
    context.announce(words.map(spokenRow).join(". "));
  }

  const weight = (word) => (word.result === "valid" ? 10 * word.syllables + word.stars : word.result === "none" ? -1 : 0);

  function wordRow(word, delay) {
    const own = word.seat === view.seat;
    const node = el(
      "li",
      { class: `syl-result ${word.result}${own ? " own" : ""}${word.stars ? " won" : ""}${word.doubled ? " doubled" : ""}` },
      el("span", { class: "syl-who" }, own ? say("you") : context.seatName(word.seat)),
      el("span", { class: "syl-made", lang: view.language }, ...word.cards.map((card, at) => turning(card, delay + at * FLIP_MS))),
      verdict(word),
      word.doubled ? el("strong", { class: "syl-double" }, say("reveal.double")) : null,
    );
    if (word.doubled) node.dataset.family = String(word.cards[0].family);
    node.style.setProperty("--delay", `${delay + word.cards.length * FLIP_MS + 240}ms`);
    return node;
  }

  function turning(card, delay) {
    const face = tiles.face(card);
    face.style.setProperty("--flip", `${delay}ms`);
    return face;
  }

  function verdict(word) {
    const stars = Array.from({ length: word.stars }, () => symbol(context.sprites.icons, "star", { className: "icon syl-star" }));
    const text = word.result === "valid" ? say("syllables", { n: word.syllables }) : say(`result.${word.result}`);
    const spoken = word.stars ? el("span", { class: "visually-hidden" }, `, ${say("seat.stars", { n: word.stars })}`) : null;
    const refused = word.seat === view.seat && ["word_unknown", "wrong_split"].includes(word.result);
    return el("span", { class: "syl-verdict" }, ...stars, el("span", {}, text), spoken, refused ? el("span", { class: "syl-ask" }, say("result.ask")) : null);
  }

  function spokenRow(word) {
    const who = word.seat === view.seat ? say("you") : context.seatName(word.seat);
    const what = word.result === "valid" ? say("syllables", { n: word.syllables }) : say(`result.${word.result}`);
    const stars = word.stars ? `, ${say("seat.stars", { n: word.stars })}` : "";
    return `${who}: ${word.word ?? ""} ${what}${stars}${word.doubled ? `, ${say("reveal.double")}` : ""}`;
  }

  /** The best word this seat could have made, shown to its owner alone and only where it was longer. */
  function showBest(reveal, delay) {
    const box = root.querySelector("[data-best]");
    const best = view.private.best;
    const own = reveal.words.find((word) => word.seat === view.seat);
    const made = own?.result === "valid" ? own.syllables : 0;
    box.hidden = !best || reveal.voided;
    box.style.setProperty("--delay", `${delay}ms`);
    if (box.hidden) return;
    if (best.syllables <= made) fill(box, el("p", {}, say("best.same")));
    else fill(box, el("p", {}, say("best.title")), el("dl", { class: "syl-glosses" }, entry(best, view.language)));
  }

  function showRanking({ first }) {
    const key = JSON.stringify([view.public.ranking, view.public.seats.map((seat) => seat.stars), view.status]);
    ranking.hidden = false;
    if (shown === key) return;
    shown = key;
    const finished = view.public.phase === "over" && view.status === "over";
    write(ranking.querySelector("[data-ranking-title]"), finished ? say("ranking.title", { rounds: view.public.rounds }) : say("ranking.early"));
    const rows = view.public.ranking ?? unranked();
    write(ranking.querySelector("[data-ranking-text]"), praise(rows, finished));
    fill(ranking.querySelector("[data-ranks]"), ...rows.map(rankRow));
    ranking.querySelector("[data-my-words]").href = context.words;
    if (!first) ranking.querySelector("h1").focus({ preventScroll: true });
  }

  function unranked() {
    const rows = view.public.seats.map((seat, number) => ({ seat: number, stars: seat.stars, rank: null, left: seat.left }));
    return rows.sort((one, other) => other.stars - one.stars);
  }

  function praise(rows, finished) {
    const own = rows.find((row) => row.seat === view.seat);
    const first = rows.filter((row) => row.rank === 1);
    if (finished && own?.rank === 1 && own.stars > 0) return say(first.length > 1 ? "ranking.shared" : "ranking.win");
    return say("ranking.text", { n: own?.stars ?? 0 });
  }

  function rankRow(row) {
    const own = row.seat === view.seat;
    const place = row.left ? say("seat.left") : row.rank ? el("b", { "aria-label": say("rank", { n: row.rank }), role: "img" }, String(row.rank)) : "";
    return el(
      "li",
      { class: own ? "own" : null },
      el("span", { class: "syl-rank" }, place),
      el("span", { class: "syl-name" }, own ? say("you") : context.seatName(row.seat)),
      el("span", { class: "syl-rank-stars" }, symbol(context.sprites.icons, "star"), el("span", {}, say("seat.stars", { n: row.stars }))),
    );
  }

  function goOn() {
    if (!root.hidden && !button.disabled) onSeen();
  }

  button.addEventListener("click", goOn);
  return { phase, paint, goOn };
}
