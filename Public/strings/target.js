// @ts-check
/** The visible strings of one target's screen, its dialogs, and its phone preview. */
import { counted, inEnvironment, platformName } from "./shared.js";

export const targetStrings = {
  /** What a rule does; it stands beside one that is off, too, and must not be read as what is in force. */
  ruleHelp: {
    killSwitch: "When on, nobody gets in, and everyone sees the message.",
    forceUpdate: "When on, every version must update before it can go on.",
    requiredUpdate: "When on, versions below it must update before they can go on.",
    optionalUpdate: "When on, versions below it are told that there is something newer.",
    alert: "When on, a message is shown when the app opens. People can dismiss it, unless it blocks.",
  },
  page: {
    back: "Overview", gates: "Gates", changes: "Last changes", allChanges: "All changes of this target",
    whoSeesWhat: "Who sees what: all versions and libraries", noChanges: "No changes yet.",
    schedule: "Schedule",
    /** @param {string} app @param {string} platform */
    blockedSay: (app, platform) => `Nobody on ${platformName(platform)} can use ${app}. They see:`,
    /** @param {string} app @param {string} platform */
    forcedSay: (app, platform) => `Everybody on ${platformName(platform)} has to update ${app} first. They see:`,
    /** @param {string} app @param {string} platform */
    alertBlocksSay: (app, platform) => `Nobody on ${platformName(platform)} gets past the alert of ${app}. They see:`,
    /** @param {string} app @param {string} platform @param {string} version */
    requiredSay: (app, platform, version) =>
      `On ${platformName(platform)}, ${app} below ${version} has to be updated first. People there see:`,
    /** @param {string} app @param {string} platform @param {string} version */
    optionalSay: (app, platform, version) => `Everybody on ${platformName(platform)} can use ${app}; version ${version} is suggested:`,
    /** @param {string} app @param {string} platform */
    alertSay: (app, platform) => `Everybody on ${platformName(platform)} can use ${app}, and sees an alert:`,
    /** @param {string} app @param {string} platform */
    openingSay: (app, platform) => `More and more on ${platformName(platform)} can use ${app}. The others see:`,
    /** @param {string} rule @param {string} app @param {string} platform */
    maskedSay: (rule, app, platform) =>
      `${rule} is set for ${app} on ${platformName(platform)}, but no library in the app shows it. It says:`,
    /** @param {string} app @param {string} platform */
    openSay: (app, platform) => `Everybody on ${platformName(platform)} can use ${app}.`,
    since: "Since", by: "By", reason: "Reason",
    /** Used while it is not known who began it. */
    lastBy: "Last change by", lastReason: "Its reason",
    retry: "Phones check again every", revision: "Revision",
    until: "Until", untilOpened: "somebody opens it", opening: "Letting people in",
    edit: "Edit…", editOf: (/** @type {string} */ rule) => `Edit: ${rule}`,
    set: "Set…", setOf: (/** @type {string} */ rule) => `Set: ${rule}`,
    clear: "Clear…", more: (/** @type {string} */ rule) => `More: ${rule}`,
    ruleOf: (/** @type {string} */ rule, /** @type {string} */ target) => `${rule} of ${target}`,
    operatorNeeded: "Changing gates needs the operator role.",
    noTarget: "This app or platform does not exist, or was deleted.",
    live: "in force", masked: (/** @type {string} */ rule) => `waits behind ${rule}`, now: "now",
  },
  ruleDialog: {
    /** @param {string} rule @param {string} target @param {string} environment */
    title: (rule, target, environment) => inEnvironment(`${rule} of ${target}`, environment),
    /** @param {string} rule @param {string} target @param {string} environment */
    action: (rule, target, environment) => inEnvironment(`Publish ${rule.toLowerCase()} of ${target}`, environment),
    /** @param {string} rule @param {string} target @param {string} environment */
    clearTitle: (rule, target, environment) => inEnvironment(`Clear ${rule.toLowerCase()} of ${target}`, environment),
    clearIntro: "The rule is taken away. The history keeps it.",
    minimumVersion: "Minimum version", optionalVersion: "Version to suggest",
    dotted: "Up to four numbers with dots, such as 4.2.0.", code: "A version code: a whole number, such as 41.",
    versionMissing: "Write a version.", messageMissing: "Write what people should see.",
    blockedVersions: "Blocked versions",
    blockedVersionsHint: "Single versions that must not run, separated by commas. Only apps with GateKit heed them, and apps that name "
      + "their version when they poll; all others are let in.",
    blocking: "Blocks the app: the alert cannot be dismissed",
    /** @param {string} version */
    storeChecked: (version) => (version
      ? `Version ${version} or newer can be downloaded from the store`
      : "The newest version can be downloaded from the store"),
    storeMissing: "Make sure of that first; otherwise people are stuck.",
    releases: (/** @type {string[]} */ list) => `Known releases: ${list.join(", ")}`,
  },
  versions: {
    title: "Versions that poll", spans: "How far back",
    span: { hour: "Last hour", day: "Last day" },
    version: "Version", bar: "Bar", share: "Share", count: "Polls", others: "all others",
    polls: (/** @type {number} */ polls) => counted(polls, "poll", "polls"),
    /** @param {"hour" | "day"} within @param {number} polls */
    caption: (within, polls) => `${counted(polls, "poll", "polls")} of the last ${within} named a version`,
    /** @param {"hour" | "day"} within */
    none: (within) => `No poll of the last ${within} named its version. Phones name it with ?version=4.1.0 after the feed’s address.`,
    more: (/** @type {number} */ count) => `${count} more`, fewer: "Fewer",
    propose: "Not among the known releases",
    proposeHint: "Tick what was shipped: plans look at known releases. Anybody can poll with any version.",
    add: "Add to the known releases", added: "Added.",
  },
  preview: {
    title: "Preview",
    phone: "Which phone", thumbs: "The phones of this target",
    /** @param {string} library @param {string} version */
    thumb: (library, version) => `Look at ${library} ${version}`,
    /** @param {string} after @param {string} before */
    beforeAfter: (after, before) => `${after} Before: ${before}`,
    client: "Client library", version: "App version", locale: "Language", direction: "Direction", seen: "Has seen it before", dark: "Dark",
    large: "Large text",
    anyLanguage: "any",
    directions: { "": "by the text", ltr: "left to right", rtl: "right to left" },
    /** @param {string} client @param {string} version @param {string} detail */
    sentence: (client, version, detail) => `${client}, version ${version}: ${detail}`,
    /** @param {string} title @param {string} message @param {string[]} buttons */
    reads: (title, message, buttons) => {
      const said = `On the screen: ${[title, message].filter(Boolean).join(" – ")}`;
      // Most messages are sentences that end with their own punctuation.
      const end = /[\p{Sentence_Terminal}…]["'”’»)]*$/u.test(said) ? "" : ".";
      return buttons.length > 0 ? `${said}${end} Buttons: ${buttons.join(", ")}` : said;
    },
    appDraws: "The app draws this itself.",
    approximation: "A drawing by the client’s own rules; apps may draw their screens differently.",
    notShown: "Not shown:",
    waiting: "Asking the server…",
    incomplete: "The preview appears when the draft is complete.",
    noAnswer: "The server does not answer; there is no preview.",
  },
};
