/* Live updates of a page: one EventSource for its topics, a watchdog, and polling while the stream is down.

   openStream({ viewer: "seat"|"teacher", topics: ["table:<id>", …], api, on: {
     resync(),                  // the stream (re)opened: fetch everything
     change({topic, version, now, public?}),
     versions({topic: n}),      // from every ping: fetch what is older than this
     presence({session, present}),
     close(),                   // the server wants this stream no more (sent away, or too many of one reader): poll() goes on
     poll(),                    // the stream is down: fetch, about every 3 s
     live(true|false),          // stream up or down
     quiet(),                   // nothing heard for 8.5 s: tell the reader (two pings are missing)
   }})
   returns { setTopics([…]), stop() }. The stream carries versions; what to show is always fetched. */

const SILENCE_MS = 10_000;
const QUIET_MS = 8_500;
const POLL_MS = 3_000;
const SEEN_MS = 5_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const EVENTS = ["resync", "change", "ping", "presence", "close"];

export function openStream({ viewer, topics, api, on }) {
  let source = null;
  let heardAt = performance.now();
  let pollAt = 0;
  let failures = 0;
  let retryTimer = null;
  let stopped = false;
  let closed = false;
  let wanted = [...topics];

  const jitter = (ms) => ms * (0.5 + Math.random());

  function open() {
    clearTimeout(retryTimer);
    retryTimer = null;
    source?.close();
    if (stopped || closed || wanted.length === 0) return;
    heardAt = performance.now();
    const query = new URLSearchParams({ topics: wanted.join(","), as: viewer });
    source = new EventSource(`/api/v1/stream/?${query}`);
    const mine = source;
    for (const name of EVENTS) source.addEventListener(name, (event) => mine === source && hear(name, event.data));
    source.onerror = () => mine === source && lost();
  }

  function lost() {
    source?.close();
    source = null;
    on.live?.(false);
    if (stopped || closed || retryTimer) return;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS);
    failures += 1;
    retryTimer = setTimeout(open, jitter(pause));
  }

  function hear(name, text) {
    heardAt = performance.now();
    failures = 0;
    on.live?.(true);
    const data = parse(text);
    if (name === "resync") on.resync?.();
    else if (name === "change") on.change?.(data);
    else if (name === "ping") on.versions?.(data.versions ?? {});
    else if (name === "presence") on.presence?.(data);
    else if (name === "close") {
      closed = true;
      lost();
      on.close?.();
    }
  }

  function watch() {
    const now = performance.now();
    if (source && now - heardAt > QUIET_MS) on.quiet?.();
    if (source && now - heardAt > SILENCE_MS) lost();
    const up = source !== null && source.readyState === EventSource.OPEN;
    if (!up && now - pollAt > jitter(POLL_MS)) {
      pollAt = now;
      on.poll?.();
    }
  }

  function seen() {
    api.tell("/api/v1/stream/seen/", {}).catch(() => {});
  }

  function returned() {
    if (document.visibilityState !== "visible" || stopped) return;
    if (performance.now() - heardAt > SILENCE_MS / 2) open();
    on.resync?.();
  }

  function stop() {
    stopped = true;
    source?.close();
    source = null;
    clearTimeout(retryTimer);
    clearInterval(watching);
    clearInterval(seeing);
    document.removeEventListener("visibilitychange", returned);
    removeEventListener("online", returned);
  }

  const watching = setInterval(watch, 1_000);
  const seeing = viewer === "seat" ? setInterval(seen, SEEN_MS) : null; // presence is about seats
  document.addEventListener("visibilitychange", returned);
  addEventListener("online", returned);
  open();

  return {
    setTopics(next) {
      if (next.join() === wanted.join()) return;
      wanted = [...next];
      failures = 0;
      open();
    },
    stop,
  };
}

function parse(text) {
  try {
    return JSON.parse(text || "{}") ?? {};
  } catch {
    return {};
  }
}
