// @ts-check
/** The visible strings of rehearsals: gates that are tried on a real phone. */
import { counted } from "./shared.js";

export const rehearsalStrings = {
  title: "Rehearsals", shown: "The rehearsal",
  intro: "A rehearsal shows a gate to phones that poll its own addresses, while all others get what is in force. "
    + "Build the app with one of them instead of its feed’s. Whoever knows an address can read it; after the rehearsal it answers 404.",
  none: "Nothing is rehearsed at the moment. Begin one with “Try on a phone” beside any preview.",
  of: (/** @type {string} */ target) => `Rehearsal of ${target}`,
  /** @param {string} target */
  try: (target) => `Try on a phone: ${target}`,
  tryShort: "Try on a phone…", send: "Show this to the phone too",
  begun: "The rehearsal runs for two hours:", sent: "The phone has it with its next poll.", open: "addresses and polls",
  incomplete: "Finish the draft first.",
  gone: "There is no such rehearsal, or not any more.", ended: "This rehearsal has ended. Its addresses answer 404.",
  goesOn: (/** @type {string} */ said) => `It goes on until ${said}.`,
  back: "All rehearsals",
  until: "Until", by: "By", polls: "Polls", gate: "What is tried", nothing: "Nothing: everybody may use the app.",
  address: "Address", which: "Which feed", code: "QR code of the address",
  unsigned: "Feeds of a rehearsal are not signed: an app that knows a key refuses its gate.json.",
  pollsTitle: "Polls as they come",
  noPolls: "No phone has asked yet. It appears here within a second.",
  count: (/** @type {number} */ count) => counted(count, "poll", "polls"),
  last: (/** @type {number} */ count) => `The last ${count} of them:`,
  columns: { at: "When", feed: "Feed", version: "Version", answer: "Answer", client: "Client" },
  noVersion: "not given", fresh: "new", unchanged: "as before",
  longer: "Run until two hours from now", end: "End the rehearsal",
  endTitle: (/** @type {string} */ target) => `End the rehearsal of ${target}`,
  endText: "Its addresses answer 404 from now on. A phone that polls them keeps what it was shown last.",
};
