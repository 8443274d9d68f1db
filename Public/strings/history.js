// @ts-check
/** The visible strings of the history and of its lines. */
import { counted } from "./shared.js";

export const historyStrings = {
  title: "History", empty: "Nothing has been changed yet.", noMatch: "No change matches this filter.", more: "Show older", all: "All",
  fresh: (/** @type {number} */ count) => counted(count, "new change", "new changes"), perhapsFresh: "Look for new changes",
  app: "App", platform: "Platform", actor: "By", since: "Since",
  sinceWrong: "That is not a valid date. A year has four digits.", filters: "Filter the history",
  apply: "Apply the filter", clear: "Clear the filter",
  moreValues: (/** @type {number} */ count) => `and ${counted(count, "more value", "more values")}`,
  moreTargets: (/** @type {number} */ count) => `and ${counted(count, "more target", "more targets")}`,
  omitted: (/** @type {number} */ count) => `… and ${counted(count, "more target", "more targets")}`,
};
