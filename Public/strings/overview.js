// @ts-check
/** The visible strings of the overview, its rows, and what stands there before the first app. */
import { counted } from "./shared.js";

export const overviewStrings = {
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
  killSwitch: "Kill switch",
  noGates: "no gates",
  /** @param {string} when */
  lastChange: (when) => `last change ${when}`,
  /** @param {string} time */
  opensItself: (time) => `opens by itself ${time}`,
  stillNeeded: "Still needed?",
  alsoSet: "Also set:",

  // First run
  first: {
    title: "Welcome to Gatehouse", intro: "Three steps to the first flip:",
    steps: [
      "Add an app and its platforms.", "Let the app poll its feed, or take over the file it polls today.",
      "Flip the kill switch here, and watch the feed obey.",
    ],
    add: "Add your first app", addHint: "For an app that does not poll anything yet, or that can poll a new address.",
    takeOver: "Take over the file you host today",
    takeOverHint: "For an app that polls a LaunchGate, Gandalf, Bellerophon or Prince of Versions file already. "
      + "Its rules become gates; nothing changes for its users.",
    viewer: "There are no apps yet. An administrator can add one.",
  },
};
