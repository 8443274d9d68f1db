// @ts-check
/** The visible strings of the settings and of taking over a file: a file of their own, because an overview in an incident needs none of them. */
import { counted, platformName } from "./strings.js";

export const settingsStrings = {
  import: {
    title: "Take over a file", intro: "Choose the JSON file your app polls today. You see what it would do; nothing is written until you confirm.",
    app: "App", document: "The file’s text", file: "Choose a file", fileOr: "or paste its text below", documentMissing: "Choose the file or paste its text.",
    format: "Format", formats: { auto: "Recognise it", launchgate: "LaunchGate / Gandalf", bellerophon: "Bellerophon", "prince-of-versions": "Prince of Versions" },
    platform: "Platform of a Bellerophon file", platformHint: "LaunchGate, Gandalf and Prince of Versions files name their platforms themselves.",
    plan: "Show what it would do", planning: "Reading the file…",
    refused: "Cannot be published safely", path: "Where", value: "Value", why: "Why",
    skip: "Leave these out and take over the rest",
    confirm: "Take over", title2: (/** @type {string} */ app, /** @type {string} */ environment) => `Take over the file of ${app}${environment ? ` in ${environment}` : ""}`,
    nothing: "The file’s rules are in force already. Nothing would change.",
    first: "First the app it belongs to", next: "Now its file",
    done: "Taken over",
    doneHint: "The feeds show the same rules now. Give the app’s old address to the feeds listener with an alias, or point the app here in its next release.",
    tooLarge: "The file is larger than 256 KiB.",
  },
  settingsPages: { apps: "Apps", tokens: "Tokens", people: "People", account: "Account" },
  apps: { title: "Apps", none: "No apps yet.", aliases: (/** @type {number} */ count) => counted(count, "alias", "aliases") },
  appPage: {
    back: "All apps", gone: "There is no app with this key.",
    name: "Name", save: "Save", saving: "Saving…", saved: "Saved", nothingToSave: "Nothing to save.",
    aliases: "Aliases", aliasesIntro: "Shipped apps poll an address that cannot be changed. An alias serves a feed at that path of the feeds listener.",
    path: "Path", pathHint: "Such as /config.json", feed: "Feed", platform: "Platform", addAlias: "Add an alias", removeAlias: (/** @type {string} */ path) => `Remove the alias ${path}`, remove: "Remove", noAliases: "No aliases.",
    platforms: "Platforms", addPlatform: "Add a platform", platformKey: "Key of the platform", platformKeyHint: "For example ios, android or macos.",
    scheme: "How versions are written", storeURL: "Store address", storeHint: "https only. Empty for none.", releases: "Known releases", releasesHint: "Versions you have shipped, one a line; the newest is the one in the store. Warnings get better with them.",
    retry: "Blocked phones check again every (seconds)", retryHint: "5 to 3600. A kill switch may say otherwise.",
    danger: "Delete this app", dangerText: "Its feeds stop answering, and phones keep what they saw last. The history stays.", delete: (/** @type {string} */ name) => `Delete ${name}…`,
    deleteTitle: (/** @type {string} */ name, /** @type {string} */ environment) => `Delete ${name}${environment ? ` in ${environment}` : ""}`,
    deleting: "Deleting…",
  },
  roles: { viewer: "Viewer", operator: "Operator", admin: "Administrator" },
  people: {
    title: "People", add: "Add a person", username: "Username", password: "First password", passwordHint: "12 to 128 characters. They can change it themselves.",
    role: "Role", roleHint: "Viewers see everything, operators change gates, administrators also apps and people.", scope: "Apps", allApps: "All apps", someApps: "Only these",
    disabled: "Disabled: cannot sign in", isDisabled: "disabled", you: "you", totp: "second factor", change: "Change", newPassword: "New password", newPasswordHint: "Only if they have forgotten theirs. Ends their sessions.",
    dropTOTP: "Take their second factor away", delete: (/** @type {string} */ name) => `Delete ${name}…`, deleteTitle: (/** @type {string} */ name) => `Delete ${name}`, deleteText: "They are signed out everywhere, and their tokens stop working. What they did stays in the history.",
    since: (/** @type {string} */ day) => `since ${day}`, scopeMissing: "Choose at least one app, or all.",
  },
  tokens: {
    title: "Tokens", intro: "For gatectl and for pipelines. A token acts with its own role and apps, never more than its maker has.", none: "No tokens yet.",
    add: "Make a token", name: "Name", nameHint: "What it is for.", nameMissing: "Give the token a name.", expires: "Works for", days: (/** @type {number} */ days) => `${days} days`,
    made: (/** @type {string} */ name) => `The token ${name}`, once: "Copy it now: it is not shown again.", copy: "Copy the token", revoke: (/** @type {string} */ name) => `Revoke ${name}…`, revokeTitle: (/** @type {string} */ name) => `Revoke ${name}`, revokeText: "Whatever uses it is refused from now on. This cannot be undone.",
    active: "active", revoked: "revoked", ended: "not active", unused: "never used", used: "used ", until: (/** @type {string} */ day) => `until ${day}`, forever: "does not expire", owner: (/** @type {string} */ name) => `of ${name}`, server: "of the server",
  },
  account: {
    password: "Password", current: "Current password", next: "New password", change: "Change the password", changed: "Changed. Other browsers are signed out.",
    factor: "Second factor", factorOff: "Signing in takes the password alone.", factorOn: (/** @type {number} */ codes) => `Signing in also takes a code. ${counted(codes, "recovery code is", "recovery codes are")} left.`,
    start: "Set up an authenticator", secret: "Type this into your authenticator, or open the link on the device that has it:", link: "Open in an authenticator", copySecret: "Copy the secret",
    code: "Its code", codeHint: "The six digits it shows now.", confirm: "Turn it on", recovery: "Recovery codes", recoveryHint: "Each of them opens your account once, for the day your authenticator is lost. They are not shown again.", copyCodes: "Copy the codes", remove: "Take the second factor away…", removeTitle: "Take the second factor away", removeText: "From then on the password alone opens your account.",
    sessions: "Where you are signed in", thisOne: "this browser", lastSeen: "seen ", endOf: (/** @type {string} */ what) => `Sign out ${what}`, endOthers: "Sign out everywhere else", unknownAgent: "unknown browser",
    title: "Account", role: "Role", roles: { viewer: "Viewer: sees everything", operator: "Operator: changes gates", admin: "Administrator: changes gates, apps and people" },
    scope: "Apps", allApps: "all", expires: "Signed in until", server: (/** @type {string} */ version) => `Gatehouse ${version}`,
  },
};
