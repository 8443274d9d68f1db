// @ts-check
/**
 * The visible strings needed at once: those shared by several screens, those around every screen, and those of the overview. Every other
 * screen has its own file beside this one. A string with values in it is a function, so that a translation can move them.
 */

/** @type {Record<string, string>} */
const platforms = {
  ios: "iOS", android: "Android", macos: "macOS", tvos: "tvOS", watchos: "watchOS", ipados: "iPadOS", visionos: "visionOS",
  windows: "Windows", web: "Web",
};

/**
 * A platform as its maker writes it.
 * @param {string} key
 */
export const platformName = (key) => platforms[key] ?? key;

/** @param {number} count @param {string} one @param {string} many */
export const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

/**
 * The name of what is done, with where: nobody may take production for staging.
 * @param {string} name
 * @param {string} environment empty while not known
 */
export const inEnvironment = (name, environment) => (environment ? `${name} in ${environment}` : name);

/** @param {string[]} names */
export const listed = (names) => names.join(", ").replace(/, ([^,]*)$/, " and $1");

export const strings = {
  product: "Gatehouse",
  loading: "Loading…",
  cancel: "Cancel",
  close: "Close",
  tryAgain: "Try again",
  copy: "Copy",
  copied: "Copied",
  copyFailed: "Not copied: select the text instead",
  /** @param {string} what */
  copyOf: (what) => `Copy ${what}`,
  required: "required",
  optional: "optional",
  none: "none",
  yes: "yes",
  no: "no",
  on: "on",
  off: "off",

  // Times
  justNow: "just now",
  /** @param {string} duration */
  ago: (duration) => `${duration} ago`,
  /**
   * With no-break spaces: half a duration at the end of a line reads as another one.
   * @param {number} seconds
   */
  duration: (seconds) => {
    if (seconds < 60) return `${seconds}\u00a0s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)}\u00a0min`;
    if (seconds < 86_400) {
      const minutes = Math.floor((seconds % 3600) / 60);
      return `${Math.floor(seconds / 3600)}\u00a0h${minutes > 0 ? `\u00a0${minutes}\u00a0min` : ""}`;
    }
    const hours = seconds < 7 * 86_400 ? Math.floor((seconds % 86_400) / 3600) : 0;
    return `${Math.floor(seconds / 86_400)}\u00a0d${hours > 0 ? `\u00a0${hours}\u00a0h` : ""}`;
  },
  /** @param {string} duration */
  within: (duration) => `in\u00a0${duration}`,
  due: "now",
  seconds: "seconds",
  /** @param {string} duration */
  since: (duration) => `for ${duration}`,
  /** @param {string} local @param {string} utc @param {string} within */
  saidTime: (local, utc, within) => `${local} = ${utc} · ${within}`,
  /** @param {string} there @param {string} utc @param {string} here @param {string} within */
  saidZoned: (there, utc, here, within) =>
    `${there}${utc === "UTC" ? " " : " = "}${utc}${here ? ` = ${here} for you` : ""} · ${within}`,
  from: (/** @type {string} */ from, /** @type {string} */ city) => `from ${from} ${city}`,
  span: (/** @type {string} */ from, /** @type {string} */ to, /** @type {string} */ city) => `${from} – ${to} ${city}`,

  // States
  state: { blocked: "BLOCKED", updateRequired: "UPDATE REQUIRED", notice: "NOTICE", open: "OPEN" },
  /** For small spaces: the visible part, and the part that is only read out. */
  stateShort: /** @type {Record<string, [string, string]>} */ ({
    blocked: ["BLOCKED", ""], updateRequired: ["UPDATE", " REQUIRED"], notice: ["NOTICE", ""], open: ["OPEN", ""],
  }),
  stateWord: { blocked: "blocked", updateRequired: "update required", notice: "notice", open: "open" },
  rule: {
    killSwitch: "Kill switch", forceUpdate: "Forced update", requiredUpdate: "Minimum version", optionalUpdate: "Optional update",
    alert: "Alert", settings: "Settings",
  },
  library: {
    bellerophon: "Bellerophon", launchgate: "LaunchGate", gandalf: "Gandalf", "prince-of-versions": "Prince of Versions",
    gatekit: "GateKit", openfeature: "OpenFeature",
  },
  masking: {
    word: "MASKED",
    /** @param {string[]} libraries */
    never: (libraries) => `${listed(libraries)} ${libraries.length === 1 ? "does" : "do"} not show it`,
    /** @param {string} never @param {"all" | "asking" | null} getIn */
    said: (never, getIn) => `${never}${getIn ? ": those people get in" : ""}${
      getIn === "asking" ? ", unless their phones ask with their version" : ""}.`,
  },
  /** @param {string} app @param {string} platform */
  target: (app, platform) => `${app} on ${platformName(platform)}`,
  /** @param {string} app @param {string[]} platforms */
  platformsOf: (app, platforms) => `${app} on ${listed(platforms.map(platformName))}`,
  targets: (/** @type {number} */ count) => counted(count, "target", "targets"),
  /**
   * The accessible name of a button that shows only its verb, because whoever hears only the name must know what it acts on.
   * @param {string} verb @param {string} what
   */
  about: (verb, what) => `${verb} ${what}`,
  /** @param {string} app @param {string} platform */
  targetShort: (app, platform) => `${app} · ${platformName(platform)}`,
  allVersions: "all versions",
  /** @param {string} version */
  mustUpdate: (version) => `below ${version} must update`,
  everyoneMustUpdate: "every version must update",
  /** @param {string} version */
  suggested: (version) => `${version} is suggested`,
  alertShown: "alert when the app opens",
  alertBlocks: "blocking alert, all versions",

  // Changes
  /** @param {string} name */
  by: (name) => `by ${name}`,
  /** @param {string} user @param {string} token */
  actorOfToken: (user, token) => `${user} (${token})`,
  source: { dashboard: "dashboard", gatectl: "gatectl", api: "API", schedule: "schedule", expiry: "expiry" },
  revision: (/** @type {number} */ revision) => `revision ${revision}`,
  details: "Details",
  gatectl: "Copy as gatectl",
  /** @param {number} percent @param {string} time */
  opening: (percent, time) => `opening, ${percent} %, until ${time}`,
  /** What one change did, as a phrase about its target. */
  did: {
    create: "created", delete: "deleted", settings: "changed settings of", revert: "reverted", import: "imported a file into",
    apply: "applied a file to", restore: "put a backup in place for",
    blocked: "blocked", opened: "opened", changedBlock: "changed the block of",
    opening: "began opening",
    set: (/** @type {string} */ rule) => `set ${rule} on`,
    cleared: (/** @type {string} */ rule) => `cleared ${rule} on`,
    changed: (/** @type {string} */ rule) => `changed ${rule} on`,
    version: (/** @type {string} */ rule, /** @type {string} */ before, /** @type {string} */ after) => `${rule} ${before} → ${after} on`,
    nothing: "confirmed",
    ruleName: {
      killSwitch: "the kill switch", forceUpdate: "the forced update", requiredUpdate: "the minimum version",
      optionalUpdate: "the optional update", alert: "the alert",
    },
  },

  // Windows of the schedule
  window: {
    make: "Schedule a change…", scheduled: "SCHEDULED", ends: "ends ", fails: "will not run as things stand",
    inPart: "runs IN PART",
    // Of a target's own line, `targets` is empty.
    /** @param {string} rules @param {string} targets */
    lacks: (rules, targets) => `not ${targets ? `on ${targets}` : "here"}: ${rules}`,
    /** @param {string} rules @param {string} targets */
    changed: (rules, targets) => `changed by hand${targets && ` on ${targets}`}: ${rules}`,
    /** @param {string} rules @param {string} targets */
    gone: (rules, targets) => `taken away by hand${targets && ` on ${targets}`}: ${rules}`,
    leaves: "at its end the window leaves that as it is",
    opensItself: (/** @type {string} */ time) => `opens by itself ${time}`,
    endsItself: (/** @type {string} */ time) => `ends by itself ${time}`,
    goesBack: (/** @type {string} */ time) => `goes back to what was there before ${time}`,
    state: { pending: "waits", running: "running", done: "done", missed: "MISSED", cancelled: "cancelled", failed: "FAILED" },
    does: {
      open: "open", clear: (/** @type {string} */ rule) => `clear ${rule}`,
      block: (/** @type {string} */ message) => `block “${message}”`, alert: (/** @type {string} */ message) => `alert “${message}”`,
      min: (/** @type {string} */ version) => `minimum version ${version}`,
      optional: (/** @type {string} */ version) => `suggest ${version}`, force: "force the update",
    },
  },

  // What is asked before a change, and what became of it
  dialog: {
    reason: "Reason", reasonHint: "Goes into the history. A ticket number helps the next person.",
    reasonMissing: "This environment asks for a reason.",
    confirm: "to confirm", confirmType: "Type", killMeans: "(“kill” is gatectl’s word for “block”)",
    /** @param {string} phrase */
    confirmMissing: (phrase) => `Type ${phrase} exactly to confirm.`,
    publishing: "Publishing…",
    planning: "Checking…",
    omitted: (/** @type {number} */ count) => `… and ${counted(count, "more row", "more rows")}, too many to show.`,
    uncertain: "Not confirmed – checking…",
    uncertainHint: "The server did not answer. It is asked again, and makes it once; nothing is assumed until it says.",
    outcomeUnknown: "No answer. It is not known whether it was done: look again before you repeat it.",
    noAnswer: "The server does not answer. Nothing was sent.",
    unchanged: "That is how it is already. Nothing was changed.",
    effects: "What happens",
    renewed: "What it would do has changed meanwhile. It was planned again; read it again before you press.",
    readFirst: "This is what it does. Press again to publish it.",
    changes: "What changes",
    warnings: "Warnings",
    /** @param {import("../documents.js").Role} role */
    roleNeeded: (role) => `This needs the ${role === "admin" ? "administrator" : role} role.`,
    /** @param {string} detail @param {string | undefined} requestId */
    refused: (detail, requestId) => (requestId ? `${detail} (request ${requestId})` : detail),
    missingSummary: "Something is missing above.",
    refusedSummary: "Something above was refused. The field says why.",
    noDifference: "Nothing would change.",
    override: "Publish it all the same. The history will say so.",
  },
  showPassword: "Show password",
  passwordHint: "12 to 128 characters. A few unrelated words are good.",

  failed: {
    title: "That did not work", toShow: (/** @type {string} */ what) => `${what} could not be shown`, screen: "This screen",
    terminal: "The same from a terminal:", noAnswer: "The server does not answer.",
    outdated: "The server was upgraded, and this tab is still of the version before.", reload: "Reload the page",
    request: (/** @type {string} */ id) => `Request ${id}`,
  },
};

