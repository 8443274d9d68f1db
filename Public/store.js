// @ts-check
/**
 * What this browser window knows, and how that is kept up to date. All of it came from answers of the server; nothing is assumed ahead of
 * one. Views listen for `session`, `status`, `apps`, `targets`, `changes`, `schedule`, `live` and `receipt`, until their signal aborts.
 */
import * as api from "./api.js";
import { secondsSince, setServerTime } from "./time.js";

/** @typedef {import("./documents.js").Target} Target */
/** @typedef {import("./documents.js").Change} Change */
/** @typedef {import("./api-schedule.js").Window} Window */
/** @typedef {"session" | "status" | "apps" | "targets" | "changes" | "live" | "receipt" | "schedule"} Topic */
/**
 * @typedef {{ change: Change, published: boolean | null, gatectl: string | null }} Receipt `published`: null until the feed is read back
 */

/**
 * `shop/ios`: how people write a target.
 * @param {{ app: string, platform: string }} target
 */
export const nameOf = (target) => `${target.app}/${target.platform}`;

/** Seconds for which a failed window is still news. */
const RECENT = 7 * 86_400;
/** The storage key of the drafts that the tab keeps across a reload. */
export const DRAFTS = "gatehouse-drafts";
/** The kinds of change that may create, rename, set up or delete apps and platforms, besides changing gates. */
const SHAPING = ["create", "delete", "settings", "restore", "apply", "import"];
const ranks = { viewer: 0, operator: 1, admin: 2 };

/**
 * Whether a change may have altered more than the gates of the targets it names.
 * @param {Change} change
 */
export const isOfShape = ({ targets, omitted, kind }) => targets.length === 0 || Boolean(omitted) || SHAPING.includes(kind);

/** @typedef {"missing" | "outdated"} CodeTrouble */

/**
 * Why a part of the page that is loaded when it is needed could not be: its files could not be fetched, or they are of another version of
 * the server than what this tab has loaded before, and do not fit together. Null for any other error, which is our bug.
 * @param {unknown} error
 * @returns {CodeTrouble | null}
 */
export const codeTrouble = (error) => (error instanceof TypeError ? "missing" : error instanceof SyntaxError ? "outdated" : null);

class Store extends EventTarget {
  /** @type {import("./documents.js").Session | null} */
  session = null;
  /** @type {import("./documents.js").Status | null} */
  status = null;
  /** @type {Map<string, import("./documents.js").App>} */
  apps = new Map();
  /** @type {Map<string, Target>} */
  targets = new Map();
  /**
   * Windows that are waiting, running or missed, in the order of their next step.
   * @type {Window[]}
   */
  windows = [];
  /**
   * Windows that failed recently.
   * @type {Window[]}
   */
  failed = [];
  /**
   * The server's count of changes to windows; undefined until known.
   * @type {number | undefined}
   */
  scheduleCount = undefined;
  /** @type {Receipt | null} */
  receipt = null;
  /** The last sequence this window has seen. */
  sequence = 0;
  /** Whether apps and targets have been read at least once; before that, an empty list means nothing. */
  loaded = false;
  /**
   * `lastAnswer` by this machine's clock; `code`: why a dialog that was asked for could not be loaded.
   * @type {{ lastAnswer: number, failing: boolean, stale: boolean, health: import("./documents.js").Health, code?: CodeTrouble | null }}
   */
  live = { lastAnswer: Date.now(), failing: false, stale: false, health: { state: "ok", reasons: [] } };
  /**
   * Sequences of the changes this window made itself, which need not be announced.
   * @type {Set<number>}
   */
  own = new Set();

  /** @param {Topic} topic @param {(event: CustomEvent) => void} action @param {AbortSignal} signal */
  on(topic, action, signal) {
    this.addEventListener(topic, /** @type {EventListener} */ (action), { signal });
  }

  /** @param {Topic} topic @param {unknown} [detail] */
  emit(topic, detail) {
    this.dispatchEvent(new CustomEvent(topic, { detail }));
  }

  /** @param {import("./documents.js").Session | null} session */
  setSession(session) {
    this.session = session;
    this.emit("session");
  }

  /**
   * Reads everything again: at the start, after a gap, and after an app was added or removed.
   * @param {Promise<import("./documents.js").Status>} [asked] a request already under way
   */
  async reload(asked = api.status()) {
    // First the sequence, then the lists: what is committed in between is then polled again, and never missed.
    const status = await asked;
    const [apps, targets] = await Promise.all([api.apps(), api.targets(), this.reloadWindows()]);
    setServerTime(status.serverTime);
    this.status = status;
    this.sequence = status.sequence;
    this.apps = new Map(apps.map((app) => [app.key, app]));
    this.targets = new Map(targets.map((target) => [nameOf(target), target]));
    this.loaded = true;
    for (const topic of /** @type {Topic[]} */ (["status", "apps", "targets"])) this.emit(topic);
  }

