/* The syllable board: shows a table's view and turns taps and keys into moves. The server judges everything;
   what is checked here only spares a child a refusal. */

import { minutes } from "../../js/clock.js";
import { el, fill, symbol, write } from "../../js/dom.js";
import { listenToKeys } from "./keys.js";
import { showOthers, showMeanwhile } from "./others.js";
import { revealer } from "./reveal.js";
import { glide, tileMaker } from "./tiles.js";

const TICK_MS = 250;
const SPOKEN_SECONDS = [60, 30, 10];

export function mountBoard(context) {
  const { say } = context;
  const root = document.getElementById("board");
  const strip = document.getElementById("board-strip");
  const find = (name) => root.querySelector(`[data-${name}]`);
  const action = (name) => root.querySelector(`[data-do="${name}"]`);
  document.getElementById("play-status").append(strip);

  const tiles = tileMaker({ say, shapes: root.dataset.shapes, language: () => view?.language });
  const reveal = revealer({ context, tiles, onSeen: () => move("seen") });

  let view = null;
  let built = [];
  let mode = "build";
  let giving = null;
  let hintOpen = false;
  let busy = false;
  let spoken = [];
  let longest = 0;

  /* ---- reading the view ---- */

  const game = () => view.public;
  const mine = () => view.private;
  const cards = () => [...mine().hand, ...game().centre];
  const card = (id) => cards().find((one) => one.id === id);
  const chosen = () => built.map(card).filter(Boolean);
  const can = (name) => view.status === "active" && view.actions.includes(`syllables.${name}`);
  const isReady = () => mine().ready_cards !== null;
  const owned = (ids) => ids.filter((id) => mine().hand.some((one) => one.id === id)).length;

  /* ---- a new view ---- */

  function show(next) {
    const before = view;
    view = next;
    if (view.seat === null || !mine()) return;
    const fresh = !before || before.table !== view.table || before.public.round !== game().round || before.public.phase !== game().phase;
    if (fresh) startPhase(before);
    takeWord();
    saySeats(before);
    paint();
  }

  function startPhase(before) {
    mode = "build";
    giving = null;
    hintOpen = false;
    spoken = [];
    longest = 0;
    context.draft.drop();
    context.dismiss();
    built = serverDraft();
    const first = before === null;
    reveal.phase(view, { first });
    if (game().phase === "play" && view.status !== "lobby") {
      const names = (list) => list.map((one) => one.text).join(", ");
      context.announce(say("said.round", { round: game().round, own: names(mine().hand), centre: names(game().centre) }));
    }
  }

  function serverDraft() {
    const draft = view.draft;
    const fits = draft && draft.round === game().round && draft.move?.type === "syllables.ready";
    return fits ? draft.move.cards.filter(card) : [];
  }

  /** What is built: the word that is in, else what is being tapped, else what was saved here or in another tab. */
  function takeWord() {
    if (isReady()) built = [...mine().ready_cards];
    else if (!context.draft.unsaved && view.draft && view.draft_number >= context.draft.number) built = serverDraft();
    built = built.filter(card);
  }

  function saySeats(before) {
    if (!before || before.public.round !== game().round || game().phase !== "play") return;
    game().seats.forEach((seat, number) => {
      const was = before.public.seats[number];
      if (seat.ready && was && !was.ready && number !== view.seat) context.announce(say("said.ready", { name: context.seatName(number) }));
    });
  }

  /* ---- painting ---- */

  function paint() {
    const playing = game().phase === "play" && ["active", "paused"].includes(view.status);
    root.hidden = !playing;
    reveal.paint(view);
    paintStrip();
    if (!playing) return;
    root.dataset.mode = isReady() ? "ready" : mode;
    find("pause").hidden = view.status !== "paused";
    for (const part of root.querySelectorAll("[data-part], [data-tray], [data-actions]")) part.inert = view.status === "paused";
    showOthers(find("others"), { view, context });
    paintCards();
    paintTray();
    paintActions();
    paintHint();
    paintMeanwhile();
  }

  function paintStrip() {
    write(strip.querySelector("[data-round] .long"), say("round", { round: game().round, rounds: game().rounds }));
    write(strip.querySelector("[data-round] .short"), `${game().round}/${game().rounds}`);
    write(strip.querySelector("[data-stars]"), String(game().seats[view.seat].stars));
    paintTime();
  }

  function paintTime() {
    if (!view?.private) return;
    const left = game().phase === "play" ? context.left(mine().deadline ?? game().deadline) : null;
    strip.querySelector("[data-timer]").hidden = left === null;
    find("bar").hidden = left === null;
    if (left === null) return;
    write(strip.querySelector("[data-time]"), minutes(left));
    longest = Math.max(longest, left, (game().round_seconds ?? 0) * 1000);
    find("bar").firstElementChild.style.setProperty("inline-size", `${(100 * left) / Math.max(longest, 1)}%`);
    sayTime(Math.ceil(left / 1000));
  }

  function sayTime(seconds) {
    const mark = SPOKEN_SECONDS.find((one) => seconds <= one && seconds > one - 2);
    if (!mark || spoken.includes(mark) || isReady()) return;
    spoken.push(mark);
    context.announce(say("said.time", { n: mark }));
  }

  function paintCards() {
    paintRow(find("own"), mine().hand, 1);
    paintRow(find("centre"), game().centre, 4);
    paintPile();
  }

  /** Keeps the node of a card that has not changed, so that focus stays where the child is. */
  function paintRow(row, list, firstKey) {
    const old = new Map([...row.children].map((node) => [node.dataset.state, node]));
    const nodes = list.map((one, at) => {
      const place = built.indexOf(one.id) + 1;
      const giveable = mode === "swap" && firstKey === 1 && !isReady();
      const label = giveable ? "card.give" : place ? "card.used" : "card";
      const state = [one.id, place, label, giving === one.id, isReady()].join(" ");
      if (old.has(state)) return old.get(state);
      const node = tiles.tile(one, { label, place, key: String(firstKey + at), onTap: (event) => tap(one.id, event) });
      node.dataset.state = state;
      if (place) node.classList.add("used");
      if (place) node.setAttribute("aria-pressed", "true");
      if (giveable) node.classList.add("giveable");
      if (giving === one.id) node.classList.add("chosen");
      if (mode === "swap" && firstKey !== 1) node.disabled = true;
      return node;
    });
    const focused = row.contains(document.activeElement) ? document.activeElement.dataset.card : null;
    fill(row, ...nodes);
    if (focused) nodes.find((node) => node.dataset.card === focused)?.focus({ preventScroll: true });
  }

  function paintPile() {
    const { top, count } = game().exchange;
    const pile = find("pile");
    const state = `${top?.id} ${count}`;
    if (pile.dataset.state === state) return;
    pile.dataset.state = state;
    const spoken = el("span", { class: "visually-hidden" }, say("pile.count", { n: count }));
    const shown = el("span", { "aria-hidden": true }, String(count));
    const label = el("span", { class: "syl-count" }, symbol(context.sprites.icons, "swap"), shown, spoken);
    fill(pile, ...(top ? [tiles.face(top), label] : [label]));
  }

  function paintTray() {
    const list = chosen();
    find("tray").dataset.count = String(list.length);
    write(find("tray-title"), say(isReady() ? "tray.ready" : "tray"));
    const row = find("built");
    const old = new Map([...row.children].map((node) => [node.dataset.state, node]));
    const nodes = list.map((one) => {
      const state = `${one.id} ${isReady()}`;
      if (old.has(state)) return old.get(state);
      const node = isReady() ? tiles.face(one) : tiles.tile(one, { label: "card.back", onTap: (event) => tap(one.id, event) });
      node.dataset.state = state;
      return node;
    });
    fill(row, ...(nodes.length ? nodes : [el("p", { class: "syl-empty" }, say(isReady() ? "tray.none" : "tray.empty"))]));
    paintNote(list);
  }

  function paintNote(list) {
    const note = find("note");
    if (mode === "swap") return fill(note, el("b", {}, say("swap.choose", { text: game().exchange.top.text })));
    if (!list.length) return fill(note);
    const missing = game().min_hand_cards - owned(built);
    const word = list.map((one) => one.text);
    const facts = [say("syllables", { n: list.length })];
    if (missing > 0) facts.push(say("own.needed", { n: missing }));
    const families = new Set(list.map((one) => one.family));
    if (list.length > 1 && families.size === 1) facts.push(say("family.all", { family: tiles.family(list[0]) }));
    return fill(note, el("b", { class: "word", lang: view.language }, word.join(" · ")), el("span", {}, ` – ${facts.join(", ")}`));
  }

  function paintActions() {
    const ready = isReady();
    const swapping = mode === "swap";
    write(find("hints"), String(mine().hints_left));
    action("hint").setAttribute("aria-label", `${action("hint").children[1].textContent}, ${say("hints.left", { n: mine().hints_left })}`);
    action("hint").disabled = ready || swapping || !(can("hint") || mine().hint);
    action("swap").disabled = ready || !(can("swap") || swapping);
    action("swap").setAttribute("aria-pressed", String(swapping));
    const used = game().seats[view.seat].swap_used;
    write(find("swap-label"), say(swapping ? "cancel" : used ? "swap.done" : "swap"));
    write(find("ready-label"), say(ready ? "unready" : "ready"));
    action("ready").disabled = swapping || (ready ? !can("unready") : !can("ready"));
    action("ready").classList.toggle("primary", !ready);
    find("ready-icon").setAttribute("href", `${context.sprites.icons}#${ready ? "back" : "check"}`);
    action("hint").hidden = ready;
    action("swap").hidden = ready;
  }

  function paintHint() {
    const hint = mine().hint;
    const box = find("hint");
    box.hidden = !hint || !hintOpen || isReady();
    if (box.hidden) return;
    if (box.dataset.word === (hint.word ?? "none")) return;
    box.dataset.word = hint.word ?? "none";
    const close = el("button", { type: "button", class: "button", onclick: closeHint }, say("hint.close"));
    if (!hint.word) return fill(box, el("p", {}, say("hint.none")), close);
    const text = el("p", {}, `${say("hint.title")} `, el("b", { class: "word", lang: view.language }, hint.split.join(" · ")));
    const use = el("button", { type: "button", class: "button primary", onclick: useHint }, say("hint.use"));
    return fill(box, text, el("div", { class: "row" }, use, close));
  }

  function paintMeanwhile() {
    const ready = isReady();
    for (const part of root.querySelectorAll("[data-part]")) part.hidden = (part.dataset.part === "meanwhile") !== ready;
    if (ready) showMeanwhile({ title: find("meanwhile-title"), body: find("meanwhile"), view, context, tiles });
  }

  /* ---- building a word ---- */

  function tap(id, event) {
    if (view.status !== "active" || isReady() || busy) return;
    context.hush();
    if (event?.detail) event.currentTarget?.blur?.();
    if (mode === "swap") return give(id);
    const from = root.querySelector(`[data-own] [data-card="${id}"], [data-centre] [data-card="${id}"]`)?.getBoundingClientRect();
    const taken = built.includes(id);
    change(taken ? built.filter((one) => one !== id) : [...built, id]);
    if (!taken) glide(find("built").querySelector(`[data-card="${id}"]`) ?? root, from);
  }

  function change(next) {
    built = next;
    context.draft.save(game().round, { type: "syllables.ready", round: game().round, cards: built });
    context.announce(say("said.word", { word: chosen().map((one) => one.text).join(" ") || say("tray.empty") }));
    paint();
  }

  /* ---- moves ---- */

  async function move(name, more = {}) {
    if (busy) return false;
    busy = true;
    root.setAttribute("aria-busy", "true");
    const done = await context.play({ type: `syllables.${name}`, round: game().round, ...more });
    busy = false;
    root.removeAttribute("aria-busy");
    return done;
  }

  async function ready() {
    if (busy || mode === "swap" || view.status !== "active") return;
    if (isReady()) return unready();
    if (!can("ready")) return;
    if (built.length === 1) return context.tell(say("error.word_too_short"));
    const needed = game().min_hand_cards;
    if (built.length && owned(built) < needed) return context.tell(say("error.own_card_needed", { n: needed }));
    if (!built.length && !(await context.ask({ title: say("empty.title"), text: say("empty.text"), yes: say("empty.yes"), no: say("empty.no") }))) return;
    const { round } = game();
    const word = [...built];
    context.draft.drop();
    const done = await move("ready", { cards: word });
    if (!done && game().round === round && can("ready")) change(word.filter(card)); // it did not get through: keep it
  }

  /** The move clears the seat's draft on the server, so the word that comes back is saved again. */
  async function unready() {
    const word = [...mine().ready_cards];
    if (await move("unready")) change(word.filter(card));
  }

  async function hint() {
    if (action("hint").disabled) return;
    hintOpen = true;
    if (mine().hint) return paint();
    await move("hint");
    const word = mine().hint?.word;
    if (word) context.announce(`${say("hint.title")} ${mine().hint.split.join(" ")}`);
    paint();
  }

  function useHint() {
    hintOpen = false;
    change(mine().hint.cards.filter(card));
    action("ready").focus();
  }

  function closeHint() {
    hintOpen = false;
    paint();
    action("hint").focus();
  }

  function swap() {
    if (action("swap").disabled || busy) return;
    mode = mode === "swap" ? "build" : "swap";
    giving = null;
    if (mode === "swap") context.announce(say("swap.choose", { text: game().exchange.top.text }));
    paint();
  }

  async function give(id) {
    const own = mine().hand.find((one) => one.id === id);
    if (!own) return;
    const { top } = game().exchange;
    giving = id;
    paint();
    const sure = await context.ask({ title: say("swap.sure", { give: own.text, take: top.text }), yes: say("swap.yes"), no: say("cancel") });
    mode = "build";
    giving = null;
    if (sure && (await move("swap", { give: id, top: top.id }))) {
      context.announce(say("swap.did", { give: own.text, take: top.text }));
      if (context.draft.unsaved) context.draft.save(game().round, { type: "syllables.ready", round: game().round, cards: built });
    }
    paint();
  }

  /* ---- hands ---- */

  action("hint").addEventListener("click", hint);
  action("swap").addEventListener("click", swap);
  action("ready").addEventListener("click", (event) => {
    if (event.detail) event.currentTarget.blur();
    ready();
  });
  listenToKeys({
    active: () => view !== null && view.status === "active" && view.seat !== null,
    own: (at) => !root.hidden && mine().hand[at] && tap(mine().hand[at].id),
    centre: (at) => !root.hidden && game().centre[at] && tap(game().centre[at].id),
    back: () => !root.hidden && mode === "build" && !isReady() && built.length && change(built.slice(0, -1)),
    enter: () => (root.hidden ? reveal.goOn() : ready()),
    hint: () => !root.hidden && hint(),
    swap: () => !root.hidden && swap(),
    escape: () => !root.hidden && mode === "swap" && swap(),
  });
  setInterval(paintTime, TICK_MS);

  return { show };
}
