// @ts-check
/** The visible strings of taking over a file in the app's own shape. */

import { platformName } from "./shared.js";

/**
 * The names of the gate's values; the keys are the server's words for them.
 * @type {Record<string, string>}
 */
const words = {
  kill: "Kill switch", force: "Forced update", required: "Required update", optional: "Optional update", alert: "Alert",
  "kill.message": "Text of the kill switch", "force.message": "Text of the forced update",
  "required.message": "Text of the required update",
  "optional.message": "Text of the optional update", "alert.message": "Text of the alert",
  "required.minimumVersion": "Minimum version", "optional.optionalVersion": "Newest version, offered",
  "alert.blocking": "Alert that nobody gets past", retryInterval: "Seconds until phones ask again", storeURL: "Address of the store",
};

export const takeoverStrings = {
  title: "What its values mean",
  intro: "Not a library’s file: it becomes a feed in its own shape. Press a value to say what it means; all others stay as they are.",
  name: "Name of the feed", nameHint: "The last part of its address.",
  constant: "Stays as it is",
  switches: "On and off", texts: "Texts", versions: "Versions", others: "Others",
  /** @param {string} word @param {string} [when] the value with which it is on */
  word: (word, when) => `${words[word] ?? word}${when === undefined ? "" : `, on when ${when}`}`,
  /** @param {string} word @param {string} language */
  inLanguage: (word, language) => `${words[word] ?? word} in ${language}`,
  /** @param {string} word @param {string} platform */
  ofPlatform: (word, platform) => `${platformName(platform)}: ${word}`,
  /** @param {string} name @param {string} value @param {string} meaning */
  press: (name, value, meaning) => `${name}: ${value}. ${meaning}. Change what it means`,
  /** @param {string} name */
  choose: (name) => `What ${name} means`,
  proof: "What phones get",
  match: {
    identical: "The feed is the file, byte for byte.",
    equal: "The feed says what the file says, but is spelled differently.",
    different: "The feed differs from the file:",
  },
  /** @param {string} platform @param {boolean} killed */
  flip: (platform, killed) => (killed ? `Once ${platformName(platform)} is blocked` : `Once ${platformName(platform)} is opened`),
  unmoved: "The feed stays as it is: it says nothing about the kill switch.",
  place: "Place", file: "The file", feed: "The feed", before: "Now", after: "Then", nothing: "–",
  /** @param {number} count */
  more: (count) => `And ${count} more ${count === 1 ? "place" : "places"}.`,
  document: "The document",
};
