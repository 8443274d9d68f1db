// @ts-check
/** The visible strings of adding an app. */
import { platformName } from "./shared.js";

export const newAppStrings = {
  title: "Add an app", ofAllApps: "Adding an app needs the administrator role for all apps.",
  name: "Name", nameHint: "As your users know it.", nameMissing: "Give the app a name.",
  key: "Key", keyHint: "Small letters, digits and hyphens. It is part of the feed address and cannot be changed later.",
  keyWrong: "1 to 63 small letters, digits or hyphens, beginning with a letter or digit.",
  platforms: "Platforms", otherPlatform: "Another platform", otherPlatformHint: "Its key, for example macos.",
  platformsMissing: "Choose at least one platform.",
  add: "Add app", adding: "Adding…",
  added: (/** @type {string} */ name) => `${name} is ready`,
  addedHint: "It is open: nobody is blocked. Paste this where the app starts, and run it once. This page says when it polled.",
  addresses: "All feed addresses",
  toOverview: "Go to the overview", toImport: "Take over a file for it",
  /** @param {string} platform @param {string} detail */
  partly: (platform, detail) => `The app is there, but ${platformName(platform)} could not be added: ${detail}`,
};