  /** Reads the schedule again. */
  async reloadWindows() {
    const windows = await api.windows("pending,running,missed,failed");
    this.windows = windows
      .filter((window) => window.state !== "failed")
      .sort((one, other) => ((one.due ?? "") < (other.due ?? "") ? -1 : 1));
    this.failed = windows.filter((window) =>
      window.state === "failed" && secondsSince(window.events[window.events.length - 1]?.at ?? window.start.at) < RECENT);
    this.emit("schedule");
  }

  /** Windows that did not run as intended: missed ones until somebody deals with them, failed ones for a while. */
  troubled() {
    return [...this.windows.filter((window) => window.state === "missed"), ...this.failed];
  }

  /**
   * The windows that concern a target.
   * @param {{ app: string, platform: string }} target
   */
  windowsOf(target) {
    return this.windows.filter((window) => window.targets.some((other) => nameOf(other) === nameOf(target)));
  }

  /**
   * Reads some targets again and shows them.
   * @param {{ app: string, platform: string }[]} targets
   */
  async refresh(targets) {
    const fresh = await Promise.all(targets.map((target) => this.#read(target)));
    this.put(fresh.flatMap((target) => target ?? []));
    return fresh.flatMap((target) => target ?? []);
  }

  /**
   * A target as it is now, or null if it is gone or not within this person's apps.
   * @param {{ app: string, platform: string }} name
   */
  async #read(name) {
    try {
      return await api.target(name.app, name.platform);
    } catch (error) {
      if (!(error instanceof api.APIError) || error.status !== 404) throw error;
      this.targets.delete(nameOf(name));
      return null;
    }
  }

  /**
   * Takes targets from an answer, unless something newer is already here.
   * @param {Target[]} targets
   */
  put(targets) {
    for (const target of targets) {
      const known = this.targets.get(nameOf(target));
      if (!known || known.sequence <= target.sequence) this.targets.set(nameOf(target), target);
    }
    this.emit("targets");
  }

  /** @param {Partial<Store["live"]>} live */
  setLive(live) {
    const before = this.live;
    this.live = { ...before, ...live };
    this.emit("live");
  }

  /** @param {Receipt | null} receipt */
  setReceipt(receipt) {
    this.receipt = receipt;
    this.emit("receipt");
  }

  /**
   * Whether the person signed in has at least this role for this app.
   * @param {import("./documents.js").Role} role
   * @param {string} [app]
   */
  may(role, app) {
    const user = this.session?.user;
    if (!user || ranks[user.role] < ranks[role]) return false;
    return app === undefined || user.apps === null || user.apps === undefined || user.apps.includes(app);
  }

  /**
   * The app's display name, or its key while unknown.
   * @param {string} app
   */
  appName(app) {
    return this.apps.get(app)?.name ?? app;
  }

  /** The environment's name in capitals, for titles and buttons. */
  get environment() {
    return (this.status?.environment.name ?? "").toUpperCase();
  }
}

export const store = new Store();

// Live updates: `/events` is polled once a second while the tab is visible, and less often while there is no answer; after a gap everything
// is read again. Polling is deliberate: a stream that is open but silent looks alive.

const INTERVAL = 1000;
const SLOWEST = 30_000;
/** Milliseconds without an answer after which the page says that it shows an old state. */
const STALE_AFTER = 30_000;
/** How long a tab that becomes visible again may take to catch up before it is called stale. */
const GRACE = 3000;
/** More changed targets than this are read as one list. */
const MANY = 5;

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

/** Starts polling; does nothing if already polling. */
export function startLive() {
  if (running) return;
  running = true;
  failures = 0;
  store.setLive({ lastAnswer: Date.now(), failing: false, stale: false });
  schedule(INTERVAL);
}

export function stopLive() {
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
    const wasStale = store.live.stale;
    if (events.reset || wasStale) await store.reload();
    else if (events.items.length > 0) await take(events.items);
    if (events.schedule !== undefined && events.schedule !== store.scheduleCount) {
      await store.reloadWindows();
      store.scheduleCount = events.schedule;
    }
    store.sequence = Math.max(store.sequence, events.sequence);
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

/** @param {import("./documents.js").Change[]} items oldest or newest first */
async function take(items) {
  const touched = new Map(items.flatMap((change) => change.targets.map((target) => [nameOf(target), target])));
  const news = [...touched.values()].filter((target) => (store.targets.get(nameOf(target))?.revision ?? 0) < target.revision);
  if (items.some(isOfShape) || news.length > MANY) await store.reload();
  else if (news.length > 0) await store.refresh(news);
  store.emit("changes", [...items].sort((one, other) => one.sequence - other.sequence));
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
});
addEventListener("online", () => schedule(0));
