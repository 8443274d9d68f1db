// @ts-check
/** The visible strings of taking over a file. */

import { inEnvironment, listed, platformName } from "./shared.js";

export const importStrings = {
  title: "Take over a file",
  intro: "Choose the JSON file your app polls today. You see what it would do; nothing is written until you confirm.",
  app: "App", document: "The file’s text", file: "Choose a file", fileOr: "or paste its text below",
  documentMissing: "Choose the file or paste its text.",
  format: "Format",
  formats: {
    auto: "Recognise it", launchgate: "LaunchGate / Gandalf", bellerophon: "Bellerophon", "prince-of-versions": "Prince of Versions",
    own: "A shape of your own",
  },
  platform: "Platform of this file", platformHint: "A Bellerophon file does not say which platform it is for.",
  several: "Several: their names are in the file", platformUnsaid: "The file does not say which platform it is for.",
  ownFile: "Not a library’s file: a shape of your own. You say what its values mean, and it becomes a feed in that shape.",
  plan: "Show what it would do", planning: "Reading the file…",
  /** @param {number} number */
  line: (number) => `in line ${number}`,
  refused: "Cannot be published safely",
  skip: "Leave these out and take over the rest",
  override: (/** @type {boolean} */ isPart) =>
    `${isPart ? "Take over what may be overridden" : "Take them over"} all the same. The history will say so.`,
  /** @param {string} app @param {string} environment */
  confirmTitle: (app, environment) => inEnvironment(`Take over the file of ${app}`, environment),
  overtaken: "What it would do has changed since you pressed. Nothing was published; look again.",
  nothing: "The file’s rules are in force already. Nothing would change.",
  /** @param {string[]} formats @param {string[]} platforms */
  reads: (formats, platforms) => `This is a file of ${listed(formats)}${platforms.length > 0 ? `, for ${listed(platforms)}` : ""}.`,
  /** @param {string} platform @param {string[]} libraries */
  readBy: (platform, libraries) => `${platformName(platform)} (${listed(libraries)})`,
  unknownFile: "Not a known kind of file, by its form. The server takes a closer look.",
  otherwise: "Read it differently",
  newApp: "A new app…", theApp: "the app",
  /** @param {string} app @param {string[]} platforms */
  create: (app, platforms) => `Create ${app}${platforms.length > 0 ? ` on ${listed(platforms.map(platformName))}` : ""}`,
  /** @param {string} app @param {string[]} platforms */
  createPlatforms: (app, platforms) => `Create ${app} on ${listed(platforms.map(platformName))}`,
  alias: "Its old address",
  aliasHint: "Shipped apps keep polling where they always did. Give the path of the old address an alias, and point that host here.",
  aliasByAdmin: "Shipped apps keep polling where they always did. An administrator can give that path an alias in the app’s settings.",
  done: "Taken over",
  doneHint: "The feeds show the same rules now.",
  tooLarge: "The file is larger than 256 KiB.",
  unreadable: "The file cannot be read. See that it is there and that you may read it, and choose it again.",
  notUTF8: "The file is not UTF-8 text, so its letters would come out wrong. Save it as UTF-8, and choose it again.",
};
