// @ts-check
/** The visible strings of the form that schedules a change. */

import { counted, inEnvironment } from "./shared.js";

export const newWindowStrings = {
  title: "Schedule a change", editTitle: (/** @type {number | string} */ id) => `Edit window ${id}`,
  /** @param {number} id */
  replaces: (id) => `Window ${id} is replaced as a whole when you save; until then it stands as it is.`,
  changedBy: (/** @type {string} */ actor) => `Changed meanwhile by ${actor}. Your draft is untouched, and would replace what it is now:`,
  besides: (/** @type {string} */ actor) => `The schedule has changed meanwhile, by ${actor}. Everything was planned again:`,
  gone: (/** @type {number} */ id) => `Window ${id} is no longer waiting. Everything was planned again.`,
  /** @param {string} targets @param {string} environment */
  save: (targets, environment) => inEnvironment(`Save the window${targets ? ` of ${targets}` : ""}`, environment),
  /** @param {number} id @param {string} day */
  copied: (id, day) => `A copy of window ${id}, moved to ${day}. Window ${id} stays as it is.`,
  /** @param {string} id */
  notHere: (id) => `Window ${id} is no longer waiting, or has more in it than this form can show; it is left as it is.`,
  nothingLeft: "So there is nothing left to save here. What you wrote stays on this page until you leave it.",
  targets: "Targets", app: "App", chooseApp: "Choose an app", platforms: "Platforms", moreApps: "Add another app", lessApps: "Leave out",
  noTargets: "There is no app yet whose gates a window could change.",
  targetsMissing: "Choose an app, and tick at least one platform of it.",
  sameNow: "The same is in force there now. This compares with now, not with the start.",
  action: "What happens",
  actions: { kill: "Block the app", alert: "Show an alert", min: "Raise the minimum version", optional: "Suggest an update" },
  messageIn: (/** @type {string} */ language, /** @type {string} */ tag) => `Message in ${language} (${tag})`,
  retryHint: "5 to 3600. Empty: as set for each platform.",
  storeChecked: (/** @type {string} */ version) =>
    `${version ? `Version ${version} or newer` : "That version or a newer one"} can be downloaded from the store by then`,
  kept: "What you wrote here before is filled in.", afresh: "Start afresh",
  when: "When", presets: "Fill in the times", tonight: "Tonight", today: "Today", tomorrow: "Tomorrow",
  /** @param {string} from @param {string} to */
  preset: (from, to) => `${from} → ${to}`,
  start: "Start", end: "End", zone: "Time zone", zoneHint: "Type a city, such as Berlin or New York.",
  zoneUnknown: "No zone of that name is known. Type a city, such as Berlin; an abbreviation can mean several zones.",
  zoneUnclear: (/** @type {string[]} */ zones) =>
    `Several zones fit: ${zones.slice(0, 5).join(", ")}${zones.length > 5 ? " and others" : ""}. Type more of the name.`,
  offset: (/** @type {string} */ offset) => `${offset} at that time`, offsetNow: (/** @type {string} */ offset) => `${offset} now`,
  /** @param {string} start @param {string} end */
  offsets: (start, end) => `${start} at the start, ${end} at the end: its clocks change in between`,
  /** @param {number} minutes */
  length: (minutes) => {
    const [days, hours, rest] = minutes < 2880
      ? [0, Math.floor(minutes / 60), minutes % 60]
      : [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60), minutes % 60];
    return [[days, "day"], [hours, "hour"], [rest, "minute"]]
      .flatMap(([count, unit]) => (count ? [counted(Number(count), String(unit), `${unit}s`)] : []))
      .join(" ");
  },
  /** @param {string} length */
  long: (length) => `${length}: nobody gets in for all that time. Make sure that is meant.`,
  none: "no time", endless: "Nobody gets in until somebody opens it. Make sure that is meant.",
  backwards: "The end is before the start.",
  /** @param {string} start @param {string} end */
  strip: (start, end) => (end ? `${start} – ${end}` : `from ${start}`),
  shownOn: "Shown on", preview: "While it runs",
  ending: "At the end",
  endings: { open: "take the change away", restore: "go back to what was there before", none: "nothing: it stays" }, version: "Version",
  startMissing: "Choose when it starts.", endMissing: "Choose when it ends.", choose: "Choose",
  earlier: (/** @type {string} */ offset) => `the earlier one (UTC${offset.replace("-", "−")})`,
  later: (/** @type {string} */ offset) => `the later one (UTC${offset.replace("-", "−")})`,
  /** @param {string} targets empty while none is chosen @param {string} environment */
  make: (targets, environment) => inEnvironment(`Schedule it${targets ? ` on ${targets}` : ""}`, environment),
  making: "Scheduling…",
  /** @param {string} targets @param {string} span */
  scheduled: (targets, span) => `Scheduled: ${targets}, ${span}.`,
};
