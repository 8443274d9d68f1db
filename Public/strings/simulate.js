// @ts-check
/** The visible strings of the screen that says what phones show, by version and library. */
import { counted } from "./shared.js";

export const simulateStrings = {
  title: "Simulate", lead: "What phones show, by app version and client library. Nothing is changed.",
  form: "What to simulate", target: "Target", versions: "Versions",
  versionsHint: "Separated by commas. Empty: those that matter.",
  proposed: "Versions that matter", add: (/** @type {string} */ version) => `Version ${version}`,
  moment: "Moment", moments: { now: "Now", at: "At a time", revision: "With a revision" },
  at: "Time, past or future", revision: "Revision",
  people: "Phones", fresh: "First time", seen: "Seen before",
  feed: "Feed", feeds: { both: "Both", everybody: "For everybody", version: "With version" },
  result: "What phones show", empty: "There is no app yet.",
  /** @type {Record<"now" | "future" | "past" | "revision", (time: string, revision: number) => string>} */
  when: {
    now: () => "now", future: (time) => `at ${time}, as the clock will have it`, past: (time) => `at ${time}`,
    revision: (time, revision) => `with revision ${revision}, from ${time} on`,
  },
  noRules: "no rule in force", draft: "With a draft that is not in force", withoutDraft: "Look without the draft",
  change: "Change", by: "By", reason: "Reason", since: "In force since", until: "Until", stillInForce: "still in force",
  changeOf: (/** @type {number} */ sequence) => `Change ${sequence}`, revisionName: "Revision",
  version: "Version", meant: "Meant",
  /** The outcome for the person with the phone; states have the same words as on the overview. */
  outcome: {
    blocked: "BLOCKED", updateRequired: "UPDATE", updateOffered: "OFFERED", notice: "NOTICE", open: "OPEN", failed: "NOT USED",
    broken: "BROKEN",
  },
  everybody: "for everybody", asked: "with version", differs: "not as meant",
  legend: "Press a cell to see its reason.",
  wrong: "Not as meant", allMeant: "Everything is shown as it is meant.",
  /** @type {Record<"letsIn" | "shutsOut" | "differs", string>} */
  deviation: {
    letsIn: "let in, but meant to be kept out", shutsOut: "kept out, but meant to get in", differs: "shown something other than is meant",
  },
  cell: (/** @type {string} */ library, /** @type {string} */ version) => `${library}, version ${version}`,
  feedEverybody: "The feed for everybody", feedAsked: "The feed requested with the version",
  notShown: "Not shown:", versionsAlike: (/** @type {string[]} */ list) =>
    (list.length <= 4 ? list.join(", ") : `${list.slice(0, 4).join(", ")} and ${counted(list.length - 4, "more", "more")}`),
  link: "Copy link", closeReason: "Close the reason", skipped: "Clocks skip this time here; choose another.",
  noTime: "Choose the time.", noRevision: "A whole number from 1.",
};
