// @ts-check
/** The visible strings of the schedule, and of the dialog that runs one of its windows now. */

export const scheduleStrings = {
  title: "Schedule", none: "Nothing is scheduled.", past: "Past windows", showPast: "Show past windows", noPast: "No past windows.",
  what: {
    made: "made", started: "started", ended: "ended", missed: "missed", cancelled: "cancelled", failed: "failed",
    overtaken: "overtaken by another change",
  },
  then: { open: "then open", restore: "then back to what was before" }, stays: "and stays",
  cancel: "Cancel this window…", 
  cancelTitle: (/** @type {string} */ targets) => `Cancel the window of ${targets}`,
  cancelText: "What it has done already stays; nothing more happens by itself.", run: "Run now…",
  runTitle: (/** @type {string} */ what, /** @type {string} */ target) => `Run now: ${what} on ${target}`, running: "Running…",
  runName: (/** @type {string} */ targets) => `Run now on ${targets}`,
  missedHint: "The server was down when it was due. Nobody was kept out unasked; run it or cancel it.",
  edit: "Edit…", duplicate: "Duplicate…",
  editOf: (/** @type {string} */ targets) => `Edit… the window of ${targets}`,
  duplicateOf: (/** @type {string} */ targets) => `Duplicate… the window of ${targets}`,
  failedHint: "It could not be carried out, and nothing more is done by it. See what stands now, and make it once more where it is meant.",
  uncertain: "No answer. It is not known whether the window was made; pressing again cannot make it twice.",
};
