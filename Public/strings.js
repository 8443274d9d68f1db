// @ts-check
/** Every visible string but those of the settings, which are in strings-settings.js. Functions where a value goes into the text, so that a translation can move it. */

/** @type {Record<string, string>} */
const platforms = { ios: "iOS", android: "Android", macos: "macOS", tvos: "tvOS", watchos: "watchOS", ipados: "iPadOS", visionos: "visionOS", windows: "Windows", web: "Web" };

/**
 * A platform as its maker writes it.
 * @param {string} key
 */
export const platformName = (key) => platforms[key] ?? key;

/** @param {number} count @param {string} one @param {string} many */
export const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;

export const strings = {
  product: "Gatehouse",
  skip: "Skip to content",
  loading: "Loading…",
  environment: "Environment",
  mainNavigation: "Main",
  nav: { overview: "Overview", schedule: "Schedule", history: "History", settings: "Settings" },
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

  // Times
  justNow: "just now",
  /** @param {string} duration */
  ago: (duration) => `${duration} ago`,
  /** @param {number} seconds */
  duration: (seconds) => {
    if (seconds < 60) return `${seconds} s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
    if (seconds < 86_400) {
      const minutes = Math.floor((seconds % 3600) / 60);
      return `${Math.floor(seconds / 3600)} h${minutes > 0 ? ` ${minutes} min` : ""}`;
    }
    return `${Math.floor(seconds / 86_400)} d`;
  },

  /** @param {string} duration */
  within: (duration) => `in ${duration}`,
  due: "now",
  /** @param {string} time */
  opensItself: (time) => `opens by itself ${time}`,

  // States
  state: { blocked: "BLOCKED", updateRequired: "UPDATE REQUIRED", notice: "NOTICE", open: "OPEN" },
  stateGlyph: { blocked: "■", updateRequired: "▲", notice: "◆", open: "○" },
  stateWord: { blocked: "blocked", updateRequired: "update required", notice: "notice", open: "open" },
  stale: "STALE",
  rule: { killSwitch: "Kill switch", forceUpdate: "Forced update", requiredUpdate: "Minimum version", optionalUpdate: "Optional update", alert: "Alert" },
  ruleHelp: {
    killSwitch: "Nobody gets in. Everyone sees the message.",
    forceUpdate: "Every version must update before it can go on.",
    requiredUpdate: "Versions below it must update before they can go on.",
    optionalUpdate: "Versions below it are told that there is something newer.",
    alert: "A message when the app opens. People can dismiss it, unless it blocks.",
  },
  member: {
    message: "Message", retryInterval: "Check again every", until: "Until", minimumVersion: "Minimum version", blockedVersions: "Blocked versions",
    optionalVersion: "Version to suggest", blocking: "Blocks the app",
  },
  /** @param {string} app @param {string} platform */
  target: (app, platform) => `${app} on ${platformName(platform)}`,
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
  noGates: "no gates",
  /** @param {string} duration */
  since: (duration) => `for ${duration}`,
  /** @param {string} name */
  by: (name) => `by ${name}`,
  /** @param {string} user @param {string} token */
  actorOfToken: (user, token) => `${user} (${token})`,
  /** @param {string} when */
  lastChange: (when) => `last change ${when}`,
  stillNeeded: "Still needed?",
  alsoSet: "Also set:",

  // Overview
  overview: {
    title: "Overview",
    filter: "Filter",
    filterHint: "App or platform",
    states: "Show by state",
    /** @param {number} count */
    none: (count) => `None of ${counted(count, "target", "targets")} matches this filter.`,
    clear: "Show all",
    targets: "Targets",
    operatorNeeded: "Flipping needs the operator role",
    noPlatforms: (/** @type {string} */ app) => `${app} has no platforms yet.`,
  },
  killSwitch: "Kill switch",
  on: "on",
  off: "off",

  // Live
  live: "Live",
  reconnecting: "Reconnecting…",
  /** @param {string} time */
  staleBar: (time) => `Not live since ${time} · showing last known state`,
  /** @param {string} reasons */
  degraded: (reasons) => `The server reports trouble: ${reasons}. Feeds go on; changes may be refused.`,
  starting: "The server is still checking its history. Feeds go on; changes have to wait a moment.",
  /** @param {string[]} lines */
  announcement: (lines) => lines.join(" "),
  /** @param {string} target @param {string} state @param {string} actor */
  nowState: (target, state, actor) => `${target} is now ${state}, changed by ${actor}.`,

  // Titles
  /** @param {number} blocked @param {string} view @param {string} environment */
  title: (blocked, view, environment) => `${blocked > 0 ? `■${blocked} ` : ""}${view === "" ? "" : `${view} · `}Gatehouse${environment ? ` – ${environment}` : ""}`,

  // Sign-in and set-up
  signIn: {
    title: "Sign in", username: "Username", password: "Password", action: "Sign in", busy: "Signing in…", signOut: "Sign out",
    again: "Your session has ended", againHint: "Sign in again to go on. What you were writing is still here.",
    wrong: "Username or password is wrong.",
    code: "Code", codeHint: "Six digits from your authenticator, or one of your recovery codes.", codeMissing: "This account also asks for a code.", codeWrong: "The code is wrong or was used already.",
    proof: "Your password once more", proofHint: "What you are about to do wants a password given within the last five minutes.", proofAction: "Go on", proofWrong: "The password or the code is wrong.",

    /** @param {number} seconds */
    wait: (seconds) => `Too many tries. Try again in ${counted(seconds, "second", "seconds")}.`,
    busyServer: "The server is busy. Try again in a moment.",
    missingUsername: "Enter your username.", missingPassword: "Enter your password.",
    show: "Show password",
    notSetUp: "Nobody can sign in yet: this server has no users.",
    notSetUpHint: "Open the set-up link that the server printed when it started. If it is gone, restart the server for a new one, or run “gatehouse init” on its machine.",
  },
  setup: {
    title: "Set up Gatehouse", intro: "Create the first administrator. This link works once.",
    passwordHint: "12 to 128 characters. A few unrelated words are good.", action: "Create administrator", busy: "Creating…",
    short: "A password has at least 12 characters.",
    done: "This server is set up already.", doneLink: "Go to sign-in",
  },

  // Change dialogs
  dialog: {
    reason: "Reason", reasonHint: "Goes into the history. A ticket number helps the next person.", reasonMissing: "This environment asks for a reason.",
    confirm: "to confirm", confirmType: "Type",
    /** @param {string} phrase */
    confirmMissing: (phrase) => `Type ${phrase} exactly to confirm.`,
    publishing: "Publishing…",
    planning: "Checking…",
    omitted: (/** @type {number} */ count) => `… and ${counted(count, "more row", "more rows")}, too many to show.`,
    uncertain: "Not confirmed – checking…",
    uncertainHint: "The server did not answer. It is being asked what became of the change; nothing is assumed until it says.",
    notMade: "The server has not made the change. The state is as before; you can publish again.",
    noAnswer: "The server does not answer. Nothing was sent.",
    unchanged: "That is how it is already. Nothing was changed.",
    effects: "What happens",
    changes: "What changes",
    warnings: "Warnings",
    /** @param {string} role */
    roleNeeded: (role) => `This needs the ${role} role.`,
    /** @param {string} detail @param {string | undefined} requestId */
    refused: (detail, requestId) => (requestId ? `${detail} (request ${requestId})` : detail),
    noPhones: "Phones poll this server’s feed and learn of the change at their next check.",
    missingSummary: "Something is missing above.",
    noDifference: "Nothing would change.",
    override: "Publish it all the same. The history will say so.",
  },
  conflict: {
    title: "Changed meanwhile",
    /** @param {string} actor @param {string} source @param {string} when @param {number} revision */
    who: (actor, source, when, revision) => `Changed by ${actor} (${source}) ${when}, revision ${revision}.`,
    unknown: (/** @type {number} */ revision) => `Somebody has changed it; it is at revision ${revision} now.`,
    base: "Base", theirs: "Theirs", yours: "Yours", field: "Field",
    baseHint: "when you began", theirsHint: "in force now", yoursHint: "your draft",
    useTheirs: "Use theirs", review: "Review mine again",
    whileOpen: "What you have written is untouched.",
    /** @param {number} revision */
    rebased: (revision) => `Now against revision ${revision}. Read the effects again before you publish.`,
  },
  block: {
    verb: "Block…",
    /** @param {string} target @param {string} environment */
    title: (target, environment) => `Block ${target}${environment ? ` in ${environment}` : ""}`,
    change: (/** @type {string} */ target, /** @type {string} */ environment) => `Change the block of ${target}${environment ? ` in ${environment}` : ""}`,
    message: "Message", messageHint: "Everyone sees this text instead of the app.", messageMissing: "Write what people should see.",
    chips: "Fill in", lastUsed: "Last used", maintenance: "Maintenance", sale: "Sale soon",
    maintenanceText: "We are doing some maintenance. Please come back in a little while.",
    saleText: "The sale is about to start. We open again in a moment.",
    retry: "Check again every", seconds: "seconds",
    /** @param {number} seconds */
    retryHint: (seconds) => `5 to 3600 seconds. A blocked phone returns at most ${counted(seconds, "second", "seconds")} after you open.`,
    retryHintPlain: "5 to 3600 seconds.",
    retryWrong: "Whole seconds from 5 to 3600.",
    /** @param {string} app @param {string} platform */
    effectAll: (app, platform) => `Everyone who opens ${app} on ${platformName(platform)}, in every version, sees:`,
    until: "Until", untilOpened: "I open it", untilTime: "a time…", untilAt: "The time", untilMissing: "Choose the time.",
    /** @param {number} minutes */
    untilFor: (minutes) => (minutes < 60 ? `for ${minutes} minutes` : `for ${counted(minutes / 60, "hour", "hours")}`),
    /** @param {string} local @param {string} utc @param {string} within */
    untilSaid: (local, utc, within) => `${local} = ${utc} · ${within}`,
    /** @param {string} said */
    effectUntil: (said) => `It opens by itself: ${said}.`,
    /** @param {number} polls */
    effectPolls: (polls) => `Its feeds were asked ${counted(polls, "time", "times")} in the last minute: that is how fast phones will learn it.`,
    effectInside: "Phones already inside learn it at their next check: at launch, or on return to the app.",
    /** @param {number} seconds */
    effectReturn: (seconds) => `After you open, apps that ask again by themselves return within ${counted(seconds, "second", "seconds")}, the others at their next launch.`,
    empty: "Your message will appear here.",
    otherLanguages: (/** @type {string} */ tags) => `There are texts in other languages too (${tags}); they stay as they are.`,
  },
  open: {
    verb: "Open…",
    title: (/** @type {string} */ target, /** @type {string} */ environment) => `Open ${target}${environment ? ` in ${environment}` : ""}`,
    intro: "The kill switch is lifted; people get in again.",
    who: (/** @type {string} */ actor, /** @type {string} */ when) => `Blocked by ${actor} ${when}.`,
    recent: (/** @type {string} */ actor, /** @type {string} */ when) => `Blocked by ${actor} only ${when}. They may still need it.`,
    reason: (/** @type {string} */ reason) => `Reason given: ${reason}`,
    message: "People see now:",
    stays: "This stays in force:",
    nothingStays: "Nothing else stays in force.",
    returning: (/** @type {number} */ seconds) => `Apps that ask again by themselves return within ${counted(seconds, "second", "seconds")}, the others at their next launch.`,
  },
  reach: {
    label: "Reach",
    none: "no poll since this revision",
    /** @param {number} polls @param {number | null} share */
    said: (polls, share) => `fetched by ${counted(polls, "poll", "polls")}${share === null ? "" : ` · ${Math.floor(share * 100)} % of the last minute’s polls have it`}`,
  },
  receipt: {
    region: "Last change",
    blocked: "Blocked", opened: "Opened", reverted: "Reverted", imported: "Imported", changed: "Changed",
    revision: (/** @type {number} */ revision) => `revision ${revision}`,
    saved: "saved", published: "feed published", publishing: "reading the feed back…", unpublished: "feed not read back", caches: "caches ≤ 2 s",
    undo: "Undo", link: "Copy link", gatectl: "Copy as gatectl", dismiss: "Dismiss", details: "Details",
    returning: (/** @type {number} */ seconds) => `Phones blocked meanwhile return within ${counted(seconds, "second", "seconds")}, or at the next launch of their app.`,
  },
  revert: {
    action: (/** @type {number} */ revision) => `Go back to revision ${revision}`,
    before: "Revert to before this…",
    title: (/** @type {string} */ target, /** @type {number} */ revision, /** @type {string} */ environment) => `Take ${target} back to revision ${revision}${environment ? ` in ${environment}` : ""}`,
    undoTitle: (/** @type {string} */ target, /** @type {string} */ environment) => `Undo the change of ${target}${environment ? ` in ${environment}` : ""}`,
    undo: "Undo",
    intro: (/** @type {number} */ revision) => `The gates of revision ${revision} are written as a new revision; the history keeps both. Compared with what is in force now:`,
    same: "That is what is in force now already.",
    gone: "This target does not exist any more.",
  },

  // History
  history: {
    title: "History", empty: "Nothing has been changed yet.", noMatch: "No change matches this filter.", more: "Show older", all: "All",
    fresh: (/** @type {number} */ count) => counted(count, "new change", "new changes"),
    app: "App", platform: "Platform", actor: "By", since: "Since", apply: "Apply", clear: "Clear", filters: "Filter the history",
    field: "Field", before: "Before", after: "After", kind: "Change",
    added: "Added", removed: "Removed", changed: "Changed",
    omitted: (/** @type {number} */ count) => `… and ${counted(count, "more target", "more targets")}`,
    changeTitle: (/** @type {number} */ sequence) => `Change ${sequence}`,
    json: "JSON", noReason: "no reason given", reason: "Reason", by: "By", source: "From", when: "When", request: "Request", revision: "Revision", next: "Later change", previous: "Earlier change",
    settings: "The settings were changed; no gate was.", nothing: "No gate was changed.",
    back: "All history", gone: "There is no change with this number.",
  },
  source: { dashboard: "dashboard", gatectl: "gatectl", api: "API", schedule: "schedule", expiry: "expiry" },
  /** What one change did, as a phrase about its target. */
  did: {
    create: "created", delete: "deleted", settings: "changed settings of", revert: "reverted", import: "imported a file into", apply: "applied a file to",
    blocked: "blocked", opened: "opened", changedBlock: "changed the block of",
    set: (/** @type {string} */ rule) => `set ${rule} on`,
    cleared: (/** @type {string} */ rule) => `cleared ${rule} on`,
    changed: (/** @type {string} */ rule) => `changed ${rule} on`,
    version: (/** @type {string} */ rule, /** @type {string} */ before, /** @type {string} */ after) => `${rule} ${before} → ${after} on`,
    nothing: "confirmed",
    ruleName: { killSwitch: "the kill switch", forceUpdate: "the forced update", requiredUpdate: "the minimum version", optionalUpdate: "the optional update", alert: "the alert" },
  },

  // Schedule
  schedule: {
    title: "Schedule", scheduled: "SCHEDULED", none: "Nothing is scheduled.", make: "Schedule a change…", past: "Past windows", showPast: "Show past windows", noPast: "No past windows.", ofTarget: "Schedule",
    said: (/** @type {string} */ there, /** @type {string} */ utc, /** @type {string} */ here, /** @type {string} */ within) => `${there}${utc === "UTC" ? " " : " = "}${utc}${here ? ` = ${here} for you` : ""} · ${within}`,
    from: (/** @type {string} */ from, /** @type {string} */ city) => `from ${from} ${city}`, span: (/** @type {string} */ from, /** @type {string} */ to, /** @type {string} */ city) => `${from} – ${to} ${city}`,
    state: { pending: "waits", running: "running", done: "done", missed: "MISSED", cancelled: "cancelled", failed: "FAILED" },
    what: { made: "made", started: "started", ended: "ended", missed: "missed", cancelled: "cancelled", failed: "failed", overtaken: "overtaken by another change" },
    does: {
      open: "open", clear: (/** @type {string} */ rule) => `clear ${rule}`, block: (/** @type {string} */ message) => `block “${message}”`, alert: (/** @type {string} */ message) => `alert “${message}”`,
      min: (/** @type {string} */ version) => `minimum version ${version}`, optional: (/** @type {string} */ version) => `suggest ${version}`, force: "force the update",
    },
    then: { open: "then open", restore: "then back to what was before" }, stays: "and stays",
    cancel: "Cancel this window…", cancelTitle: "Cancel the window", cancelText: "What it has done already stays; nothing more happens by itself.", run: "Run now…", runTitle: (/** @type {string} */ what, /** @type {string} */ target) => `Run now: ${what} on ${target}`, running: "Running…",
    missedHint: "The server was down when it was due. Nobody was kept out unasked; run it or cancel it.",
    edit: "Edit…", editTitle: (/** @type {number} */ id) => `Edit window ${id}`, replaces: (/** @type {number} */ id) => `Window ${id} is cancelled as soon as this one is made; until then the plan speaks of both.`,
    newTitle: "Schedule a change", target: "Target", action: "What happens", actions: { kill: "Block the app", alert: "Show an alert", min: "Raise the minimum version", optional: "Suggest an update" },
    start: "Start", end: "End", zone: "Time zone", ending: "At the end", endings: { open: "take the change away", restore: "go back to what was there before", none: "nothing: it stays" }, version: "Version",
    startMissing: "Choose when it starts.", endMissing: "Choose when it ends.", choose: "Choose", earlier: (/** @type {string} */ offset) => `the earlier one (UTC${offset})`, later: (/** @type {string} */ offset) => `the later one (UTC${offset})`,
    make2: (/** @type {string} */ target, /** @type {string} */ environment) => `Schedule it on ${target}${environment ? ` in ${environment}` : ""}`, making: "Scheduling…",
    uncertain: "No answer. It is not known whether the window was made; pressing again cannot make it twice.", made: "Scheduled.",
  },

  // First run
  first: {
    title: "Welcome to Gatehouse", intro: "Three steps to the first flip:",
    steps: ["Add an app and its platforms.", "Let the app poll its feed, or take over the file it polls today.", "Flip the kill switch here, and watch the feed obey."],
    add: "Add your first app", addHint: "For an app that does not poll anything yet, or that can poll a new address.",
    takeOver: "Take over the file you host today", takeOverHint: "For an app that polls a LaunchGate, Gandalf, Bellerophon or Prince of Versions file already. Its rules become gates; nothing changes for its users.",
    viewer: "There are no apps yet. An administrator can add one.",
  },

  notFound: { title: "Nothing here", text: "There is no page at this address. It may have been moved, or the app it was about is gone.", home: "Go to the overview" },
  failed: {
    title: "That did not work", noAnswer: "The server does not answer.", request: (/** @type {string} */ id) => `Request ${id}`,
  },
  keys: {
    title: "Keyboard", open: "Keyboard shortcuts", single: "Single keys work",
    hint: "No key publishes anything by itself, and none works while you are typing.",
    list: [
      ["/", "Filter the overview"], ["j  k", "Next and previous target"], ["Enter", "Open the target"], ["b", "Block…"], ["o", "Open…"],
      ["g o", "Go to the overview"], ["g h", "Go to the history"], ["g s", "Go to the schedule"], ["?", "This list"], ["Esc", "Close a dialog; the draft is kept"], ["Ctrl or ⌘ + Enter", "Publish a dialog that is complete"],
    ],
  },
  theme: { label: "Appearance", auto: "Auto", light: "Light", dark: "Dark" },
};