/** What surrounds every screen, or takes a screen's place. */
export const shellStrings = {
  skip: "Skip to content",
  protected: "PROTECTED",
  protectedHint: "Keeping people out needs a reason and a typed confirmation here.",
  mainNavigation: "Main",
  nav: { overview: "Overview", schedule: "Schedule", history: "History", simulate: "Simulate", settings: "Settings" },
  signOut: "Sign out", byProxy: "Signed in by single sign-on",
  settingsPages: { apps: "Apps", tokens: "Tokens", people: "People", account: "Account" },

  // Live
  live: "Live",
  stale: "STALE", old: (/** @type {string} */ duration) => `${duration} old`,
  reconnecting: "Reconnecting…",
  /** @param {string} time */
  staleBar: (time) => `Not live since ${time} · showing last known state`,
  /** @param {string} reasons */
  degraded: (reasons) => `The server reports trouble: ${reasons}. Feeds go on; changes may be refused.`,
  code: {
    missing: "The server does not answer, so the dialog could not be fetched. Nothing was sent; press again.",
    outdated: "The server was upgraded, and this tab is still of the version before. Nothing was sent; reload the page.",
  },
  starting: "The server is still checking its history. Feeds go on; changes have to wait a moment.",
  /** @param {string[]} lines */
  announcement: (lines) => lines.join(" "),
  /** @param {string} target @param {string} state @param {string} actor */
  nowState: (target, state, actor) => `${target} is now ${state}, changed by ${actor}.`,

  // Titles
  /** @param {number} blocked @param {string} view @param {string} environment */
  title: (blocked, view, environment) =>
    `${blocked > 0 ? `■${blocked} ` : ""}${view === "" ? "" : `${view} · `}Gatehouse${environment ? ` – ${environment}` : ""}`,

  keys: { open: "Keyboard shortcuts" },
  palette: { open: "Go to…", key: "Ctrl K" },
};

