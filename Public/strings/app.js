// @ts-check
/** The visible strings of one app's screen. */
import { inEnvironment } from "./shared.js";

export const appStrings = {
  back: "All apps",
  name: "Name",
  aliases: "Aliases",
  aliasesIntro: "Shipped apps poll an address that cannot be changed. An alias serves a feed at that path of the feeds listener.",
  path: "Path", pathHint: "Such as /config.json", feed: "Feed", platform: "Platform", addAlias: "Add an alias",
  addsAlias: (/** @type {string} */ path) => `Add the alias ${path}`,
  removeAlias: (/** @type {string} */ path) => `Remove the alias ${path}`, noAliases: "No aliases.",
  platforms: "Platforms", addPlatform: "Add a platform", platformKey: "Key of the platform",
  platformKeyHint: "For example ios, android or macos.", platformMissing: "Write the platform’s key, such as macos.",
  platformExists: (/** @type {string} */ platform) => `The app has the platform “${platform}”. Its settings are above.`,
  saveSettings: (/** @type {string} */ target) => `Save the settings of ${target}`,
  scheme: "How versions are written", schemes: { dotted: "dotted, such as 4.2.0", code: "version codes, such as 41" },
  storeURL: "Store address", storeHint: "https only. Empty for none.", releases: "Known releases",
  releasesHint: "Versions you have shipped, one per line; the newest is the one in the store. They make warnings more precise.",
  retry: "Blocked phones check again every (seconds)", retryHint: "5 to 3600. A kill switch may say otherwise.",
  clients: "Libraries in the app", clientsUnknown: "Not known", clientsKnown: "Only these",
  clientsMissing: "Choose at least one, or “Not known”.",
  clientsHint: "A plan shows what a change does in these. While they are not known: in those that polled within a day, or else in all.",
  goes: "Everything that will be deleted",
  deletePlatformText: "Its feeds stop answering. The app’s other platforms and the history stay.",
  /** @param {string[]} targets */
  deleteBlocked: (targets) => `${targets.join(", ")} ${targets.length === 1 ? "is" : "are"} blocked now. Phones that show the block keep `
    + "showing it until the app is restarted: the error they get does not remove it. To have them let in by themselves, open first.",
  danger: "Delete this app", dangerText: "Its feeds stop answering. The history stays.",
  delete: (/** @type {string} */ name) => `Delete ${name}…`,
  /** @param {string} name @param {string} environment */
  deleteTitle: (name, environment) => inEnvironment(`Delete ${name}`, environment),
  deleting: "Deleting…",
};
