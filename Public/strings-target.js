// @ts-check
/** The visible strings of one target's screen, of the dialogs that are opened there, and of the feed addresses. */
import { platformName } from "./strings.js";

export const targetStrings = {
  page: {
    back: "Overview", gates: "Gates", changes: "Last changes", allChanges: "All changes of this target", noChanges: "No changes yet.",
    blockedSay: (/** @type {string} */ app, /** @type {string} */ platform) => `Nobody on ${platformName(platform)} can use ${app}. They see:`,
    forcedSay: (/** @type {string} */ app, /** @type {string} */ platform) => `Everybody on ${platformName(platform)} has to update ${app} first. They see:`,
    alertBlocksSay: (/** @type {string} */ app, /** @type {string} */ platform) => `Nobody on ${platformName(platform)} gets past the alert of ${app}. They see:`,
    requiredSay: (/** @type {string} */ app, /** @type {string} */ platform, /** @type {string} */ version) => `On ${platformName(platform)}, ${app} below ${version} has to be updated first. People there see:`,
    optionalSay: (/** @type {string} */ app, /** @type {string} */ platform, /** @type {string} */ version) => `Everybody on ${platformName(platform)} can use ${app}; version ${version} is suggested:`,
    alertSay: (/** @type {string} */ app, /** @type {string} */ platform) => `Everybody on ${platformName(platform)} can use ${app}, and sees an alert:`,
    openSay: (/** @type {string} */ app, /** @type {string} */ platform) => `Everybody on ${platformName(platform)} can use ${app}.`,
    since: "Since", by: "By", reason: "Reason", retry: "Phones check again every", revision: "Revision", store: "Store", scheme: "Versions", settings: "Settings of the platform",
    until: "Until", untilOpened: "somebody opens it",
    off: "Off", edit: "Edit…", set: "Set…", clear: "Clear…", more: (/** @type {string} */ rule) => `More: ${rule}`,
    ruleOf: (/** @type {string} */ rule, /** @type {string} */ target) => `${rule} of ${target}`,
    noTarget: "This app or platform does not exist, or not any more.",
    schemes: { dotted: "dotted, such as 4.2.0", code: "version codes, such as 41" },
    live: "in force", masked: (/** @type {string} */ rule) => `waits behind ${rule}`,
  },
  ruleDialog: {
    title: (/** @type {string} */ rule, /** @type {string} */ target, /** @type {string} */ environment) => `${rule} of ${target}${environment ? ` in ${environment}` : ""}`,
    action: (/** @type {string} */ rule, /** @type {string} */ target, /** @type {string} */ environment) => `Publish ${rule.toLowerCase()} of ${target}${environment ? ` in ${environment}` : ""}`,
    clearTitle: (/** @type {string} */ rule, /** @type {string} */ target, /** @type {string} */ environment) => `Clear ${rule.toLowerCase()} of ${target}${environment ? ` in ${environment}` : ""}`,
    clearIntro: "The rule is taken away. The history keeps it.",
    minimumVersion: "Minimum version", optionalVersion: "Version to suggest",
    dotted: "Up to four numbers with dots, such as 4.2.0.", code: "A version code: a whole number, such as 41.",
    versionMissing: "Write a version.", messageMissing: "Write what people should see.",
    blockedVersions: "Blocked versions", blockedVersionsHint: "Single versions that must not run, separated by commas. They reach GateKit and targeted feeds only.",
    blocking: "Blocks the app: the alert cannot be dismissed",
    storeChecked: (/** @type {string} */ version) => (version ? `Version ${version} or newer can be downloaded from the store` : "The newest version can be downloaded from the store"),
    storeMissing: "Make sure of that first; otherwise people are stuck.",
    releases: (/** @type {string[]} */ list) => `Known releases: ${list.join(", ")}`,
  },
  feeds: {
    title: "Feed addresses", format: "For", address: "Address",
    names: { bellerophon: "Bellerophon", launchgate: "LaunchGate, Gandalf", "prince-of-versions": "Prince of Versions", combined: "Several libraries at once", gate: "GateKit" },
    code: "Code to paste", copyCode: "Copy the code",
    /** @type {Record<string, (platform: string, address: string, store: string) => string | null>} */
    snippets: {
      bellerophon: (platform, address) => (platform === "android" ? null : `// what your bellerophonStatus(_:completion:) fetches\nlet statusURL = URL(string: "${address}")!`),
      launchgate: (platform, address, store) => (platform === "android"
        ? `Gandalf.Installer()\n    .setContext(this)\n    .setPackageName(packageName)\n    .setBootstrapUrl("${address}")\n    .install()`
        : `lazy var launchGate = LaunchGate(\n  configURI: "${address}",\n  appStoreURI: "${store || "itms-apps://apps.apple.com/app/id…"}")\n// in applicationDidBecomeActive: launchGate?.check()`),
      "prince-of-versions": (platform, address) => (platform === "android"
        ? `PrinceOfVersions.Builder().build(this)\n    .checkForUpdates(NetworkLoader("${address}"), callback)`
        : `let url = URL(string: "${address}")!\nPrinceOfVersions.checkForUpdates(from: url) { response in … }`),
    },
    hint: "If phones reach the feeds under another host than this page, put that host in its place.",
  },
  preview: {
    title: "Preview",
    phone: "Which phone",
    client: "Client library", version: "App version", locale: "Language", direction: "Direction", seen: "Has seen it before", dark: "Dark", large: "Large text",
    clients: { bellerophon: "Bellerophon", launchgate: "LaunchGate", gandalf: "Gandalf", "prince-of-versions": "Prince of Versions" },
    anyLanguage: "any",
    directions: { "": "by the text", ltr: "left to right", rtl: "right to left" },
    /** @param {string} client @param {string} version @param {string} detail */
    sentence: (client, version, detail) => `${client}, version ${version}: ${detail}`,
    /** @param {string} title @param {string} message @param {string[]} buttons */
    reads: (title, message, buttons) => `On the screen: ${[title, message].filter(Boolean).join(" – ")}${buttons.length > 0 ? `. Buttons: ${buttons.join(", ")}` : ""}`,
    appDraws: "The app draws this itself.",
    approximation: "A drawing by the client’s own rules; apps may draw their screens differently.",
    notShown: "Not shown:",
    waiting: "Asking the server…",
    incomplete: "The preview appears when the draft is complete.",
    noAnswer: "The server does not answer; there is no preview.",
    now: "now",
  },
};
