// @ts-check
/** The visible strings of feeds in an app's own shape. */

import { inEnvironment, platformName } from "./shared.js";

export const ownFeedStrings = {
  title: "Feeds in its own shape",
  intro: "A document of your own making whose values are filled from the gates. A file that your app polls already becomes one.",
  takeOver: "Take over a file…",
  none: "None.",
  /** @param {string | undefined} platform */
  of: (platform) => (platform ? platformName(platform) : "whole app"),
  template: "Template",
  templateHint: "JSON-e: {\"$eval\": \"kill != null\"}, \"${kill.message}\", {\"$if\": \"kill\", \"then\": …, \"else\": …}. "
    + "In a feed of the whole app, put the platform first: ios.kill.",
  document: "What phones get now",
  save: "Save the template", change: "Edit…",
  /** @param {string} name */
  changeOf: (name) => `Edit own/${name}.json`,
  /** @param {string} name @param {string} app */
  saves: (name, app) => `Change the feed own/${name}.json of ${app}`,
  /** @param {string} name */
  remove: (name) => `Remove own/${name}.json…`,
  /** @param {string} name @param {string} environment */
  removeTitle: (name, environment) => inEnvironment(`Remove own/${name}.json`, environment),
  removing: "Removing…",
  removeText: "Its address answers 404 from then on. How apps handle that is up to them.",
  fresh: "Make one from a template", name: "Last part of its address", nameHint: "Such as status, for own/status.json.",
  nameMissing: "Write a name, such as status.",
  platform: "Whose gate it shows", wholeApp: "The whole app", add: "Add the feed",
};
