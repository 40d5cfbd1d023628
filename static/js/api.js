/* The REST API as pages use it: CSRF, who asks, idempotency keys, retries with the same key over a lost network. */

const PATIENCE_MS = 8_000;
const PAUSES_MS = [300, 700, 1_500, 3_000];

/** A refusal with a stable code (problem+json). */
export class Problem extends Error {
  constructor(status, { code = "unknown", detail = "" } = {}) {
    super(code);
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/** Nobody answered, or an answer that only says "later". */
export class Unreachable extends Error {
  constructor(waitMs = 0) {
    super("unreachable");
    this.waitMs = waitMs;
  }
}

/** A fresh key; randomUUID does not exist on plain http, where classes play. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** An API client for a page. `viewer` is "seat" or "teacher"; `onReach(true|false)` hears of every success and silence. */
export function connect({ viewer, onReach = () => {} }) {
  const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";

  async function once(method, path, { body, key, etag, keepalive = false } = {}) {
    const headers = { Accept: "application/json", "Wordtable-Viewer": viewer };
    if (method !== "GET") headers["X-CSRFToken"] = token;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    if (etag) headers["If-None-Match"] = etag;
    let response;
    let text;
    try {
      response = await fetch(path, {
        method,
        headers,
        keepalive,
        credentials: "same-origin",
        cache: "no-store",
        body: body === undefined ? undefined : JSON.stringify(body),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      text = await response.text();
    } catch {
      onReach(false);
      throw new Unreachable();
    }
    return answer(response, text, key);
  }

  function answer(response, text, key) {
    const later = Number(response.headers.get("Retry-After") || 0) * 1_000;
    const busy = [502, 503, 504].includes(response.status);
    onReach(!busy);
    const inFlight = response.status === 409 && key && response.headers.has("Retry-After");
    if (busy || inFlight || response.status === 429) throw new Unreachable(Math.min(later || 1_000, 10_000));
    if (response.status === 304) return { status: 304, etag: response.headers.get("ETag"), data: null };
    const data = parse(text);
    if (!response.ok) throw new Problem(response.status, data ?? {});
    return { status: response.status, etag: response.headers.get("ETag"), data };
  }

  /** Sends until somebody answers or `patience` ms are over; the same key makes every repeat harmless. */
  async function insist(method, path, { patience = 60_000, ...options } = {}) {
    const until = performance.now() + patience;
    for (let turn = 0; ; turn += 1) {
      try {
        return await once(method, path, options);
      } catch (error) {
        if (!(error instanceof Unreachable) || performance.now() > until) throw error;
        const pause = PAUSES_MS[Math.min(turn, PAUSES_MS.length - 1)];
        await wait(Math.max(error.waitMs, pause) * (0.75 + Math.random() / 2));
      }
    }
  }

  return {
    get: (path, options) => once("GET", path, options),
    put: (path, body, options) => once("PUT", path, { body, ...options }),
    /** One try, no key: for what is repeated anyway. */
    tell: (path, body, options) => once("POST", path, { body, ...options }),
    post: (path, body, options) => insist("POST", path, { body, key: newKey(), ...options }),
  };
}

function parse(text) {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
