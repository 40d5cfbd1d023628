/* A student's play page: finds out where the student is (waiting room, table, end) and keeps the game's board fresh.
   The board itself comes with the game: `mountBoard(context)` of its board.js. */

import { ask } from "./ask.js";
import { connect, Problem, Unreachable } from "./api.js";
import { matchClock } from "./clock.js";
import { write } from "./dom.js";
import { keepDraft } from "./draft.js";
import { forgetDevice } from "./forget.js";
import { openStream } from "./stream.js";
import { readTexts } from "./texts.js";
import { showWaiting } from "./waiting.js";

const ME_MS = 20_000;
const BANNER_AFTER_MS = 4_000;

const page = document.getElementById("play");
const say = readTexts("play-texts", "game-texts");
const screens = [...page.querySelectorAll("[data-screen]")];
const banner = document.getElementById("play-banner");
const toast = document.getElementById("play-toast");
const announcer = document.getElementById("announcer");
const clock = matchClock();

let me = null;
let people = new Map();
let view = null;
let etag = null;
let board = null;
let stream = null;
let silentSince = null;
let gone = false;
const known = { session: 0 };

const api = connect({ viewer: "seat", onReach: reached });
const draft = keepDraft({
  write: (body) => api.put(`/api/v1/tables/${me.table}/draft/`, body, { keepalive: true }),
  onRefused: () => refreshTable(),
});

/* ---- what the page shows ---- */

function screen(name) {
  for (const part of screens) part.hidden = part.dataset.screen !== name;
  page.dataset.at = name;
}

function announce(text) {
  announcer.textContent = "";
  requestAnimationFrame(() => write(announcer, text));
}

let toastTimer = null;
function tell(text, code = "") {
  clearTimeout(toastTimer);
  write(toast.querySelector("[data-toast]"), text);
  write(toast.querySelector("[data-code]"), code);
  toast.hidden = false;
  toastTimer = setTimeout(hush, 9_000);
}

function hush() {
  toast.hidden = true;
}

function explain(error) {
  if (error instanceof Unreachable) return tell(say("error.unreachable"));
  const key = `error.${error.code}`;
  const text = say(key);
  return tell(text === key ? say("error.other") : text, error.code);
}

function reached(ok) {
  if (ok) {
    silentSince = null;
    banner.hidden = true;
  } else if (silentSince === null) {
    silentSince = performance.now();
  }
}

function watchSilence() {
  if (silentSince !== null && performance.now() - silentSince > BANNER_AFTER_MS) showBanner();
}

function showBanner() {
  if (!gone) banner.hidden = false;
}

/* ---- what the server knows ---- */

async function refreshMe() {
  try {
    const { data } = await api.get("/api/v1/me/");
    await takeMe(data);
  } catch (error) {
    if (error instanceof Problem && [401, 403, 404, 410].includes(error.status)) left();
    else if (error instanceof Problem) explain(error);
  }
}

async function takeMe(data) {
  const fresh = data.version !== me?.version || people.size === 0;
  me = data;
  if (fresh) await refreshPeople();
  const topics = [`session:${me.session}`, ...(me.table ? [`table:${me.table}`] : [])];
  if (stream) stream.setTopics(topics);
  else stream = openStream({ viewer: "seat", topics, api, on: listeners });
  if (me.table) await refreshTable();
  else waitForSeat();
}

async function refreshPeople() {
  const { data } = await api.get(`/api/v1/sessions/${me.session}/people/`);
  people = new Map(data.map((person) => [person.participant, person]));
}

function waitForSeat() {
  if (me.status === "over") return screen("over");
  screen("waiting");
  showWaiting(page.querySelector('[data-screen="waiting"]'), { me, people: [...people.values()], say, sprites });
}

let fetching = null;
let again = false;
/** Fetches the table once at a time; a wish that comes meanwhile is served right after. */
function refreshTable() {
  if (!me?.table || gone) return Promise.resolve();
  if (fetching) {
    again = true;
    return fetching;
  }
  fetching = fetchTable().finally(() => {
    fetching = null;
    if (again) {
      again = false;
      refreshTable();
    }
  });
  return fetching;
}

