// @ts-check
/** The visible strings of the overview, its rows, and what stands there before the first app. */
import { counted } from "./shared.js";

/** @param {number} count */
const targets = (count) => counted(count, "target", "targets");

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
  /** @param {number} missed @param {number} failed */
  trouble: (missed, failed) => [
    missed > 0
      ? `${counted(missed, "scheduled window was MISSED and waits", "scheduled windows were MISSED and wait")} for you`
      : "",
    failed > 0 ? `${counted(failed, "scheduled window", "scheduled windows")} FAILED` : "",
  ].filter(Boolean).join(" · "),
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
