// @ts-check
/** The visible strings of the dialogs that block, open and revert, which can open over any screen, and of the receipt. */
import { counted, inEnvironment, platformName } from "./shared.js";

export const dialogStrings = {
  /** Refusals that the server words for programs; `remedy` and `step` are what it adds for them. */
  refusal: {
    ambiguous_time: (/** @type {string} */ zone) =>
      `Clocks in ${zone} show this time twice that night, because they are put back. Choose which one is meant.`,
    skipped_time: (/** @type {string} */ zone) =>
      `Clocks in ${zone} never show this time: they are put forward over it. Choose one of the nearest times.`,
    /** @param {string} status such as `HTTP 413` */
    between: (status) => `Not the server, but something on the way to it, such as a proxy, refused this (${status}).${
      status.endsWith(" 413") ? " It lets nothing through that is as large as this." : ""}`,
    remedy: / (To publish it all the same, accept "[a-z_]+"|Leave it out, or accept "[a-z_]+" if that is what you want)\.$/,
    step: /say "step": "end"\.$/, endNow: "press “End now” beside it in the schedule.",
  },
  unsettled: "Not confirmed: no answer came, and the change may still be made. If it is, this page will say so. You can publish again.",
  documents: (/** @type {number} */ count) => `What ${counted(count, "document", "documents")} in your own shape will say`,
  conflict: {
    title: "Changed meanwhile",
    /** @param {string} actor @param {string} source @param {string} when @param {number} revision */
    who: (actor, source, when, revision) => `Changed by ${actor} (${source}) ${when}, revision ${revision}.`,
    unknown: (/** @type {number} */ revision) => `Somebody has changed it; it is at revision ${revision} now.`,
    /** @param {string} target @param {string} who */
    notSeen: (target, who) => `${target}: ${who} That was not on your screen yet when you pressed.`,
    base: "Base", theirs: "Theirs", yours: "Yours", field: "Field",
    baseHint: "when you began", theirsHint: "in force now", yoursHint: "your draft",
    useTheirs: "Use theirs", review: "Review mine again",
    reviewed: "Theirs → yours", unchanged: "Yours would change nothing that is in force now.",
    /** @param {string} target @param {string} said */
    opensItself: (target, said) => `The block of ${target} that is in force has no end. This makes it open by itself: ${said}.`,
    /** @param {string} target @param {string} said @param {string} before */
    opensOtherwise: (target, said, before) => `The block of ${target} opens by itself at another time: ${said}, no longer ${before}.`,
    /** @param {string} target @param {string} before */
    staysShut: (target, before) => `The block of ${target} opens by itself ${before}. After this it stays until somebody opens it.`,
    /** @param {string} target @param {string} when */
    leftShut: (target, when) =>
      `A window puts back the block of ${target} that was there before: ${when}. After this it does not, and leaves the changed one.`,
    whileOpen: "What you have written is untouched.",
    rebased: "Everything was planned again; read it again before you publish.",
  },
  draft: {
    back: "What you wrote here before is filled in.", afresh: "Start afresh",
    onto: "What you wrote here before is filled in; everything you had not touched is as it is now.",
  },
  block: {
    ask: (/** @type {string} */ target) => `Block ${target}…`,
    /** @param {string} target @param {string} environment */
    title: (target, environment) => inEnvironment(`Block ${target}`, environment),
    /** @param {string} target @param {string} environment */
    change: (target, environment) => inEnvironment(`Change the block of ${target}`, environment),
    message: "Message", messageHint: "Everyone sees this text instead of the app.", messageMissing: "Write what people should see.",
    chips: "Fill in", lastUsed: "Last used", maintenance: "Maintenance", sale: "Sale soon",
    maintenanceText: "We are doing some maintenance. Please come back in a little while.",
    saleText: "The sale is about to start. We open again in a moment.",
    retry: "Check again every",
    retryHintPlain: "5 to 3600 seconds.",
    retryWrong: "Whole seconds from 5 to 3600.",
    /** @param {string} app @param {string} platform */
    effectAll: (app, platform) => `Everyone who opens ${app} on ${platformName(platform)}, in every version, sees:`,
    until: "Until", untilOpened: "somebody opens it", untilTime: "a time…", untilAt: "The time", untilMissing: "Choose the time.",
    untilWrong: "That is not a valid time. A year has four digits.",
    untilSkipped: "This time does not exist: the clocks are put forward over it. Choose another one.",
    untilTwice: "This time comes twice, because the clocks are put back. Choose one of the two.", untilWhich: "Which one",
    untilFold: {
      earlier: (/** @type {string} */ offset) => `the earlier one (${offset})`,
      later: (/** @type {string} */ offset) => `the later one (${offset})`,
    },
    /** @param {number} minutes */
    untilFor: (minutes) => (minutes < 60 ? `for ${minutes} minutes` : `for ${counted(minutes / 60, "hour", "hours")}`),
    /** @param {string} time @param {number} window */
    byWindow: (time, window) => `Opens by itself ${time} (window ${window}). After this change it does so because of the time above, `
      + "no longer because of the window.",
    /** @param {string} said */
    effectUntil: (said) => `It opens by itself: ${said}.`,
    /** @param {number} polls */
    effectPolls: (polls) =>
      `Its feeds were polled ${counted(polls, "time", "times")} in the last minute: that is how fast phones will learn of it.`,
    /** @param {import("../documents.js").PollLoad} load */
    load: ({ phones, pollsPerSecond, slower }) =>
      `Up to ${counted(phones, "phone", "phones")} that asked here in the last minute will ask again while they are blocked: `
      + `about ${counted(pollsPerSecond, "poll", "polls")} a second`
      + `${slower ? `; with ${slower.retryInterval} seconds between two polls about ${slower.pollsPerSecond}` : ""}. `
      + "What caches in front answer is not counted.",
    effectInside: "Phones already inside learn it at their next check: at launch, or on return to the app.",
    /** @param {number} seconds */
    effectReturn: (seconds) =>
      `After you open, apps that ask again by themselves return within ${counted(seconds, "second", "seconds")}, `
      + "the others at their next launch.",
    goOn: "Go on letting people in gradually",
    shutsOutAgain: "It is opening gradually. With this, everybody who was let in so far is shut out again.",
    empty: "Your message will appear here.",
    otherLanguages: (/** @type {string} */ tags) => `There are texts in other languages too (${tags}); they stay as they are.`,
  },
  open: {
    verb: "Open…", ask: (/** @type {string} */ target) => `Open ${target}…`,
    /** @param {string} target @param {string} environment */
    title: (target, environment) => inEnvironment(`Open ${target}`, environment),
    intro: "The kill switch is lifted.", already: "Somebody has opened it meanwhile. There is no block left to lift.",
    who: (/** @type {string} */ actor, /** @type {string} */ when) => `Blocked by ${actor} ${when}.`,
    recent: (/** @type {string} */ actor, /** @type {string} */ when) => `Blocked by ${actor} only ${when}. They may still need it.`,
    /** Used while it is not known who blocked it. */
    last: (/** @type {string} */ actor, /** @type {string} */ when) => `Last change by ${actor} ${when}.`,
    unknown: "The history does not say who blocked it.",
    reason: (/** @type {string} */ reason) => `Reason given: ${reason}`,
    message: "People see now:",
    /** For a window that blocks again later; the warning above says so. */
    cancelToo: (/** @type {string} */ window) => `Cancel it too: ${window}…`,
    moreWindows: (/** @type {number} */ count) => `${count} more in the schedule`,
    stays: "This stays in force:",
    letIn: "Let people in", atOnce: "all at once",
    /** @param {number} minutes */
    over: (minutes) => `gradually, over ${minutes < 60 ? counted(minutes, "minute", "minutes") : counted(minutes / 60, "hour", "hours")}`,
    letInHint: "“Gradually” keeps all phones from returning in the same second. Opening or blocking ends it at once.",
    nothingStays: "Nothing else stays in force: people get in again.",
    /** @param {number} seconds */
    returning: (seconds) =>
      `Apps that ask again by themselves return within ${counted(seconds, "second", "seconds")}, the others at their next launch.`,
  },
  many: {
    /** @param {number} count @param {string} environment */
    block: (count, environment) => inEnvironment(`Block ${counted(count, "target", "targets")}`, environment),
    /** @param {number} count @param {string} environment */
    open: (count, environment) => inEnvironment(`Open ${counted(count, "target", "targets")}`, environment),
    /** @param {number} count @param {string} environment */
    undo: (count, environment) => inEnvironment(`Undo the change of ${counted(count, "target", "targets")}`, environment),
    gone: (/** @type {string} */ targets) => `${targets}: no longer there, so nothing is taken back there.`,
    openIntro: "Their kill switches are lifted together. What else is in force there stays.",
    undoIntro: "What the change touched is written back as it was before. Other gates stay as they are now.",
    you: "you",
    blockedBy: (/** @type {string} */ actor, /** @type {string} */ when) => `, blocked by ${actor} ${when}:`,
    last: (/** @type {string} */ actor, /** @type {string} */ when) => `, last change by ${actor} ${when}:`,
    unknown: ", and the history does not say who blocked it:",
    /** @param {string} target @param {string} who */
    renewed: (target, who) => `${target} has moved: ${who} Everything was planned again; read it again before you publish.`,
  },
  revert: {
    /** @param {string} target @param {number} revision @param {string} environment */
    title: (target, revision, environment) => inEnvironment(`Take ${target} back to revision ${revision}`, environment),
    /** @param {string} target @param {string} environment */
    undoTitle: (target, environment) => inEnvironment(`Undo the change of ${target}`, environment),
    /** @param {number} revision */
    intro: (revision) =>
      `The gates of revision ${revision} are written as a new revision; the history keeps both. Compared with what is in force now:`,
  },
  reach: {
    label: "Reach", bar: "Share of the last minute’s polls",
    none: "no poll since this revision",
    /** @param {number} polls @param {number | null} share */
    said: (polls, share) => {
      const part = share === null ? "" : ` · ${Math.floor(share * 100)} % of the last minute’s polls have it`;
      return `fetched by ${counted(polls, "poll", "polls")}${part}`;
    },
  },
  receipt: {
    region: "Last change",
    /** @param {string[]} names @param {number} omitted */
    targets: (names, omitted) => (names.length + omitted === 1 ? names[0] : counted(names.length + omitted, "target", "targets")),
    blocked: "Blocked", opened: "Opened", opening: "Began opening",
    reverted: "Reverted", imported: "Imported", deleted: "Deleted", changed: "Changed",
    saved: "saved", published: "feed published", publishing: "reading the feed back…", unpublished: "feed not read back",
    caches: "caches ≤ 2 s",
    undo: "Undo", link: "Copy link", dismiss: "Dismiss", told: (/** @type {string} */ what) => `“${what}”`,
    /** @param {string} actor empty if not known @param {string} state */
    since: (actor, state) => `since changed${actor ? ` by ${actor}` : ""}, now ${state}`,
    gone: "no longer there",
    /** @param {number} changed @param {number} gone */
    someSince: (changed, gone) => (changed > 0
      ? `${changed} of them since changed${gone > 0 ? `, ${gone} no longer there` : ""}`
      : `${gone} of them no longer there`),
    changeOf: (/** @type {string} */ targets) => `the change of ${targets}`,
    ofChange: (/** @type {string} */ targets) => `of the change of ${targets}`,
    /** @param {number} seconds */
    returning: (seconds) =>
      `Phones blocked meanwhile return within ${counted(seconds, "second", "seconds")}, or at the next launch of their app.`,
    /** For an opening that was gradual, and had let in a part of them. */
    shutsOutAgain: "Those who were let in are shut out again.",
  },
};