async function fetchTable() {
  const sentAt = performance.now();
  try {
    const answer = await api.get(`/api/v1/tables/${me.table}/`, { etag });
    if (answer.status === 304) return;
    etag = answer.etag;
    takeView(answer.data, sentAt);
  } catch (error) {
    if (error instanceof Problem && [401, 403, 404, 410].includes(error.status)) await refreshMe();
    else if (error instanceof Problem) explain(error);
  }
}

function takeView(next, sentAt = performance.now()) {
  const older = view && view.table === next.table && next.version < view.version;
  if (older) return;
  view = next;
  clock.mark(view, { sentAt });
  draft.atLeast(view.draft_number ?? 0);
  if (view.status === "lobby") return waitForSeat();
  screen("table");
  page.dataset.status = view.status;
  board.show(view);
}

const seatName = (number) => {
  const seat = view.seats[number];
  if (!seat.participant) return robotName(number);
  return people.get(seat.participant)?.name ?? say("someone");
};

function robotName(number) {
  const nth = view.seats.slice(0, number).filter((seat) => !seat.participant).length;
  const name = say(`robot.${nth}`);
  return name === `robot.${nth}` ? say("robot.any", { n: nth + 1 }) : name;
}

/* ---- what the board may do ---- */

async function play(move) {
  hush();
  try {
    const sentAt = performance.now();
    const { data } = await api.post(`/api/v1/tables/${me.table}/moves/`, move);
    takeView(data, sentAt);
    return true;
  } catch (error) {
    explain(error);
    etag = null;
    await refreshTable();
    return false;
  }
}

const question = document.getElementById("question");
const sprites = { icons: page.dataset.icons, animals: page.dataset.animals };

const context = {
  say,
  announce,
  tell,
  hush,
  sprites,
  draft,
  play,
  seatName,
  isRobot: (number) => !view.seats[number].participant,
  left: (deadline) => clock.left(deadline),
  ask: (options) => ask(question, options),
  /** Closes an open question: its round is over. */
  dismiss: () => question.open && question.close(),
  words: page.dataset.words,
};

/* ---- the stream ---- */

const listeners = {
  /** Also after a sleep, when performance.now() may have stood still: ask for the whole view with its time. */
  resync() {
    etag = null;
    return refreshMe();
  },
  poll: () => (me?.table ? refreshTable() : refreshMe()),
  quiet: () => showBanner(),
  close: () => refreshMe(),
  change({ topic, version }) {
    if (topic === `table:${me.table}`) {
      if (!view || version > view.version) refreshTable();
    } else {
      known.session = version;
      refreshMe();
    }
  },
  versions(versions) {
    reached(true);
    if (me?.table && view && (versions[`table:${me.table}`] ?? 0) > view.version) refreshTable();
    const session = versions[`session:${me?.session}`] ?? 0;
    if (session > known.session) {
      known.session = session;
      refreshMe();
    }
  },
};

/* ---- going away ---- */

function left() {
  gone = true;
  stream?.stop();
  screen("gone");
}

async function leave() {
  const sure = await context.ask({
    title: say("leave.title"),
    text: say("leave.text"),
    yes: say("leave.yes"),
    no: say("leave.no"),
    danger: true,
  });
  if (!sure) return;
  try {
    await api.post(page.dataset.leave, {});
  } catch (error) {
    if (error instanceof Unreachable) return explain(error);
  }
  gone = true;
  stream?.stop();
  forgetDevice();
  location.replace(page.dataset.start);
}

/* ---- start ---- */

async function start() {
  const { mountBoard } = await import(page.dataset.board);
  board = mountBoard(context);
  for (const button of page.querySelectorAll("[data-leave]")) button.addEventListener("click", leave);
  const rules = document.getElementById("rules-dialog");
  for (const button of page.querySelectorAll("[data-rules]")) button.addEventListener("click", () => rules.showModal());
  rules.querySelector("[data-keys]").addEventListener("click", () => {
    rules.close();
    document.getElementById("keys-dialog")?.showModal();
  });
  toast.querySelector("button").addEventListener("click", hush);
  setInterval(watchSilence, 1_000);
  setInterval(() => document.visibilityState === "visible" && !gone && refreshMe(), ME_MS);
  addEventListener("offline", showBanner);
  addEventListener("pagehide", () => draft.flush({ leaving: true }));
  addEventListener("pageshow", (event) => event.persisted && location.reload());
  await refreshMe();
}

start();
