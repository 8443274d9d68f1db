// @ts-check
/** The visible strings of the first minutes: before the first app, and until its first poll. */
import { platformName, strings } from "./shared.js";

export const firstRunStrings = {
  title: "Welcome to Gatehouse",
  intro: "Three steps to the first flip. The first is here:",
  steps: [
    "Add an app and its platforms.", "Let the app poll its feed. This page waits for the first poll and says when it comes.",
    "Flip the kill switch here, and watch the feed obey.",
  ],
  add: "Add your first app", addHint: "For an app that does not poll anything yet, or that can poll a new address.",
  takeOver: "Take over the file you host today",
  takeOverHint: "For an app that polls a LaunchGate, Gandalf, Bellerophon or Prince of Versions file already. "
    + "Its rules become gates; nothing changes for its users.",
  viewer: "There are no apps yet. An administrator can add one.",

  // Until the first poll
  /** @param {string} app */
  next: (app) => `Next: let ${app} poll its feed`,
  /** @param {{ platform: string, state: import("../documents.js").State }[]} targets */
  nextHint: (targets) => `Paste this where the app starts, and run it once. ${targets.every(({ state }) => state === "open")
    ? "Nobody is blocked: the feed says “open”."
    : `The feed says what is in force: ${targets.map(({ platform, state }) =>
      `${platformName(platform)} ${strings.stateWord[state]}`).join(", ")}.`}`,
  libraryOf: (/** @type {string} */ platform) => `Library in the app on ${platformName(platform)}`,
  own: "My own code",
  ownCode: (/** @type {string} */ address) => `# the plain document: what is in force, for code of your own\ncurl ${address}`,
  waiting: (/** @type {string} */ platform) => `Waiting for the first poll of ${platformName(platform)}…`,
  /** @param {string} library */
  polledToday: (library) => `${library}, within the last day`,
  eitherLibrary: "LaunchGate or Gandalf", combined: "a combined feed",
  flip: (/** @type {string} */ target) => `Go to ${target}`,
  flipHint: "Next: flip the kill switch, and watch the feed obey.",
};
