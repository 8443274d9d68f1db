// @ts-check
/** The visible strings of the form that schedules a change. */

export const newWindowStrings = {
  title: "Schedule a change", editTitle: (/** @type {number} */ id) => `Edit window ${id}`,
  /** @param {number} id */
  replaces: (id) => `Window ${id} is cancelled as soon as this one is made; until then the plan speaks of both.`,
  target: "Target", action: "What happens",
  actions: { kill: "Block the app", alert: "Show an alert", min: "Raise the minimum version", optional: "Suggest an update" },
  start: "Start", end: "End", zone: "Time zone", ending: "At the end",
  endings: { open: "take the change away", restore: "go back to what was there before", none: "nothing: it stays" }, version: "Version",
  startMissing: "Choose when it starts.", endMissing: "Choose when it ends.", choose: "Choose",
  earlier: (/** @type {string} */ offset) => `the earlier one (UTC${offset})`,
  later: (/** @type {string} */ offset) => `the later one (UTC${offset})`,
  /** @param {string} target @param {string} environment */
  make: (target, environment) => `Schedule it on ${target}${environment ? ` in ${environment}` : ""}`, making: "Scheduling…",
  made: "Scheduled.",
};
