/* The waiting room: who is here, words to warm up with, and how the game goes. Waiting is never empty. */

import { el, fill, symbol, write } from "./dom.js";

const chips = new Map();
let warm = null;

export function showWaiting(root, { me, people, say, sprites }) {
  const others = people.filter((person) => person.participant !== me.participant && !person.left && !person.removed);
  write(root.querySelector("[data-name]"), me.name ?? "");
  write(root.querySelector("[data-state]"), say(me.status === "lobby" ? "waiting.lobby" : "waiting.seat"));
  fill(root.querySelector("[data-people]"), ...others.map((person) => chip(person, sprites)));
  warm ??= warmUp(root.querySelector("[data-warm-up]"), say);
}

function chip(person, sprites) {
  const key = `${person.participant} ${person.name}`;
  if (!chips.has(key)) chips.set(key, el("li", { class: "chip" }, symbol(sprites.icons, "person"), el("bdi", {}, person.name)));
  return chips.get(key);
}

/** Syllables of a known word in the wrong order; nothing is counted or kept. */
function warmUp(root, say) {
  const words = JSON.parse(document.getElementById("warm-up")?.textContent ?? "[]");
  if (!words.length) return true;
  const [task, word, cards, said] = ["task", "word", "cards", "said"].map((name) => root.querySelector(`[data-warm-${name}]`));
  let at = -1;
  let built = [];

  function next() {
    at = (at + 1) % words.length;
    built = [];
    write(said, "");
    write(task, say("warm.order", { n: words[at].split.length }));
    paint();
  }

  function paint() {
    const { split, order } = words[at];
    const done = built.length === split.length;
    fill(word, ...built.map((place) => el("span", { class: "warm-card" }, split[place])), ...Array.from({ length: split.length - built.length }, () => el("span", { class: "warm-card empty" })));
    const right = done && built.map((place) => split[place]).join() === split.join();
    if (right) {
      write(said, words[at].gloss ? `${words[at].word} – ${words[at].gloss}` : words[at].word);
      fill(cards, el("button", { type: "button", class: "button", lang: document.documentElement.lang, onclick: next }, say("warm.next")));
      return;
    }
    if (done) again();
    fill(cards, ...order.map((place) => el("button", { type: "button", class: "warm-card", disabled: built.includes(place), onclick: () => tap(place) }, split[place])));
  }

  function again() {
    built = [];
    fill(said, el("span", { lang: document.documentElement.lang }, say("warm.again")));
    fill(word, ...words[at].split.map(() => el("span", { class: "warm-card empty" })));
  }

  function tap(place) {
    built = [...built, place];
    write(said, "");
    paint();
    cards.querySelector("button:not(:disabled)")?.focus({ preventScroll: true });
  }

  root.hidden = false;
  next();
  return true;
}