// The overview and its rows

const { targets } = strings;

export const overviewStrings = {
  title: "Overview",
  filter: "Filter",
  filterHint: "App or platform",
  states: "Show by state",
  /** @param {number} count */
  none: (count) => `None of ${targets(count)} matches this filter.`,
  clear: "Show all",
  apps: "Apps",
  /** @param {number} count @param {number} apps */
  all: (count, apps) => `${targets(count)} of ${counted(apps, "app", "apps")}`,
  /** @param {number} shown @param {number} count */
  some: (shown, count) => `${shown} of ${targets(count)} shown`,
  sort: "Worst first again",
  operatorNeeded: "Blocking and opening need the operator role.",
  noPlatforms: (/** @type {string} */ app) => `${app} has no platforms yet.`,
  killSwitch: "Kill switch",
  /** @param {string} when */
  lastChange: (when) => `last change ${when}`,
  /** @param {string} time */
  opensItself: (time) => `opens by itself ${time}`,
  stillNeeded: "Still needed?",
  alsoSet: "Also set:",
  /** @param {number} missed @param {number} failed @param {number} partly */
  trouble: (missed, failed, partly) => [
    missed > 0
      ? `${counted(missed, "scheduled window was MISSED and waits", "scheduled windows were MISSED and wait")} for you`
      : "",
    failed > 0 ? `${counted(failed, "scheduled window", "scheduled windows")} FAILED` : "",
    partly > 0 ? `${counted(partly, "scheduled window runs", "scheduled windows run")} only IN PART` : "",
  ].filter(Boolean).join(" · "),
  /**
   * The same in one line, for phones.
   * @param {number} missed @param {number} failed @param {number} partly
   */
  troubleShort: (missed, failed, partly) => {
    const kinds = [{ count: missed, word: "MISSED" }, { count: failed, word: "FAILED" }, { count: partly, word: "IN PART" }]
      .filter(({ count }) => count > 0);
    const [first, ...others] = kinds;
    return !first ? "" : others.length === 0
      ? `${counted(first.count, "scheduled window", "scheduled windows")} ${first.word}`
      : [`${counted(first.count, "window", "windows")} ${first.word}`, ...others.map(({ count, word }) => `${count} ${word}`)].join(", ");
  },
  moreTrouble: (/** @type {number} */ count) => `and ${count} more`,
  seeTrouble: "Look at the schedule",

  // Picking
  pick: (/** @type {string} */ target) => `Pick ${target}`,
  pickApp: (/** @type {string} */ app) => `Pick all of ${app}`,
  pickAll: "Pick all that are shown",
  picks: {
    region: "Picked targets",
    /** @param {number} count @param {number} hidden */
    said: (count, hidden) => (count === 0 ? "" : `${targets(count)} picked${hidden > 0 ? `, ${hidden} of them not shown` : ""}`),
    block: (/** @type {number} */ count) => `Block ${targets(count)}…`,
    open: (/** @type {number} */ count) => `Open ${targets(count)}…`,
    clear: "Pick none",
  },
};
