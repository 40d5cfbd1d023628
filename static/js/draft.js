/* Autosave of what a seat is building: one write under way, the newest wins, numbers only rise. */

import { Problem, Unreachable } from "./api.js";

const REST_MS = 250;
const AGAIN_MS = 1_500;

/** `write({round, number, move})` stores a draft and answers a promise; `onRefused(problem)` hears of too_late and the like. */
export function keepDraft({ write, onRefused }) {
  let number = 0;
  let wanted = null;
  let busy = false;
  let timer = null;

  /** Numbers must stay above what another tab, or this page before a reload, has used. */
  function atLeast(known) {
    number = Math.max(number, known);
  }

  function save(round, move) {
    wanted = { round, move };
    schedule(REST_MS);
  }

  function schedule(ms) {
    clearTimeout(timer);
    timer = setTimeout(() => flush(), ms);
  }

  /** `leaving`: the page goes away; do not wait for the write under way, its number is lower anyway. */
  async function flush({ leaving = false } = {}) {
    if (!wanted || (busy && !leaving)) return;
    const mine = wanted;
    busy = true;
    number += 1;
    try {
      await write({ ...mine, number });
      if (wanted === mine) wanted = null;
    } catch (error) {
      failed(error, mine);
    }
    busy = false;
    if (wanted && wanted !== mine) schedule(0);
  }

  function failed(error, mine) {
    if (error instanceof Unreachable) schedule(AGAIN_MS);
    else if (error instanceof Problem && error.code === "stale_draft") schedule(REST_MS);
    else if (wanted === mine) wanted = null;
    if (error instanceof Problem) onRefused(error);
  }

  return {
    atLeast,
    save,
    flush,
    /** Forget what is unsaved: the round has gone on, or a move has taken the draft's place. */
    drop() {
      wanted = null;
      clearTimeout(timer);
    },
    /** The highest number that is known to have been used; a server's draft below it is older than what is shown. */
    get number() {
      return number;
    },
    /** True while the server does not know the newest draft. */
    get unsaved() {
      return wanted !== null;
    },
  };
}
