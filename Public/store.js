// @ts-check
/**
 * What this browser window knows, and how that is kept up to date. All of it came from answers of the server; nothing is assumed ahead of
 * one. Views listen for `session`, `status`, `apps`, `targets`, `changes`, `reset` (it is not known what was changed), `schedule`, `live`
 * and `receipt`, until their signal aborts.
 */
import * as api from "./api.js";
import { secondsSince, setServerTime } from "./time.js";

/** @typedef {import("./documents.js").Target} Target */
/** @typedef {import("./documents.js").Change} Change */
/** @typedef {import("./api-schedule.js").Window} Window */
/** @typedef {"session" | "status" | "apps" | "targets" | "changes" | "reset" | "live" | "receipt" | "schedule"} Topic */
/**
 * @typedef {{ change: Change, published: boolean | null, gatectl: string | null }} Receipt `published`: null until the feed is read back
 */

/**
 * `shop/ios`: how people write a target.
 * @param {{ app: string, platform: string }} target
 */
export const nameOf = (target) => `${target.app}/${target.platform}`;

/** More targets than this are read as one list. */
const MANY = 5;
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

/** @typedef {api.NoAnswer | api.Outdated} CodeTrouble */

/**
 * Whether a part of the page that is loaded when it is needed could not be. Any other error is our bug.
 * @param {unknown} error
 */
export const isCodeTrouble = (error) => error instanceof TypeError || error instanceof SyntaxError;

/**
 * Why a part of the page could not be loaded: no answer, or the server was upgraded. The browser does not tell whether a file is gone or
 * the server, so that is asked for. Null for an error that is our bug.
 * @param {unknown} error
 * @returns {Promise<CodeTrouble | null>}
 */
export async function codeTrouble(error) {
  if (!isCodeTrouble(error)) return null;
  return error instanceof SyntaxError || await api.isUpgraded() ? new api.Outdated() : new api.NoAnswer();
}

/**
 * Waits for what is read again after the server's word on a write. What cannot be read now comes with a later poll; the word stands, and
 * nobody may be told otherwise.
 * @param {Promise<unknown>} reading
 */
export async function afterwards(reading) {
  try {
    await reading;
  } catch (error) {
    if (!(error instanceof api.APIError) && !(error instanceof api.NoAnswer)) throw error;
  }
}

/**
 * An answer that comes after one to a later question is older.
 * @returns {() => () => boolean} call it before asking, and what it returns with the answer: whether there is no newer one
 */
export function newestOnly() {
  let asked = 0;
  let taken = 0;
  return () => {
    const mine = asked += 1;
    return () => {
      if (mine < taken) return false;
      taken = mine;
      return true;
    };
  };
}

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
  #askWindows = newestOnly();

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
   * @param {boolean} [isReset] the server has gone back, so nothing known here is newer than its answer
   */
  async reload(asked = api.status(), isReset = false) {
    // First the sequence, then the lists: what is committed in between is then polled again, and never missed.
    const status = await asked;
    const [apps, targets] = await Promise.all([api.apps(), api.targets(), this.reloadWindows()]);
    setServerTime(status.serverTime);
    this.status = status;
    this.sequence = status.sequence;
    this.apps = new Map(apps.map((app) => [app.key, app]));
    this.targets = new Map(targets.map((target) => {
      // A change of this window's own may have been answered while the list was on its way.
      const known = isReset ? undefined : this.targets.get(nameOf(target));
      return [nameOf(target), known && known.sequence > Math.max(target.sequence, status.sequence) ? known : target];
    }));
    this.loaded = true;
    for (const topic of /** @type {Topic[]} */ (["status", "apps", "targets"])) this.emit(topic);
  }

  /** Reads the schedule again. */
  async reloadWindows() {
    const isNew = this.#askWindows();
    const windows = await api.windows();
    if (!isNew()) return;
    const text = () => JSON.stringify([this.windows, this.failed]);
    const known = text();
    this.windows = windows
      .filter((window) => window.state !== "failed")
      .sort((one, other) => ((one.due ?? "") < (other.due ?? "") ? -1 : 1));
    this.failed = windows.filter((window) =>
      window.state === "failed" && secondsSince(window.events[window.events.length - 1]?.at ?? window.start.at) < RECENT);
    // What was just read is no news at the first poll.
    if (this.scheduleCount !== undefined || text() !== known) this.emit("schedule");
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
   * @param {{ app: string, platform: string }[]} names
   * @returns {Promise<Target[]>} those that are there
   */
  async refresh(names) {
    if (names.length > MANY) {
      await this.reload();
      return names.flatMap((name) => this.targets.get(nameOf(name)) ?? []);
    }
    const fresh = (await Promise.all(names.map((name) => this.#read(name)))).flatMap((target) => target ?? []);
    this.put(fresh);
    return fresh;
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

  /** Whether the person signed in may add apps: with a scope, only those that it names and that are not there. */
  get mayAddApps() {
    const apps = this.session?.user.apps;
    return this.may("admin") && (!apps || apps.some((key) => !this.apps.has(key)));
  }

  /**
   * Whether the person signed in has every one of these apps, null for all: nobody changes what reaches further than they do.
   * @param {string[] | null} apps
   */
  covers(apps) {
    const own = this.session?.user.apps;
    return !own || (apps !== null && apps.every((key) => own.includes(key)));
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
