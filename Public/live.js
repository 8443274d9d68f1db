// @ts-check
/**
 * Live updates: `/events` is polled once a second while the tab is visible, and less often while there is no answer; after a gap everything
 * is read again. Polling is deliberate: a stream that is open but silent looks alive.
 */
import * as api from "./api.js";
import { afterwards, isOfShape, nameOf, store } from "./store.js";
import { setServerTime } from "./time.js";

const INTERVAL = 1000;
const SLOWEST = 30_000;
/** Milliseconds without an answer after which the page says that it shows an old state. */
const STALE_AFTER = 30_000;
/** How long a tab that becomes visible again may take to catch up before it is called stale. */
const GRACE = 3000;

let running = false;
let failures = 0;
let visibleSince = Date.now();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let polling = false;
/**
 * Commits of this window that have no answer yet.
 * @type {Set<Promise<unknown>>}
 */
const inFlight = new Set();

/**
 * Starts polling, until the signal aborts; does nothing if already polling.
 * @param {AbortSignal} signal
 */
export function startLive(signal) {
  if (running) return;
  running = true;
  failures = 0;
  signal.addEventListener("abort", stop, { once: true });
  store.setLive({ lastAnswer: Date.now(), failing: false, stale: false });
  schedule(INTERVAL);
}

function stop() {
  running = false;
  clearTimeout(timer);
}

/**
 * Holds polled changes back until this window's commit is answered: between "Publishing…" and the answer no state on the
 * screen moves, whichever of the two arrives first.
 * @template T
 * @param {Promise<T>} commit
 */
export async function holdLive(commit) {
  const settled = commit.catch(() => undefined);
  inFlight.add(settled);
  try {
    return await commit;
  } finally {
    inFlight.delete(settled);
  }
}

/** @param {number} delay */
function schedule(delay) {
  clearTimeout(timer);
  if (running && document.visibilityState === "visible") timer = setTimeout(poll, delay);
}

async function poll() {
  if (polling || !running) return;
  polling = true;
  try {
    const events = await api.events(store.sequence);
    await Promise.all(inFlight);
    if (!running) return;
    setServerTime(events.serverTime);
    if (events.reset || store.live.stale) await store.reload(undefined, events.reset);
    else if (events.items.length > 0) await take(events.items);
    if (events.schedule !== undefined && events.schedule !== store.scheduleCount) {
      await store.reloadWindows();
      store.scheduleCount = events.schedule;
    }
    // Not later, even if everything was read after that answer: what was committed in between has not been told yet.
    store.sequence = events.sequence;
    // After a gap, too: what the page shows is new then, but nobody has been told who changed it.
    if (events.items.length > 0) store.emit("changes", [...events.items].sort((one, other) => one.sequence - other.sequence));
    if (events.reset) store.emit("reset");
    failures = 0;
    store.setLive({ lastAnswer: Date.now(), failing: false, stale: false, health: events.health });
    schedule(INTERVAL);
  } catch {
    // Every failure is shown as age: the bar appears once the last answer is too old, whatever the cause.
    failures += 1;
    store.setLive({ failing: true, stale: isStale() });
    schedule(Math.min(SLOWEST, INTERVAL * 2 ** Math.min(failures - 1, 5)) * (0.75 + Math.random() / 2));
  } finally {
    polling = false;
  }
}

/** @param {import("./documents.js").Change[]} items */
async function take(items) {
  const touched = new Map(items.flatMap((change) => change.targets.map((target) => [nameOf(target), target])));
  const news = [...touched.values()].filter((target) => (store.targets.get(nameOf(target))?.revision ?? 0) < target.revision);
  if (items.some(isOfShape)) await store.reload();
  else if (news.length > 0) await store.refresh(news);
}

function isStale() {
  const now = Date.now();
  return now - store.live.lastAnswer > STALE_AFTER && now - visibleSince > GRACE;
}

setInterval(() => {
  if (running && document.visibilityState === "visible" && !store.live.stale && isStale()) store.setLive({ stale: true });
}, 1000);

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  visibleSince = Date.now();
  schedule(0);
  // In another tab somebody may have signed in meanwhile, as somebody else or with other rights: then the page begins anew.
  if (running) void afterwards(api.session());
});
addEventListener("online", () => schedule(0));
