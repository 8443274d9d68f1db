// @ts-check
/** The visible strings of the schedule, and of the dialog that runs one of its windows now. */

import { counted, inEnvironment, listed, strings } from "./shared.js";

export const scheduleStrings = {
  title: "Schedule", none: "Nothing is scheduled.", past: "Past windows", showPast: "Show past windows", noPast: "No past windows.",
  older: "Show older windows",
  what: {
    made: "made", started: "started", ended: "ended", missed: "missed", cancelled: "cancelled", failed: "failed",
    edited: "edited", overtaken: "overtaken by another change",
  },
  /** For an event that happened several times in a row; only the last one is shown. */
  often: (/** @type {number} */ times) => times > 1 ? ` ${times} times, the last time` : "",
  /**
   * @param {"open" | "restore"} then
   * @param {import("../documents.js").RuleName[]} taken what is taken away with `open`; empty where that lets people in
   * @param {boolean} isAltered somebody has changed by hand what it did
   */
  thenSaid: (then, taken, isAltered) => {
    const opens = taken.length === 0
      ? "open" : `${listed(taken.map((rule) => strings.did.ruleName[rule]))} ${taken.length === 1 ? "is" : "are"} taken away`;
    return `then ${then === "open" ? opens : "back to what was before"}${isAltered ? ", except for what was changed by hand" : ""}`;
  },
  stays: "when somebody takes it away",
  events: (/** @type {number} */ count) => counted(count, "step so far", "steps so far"),
  /** @param {string} more @param {string} window */
  moreOf: (more, window) => `${more} of the window of ${window}`,
  eventsOf: (/** @type {string} */ window) => `Steps so far of the window of ${window}`,
  times: {
    begins: "Begins", began: "Began", wasToBegin: "Was to begin", ends: "Ends", ended: "Ended", wasToEnd: "Was to end",
    planned: (/** @type {string} */ time) => ` · planned for ${time}`,
    /** For a window that will not run as things stand. */
    ifAtAll: { begins: "Would begin", ends: "Would end" },
  },
  cancel: "Cancel this window…",
  /** The start tells two windows of the same target apart. */
  window: (/** @type {string} */ targets, /** @type {string} */ start) => `${targets}, ${start}`,
  /** @param {string} window @param {string} environment */
  cancelTitle: (window, environment) => inEnvironment(`Cancel the window of ${window}`, environment),
  /** Beside “Cancel the window”, “Cancel” would say neither. */
  stay: "Keep it",
  detailsOf: (/** @type {string} */ what, /** @type {string} */ window) => `Details: ${what}, the window of ${window}`,
  cancelText: "It has changed nothing yet, and will not.", run: "Run now…",
  /** For one that has started. */
  cancelBegunText: "What it has done already stays; nothing more happens by itself.",
  /** @param {string} what @param {string} targets @param {string} environment */
  runTitle: (what, targets, environment) => inEnvironment(`Run now: ${what} on ${targets}`, environment),
  running: "Running…",
  /** @param {string} targets @param {string} environment */
  runName: (targets, environment) => inEnvironment(`Run now on ${targets}`, environment),
  failsHint: "Somebody has changed its rules by hand. At its start it would find that, and do nothing at all. "
    + "If you still want it, edit it and save it again; otherwise cancel it.",
  partHint: "The rest was refused at its start, and is not tried again; the steps below say why. "
    + "If you still want it there, set it by hand; the window’s end then leaves it.",
  alteredHint: "What somebody has changed by hand is not the window’s any more: its end leaves that as it is. If it keeps people out and "
    + "has no end of its own, somebody has to take it away.",
  /** @param {number} count @param {boolean} isCut for somebody who may see all targets: they only did not fit */
  omitted: (count, isCut) => `It has ${counted(count, "more target", "more targets")} ${isCut
    ? "than fit here." : "of apps that you do not have. Only somebody who may change all of them can change the window."}`,
  missedHint: "The server was down when it was due. Nobody was kept out without asking you; run it or cancel it.",
  /** For one that has started. */
  missedEndHint: "The server was down when it was to end. That would keep people out now, so it waits for you, and what it put there "
    + "stays: run it or cancel it.",
  renewed: (/** @type {string} */ actor) => `Changed meanwhile by ${actor}. It was planned again; it is now:`,
  overtakenBy: (/** @type {string} */ actor) => `It is no longer waiting, because of ${actor}. It is now:`,
  begun: "It has started meanwhile: there is nothing left to run here.",
  cancelRenewed: (/** @type {string} */ actor) => `Changed meanwhile by ${actor}. Press again to cancel it as it is now:`,
  edit: "Edit…", duplicate: "Duplicate…",
  editOf: (/** @type {string} */ window) => `Edit… the window of ${window}`,
  duplicateOf: (/** @type {string} */ window) => `Duplicate… the window of ${window}`,
  failedHint: "It could not be carried out as a whole, and will do nothing more. See what is in force now, and make it again "
    + "if you still want it.",
  /** For a running window: its targets, its end, and what each action makes of that. */
  ongoing: {
    /** @param {string} targets @param {string} time @param {boolean} isBlock */
    end: (targets, time, isBlock) => `End now: ${isBlock ? "open " : ""}${targets} (was to end ${time})`,
    extend: (/** @type {string} */ targets, /** @type {string} */ time) => `Extend ${targets} past ${time}`,
    /** @param {string} targets @param {string} time @param {boolean} isBlock */
    keep: (targets, time, isBlock) =>
      (isBlock ? `Keep ${targets} blocked (do not reopen ${time})` : `Keep it on ${targets} (do not end ${time})`),
    more: (/** @type {string} */ name) => `${name}…`,
    /** @param {string} time @param {string} what */
    endText: (time, what) => `The window was to end ${time}, ${what}. That is done at once, and the window is over.`,
    /** @param {string} targets @param {string} time @param {boolean} isBlock */
    keepText: (targets, time, isBlock) => (isBlock
      ? `${targets} no longer opens by itself (${time}): nobody gets in until somebody opens it. The window is over.`
      : `What is in force on ${targets} no longer ends by itself (${time}): it stays until somebody takes it away. The window is over.`),
    keepNothing: "All that it did is as somebody has left it by hand, and stays so. The window is over.",
    /** What is told elsewhere, as a sentence. */
    altered: (/** @type {string} */ said) => `${said[0].toUpperCase()}${said.slice(1)}.`,
    /** @param {string} before @param {string} after @param {string} length */
    extendText: (before, after, length) => `It was to end ${before}; it ends ${after}. That is ${length}.`,
    longer: (/** @type {string} */ length) => `${length} longer`, shorter: (/** @type {string} */ length) => `${length} shorter`,
    newEnd: "New end", add: "Add", working: "Saving…",
    extendTo: (/** @type {string} */ targets, /** @type {string} */ time) => `Extend ${targets} to ${time}`,
  },
  uncertain: "No answer. It is not known whether the schedule has it. Press again: the same is sent once more, and cannot be made twice. "
    + "Until the server answers, nothing here can be changed.",
};
