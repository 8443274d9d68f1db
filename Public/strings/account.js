// @ts-check
/** The visible strings of the account screen. */
import { counted } from "./shared.js";

export const accountStrings = {
  password: "Password", current: "Current password", next: "New password", change: "Change the password",
  changed: "Changed. Other browsers are signed out.", revokeTokens: "Also revoke my tokens",
  factor: "Second factor", factorOff: "Signing in needs only the password.",
  /** @param {number} codes */
  factorOn: (codes) => `Signing in also needs a code. ${counted(codes, "recovery code is", "recovery codes are")} left.`,
  codesGone: "If you have lost them, remove the second factor and set it up again.",
  start: "Set up an authenticator",
  secret: "Scan this with your authenticator, type the secret into it, or open the link on the device that has it:",
  qr: "QR code of the secret",
  link: "Open in an authenticator", copySecret: "Copy the secret",
  code: "Its code", codeHint: "The six digits it shows now.", confirm: "Turn it on", recovery: "Recovery codes",
  recoveryHint: "Each signs you in once, in case you lose your authenticator. They are not shown again.",
  copyCodes: "Copy the codes", downloadCodes: "Download the codes", codesFileName: "gatehouse-recovery-codes.txt",
  /** @param {string} host @param {string[]} codes */
  codesFile: (host, codes) => `Gatehouse at ${host}: recovery codes, each for one sign-in\n\n${codes.join("\n")}\n`,
  remove: "Remove the second factor…", removeTitle: "Remove the second factor",
  removeText: "From then on, your password alone signs you in.",
  sessions: "Where you are signed in", thisOne: "this browser", lastSeen: "seen ",
  endOf: (/** @type {string} */ what) => `Sign out ${what}`, endOthers: "Sign out everywhere else", unknownAgent: "unknown browser",
  title: "Account", signedInBy: "Signed in by", proxy: "the proxy in front (single sign-on); your groups there say what you may do",
  role: "Role",
  roles: { viewer: "Viewer: sees everything", operator: "Operator: changes gates", admin: "Administrator: changes gates, apps and people" },
  scope: "Apps", allApps: "all", expires: "Signed in until", server: (/** @type {string} */ version) => `Gatehouse ${version}`,
  servers: "Servers of this console", started: "started ",
  upToDate: (/** @type {number} */ change) => `up to date, change ${change}`,
  /** @param {number} change @param {number} lag */
  behind: (change, lag) => `at change ${change}, ${lag === 1 ? "one change" : `${lag} changes`} behind`,
  silent: (/** @type {number} */ seconds) =>
    `not heard of for ${seconds < 120 ? `${seconds} seconds` : `${Math.floor(seconds / 60)} minutes`}`,
  notice: (/** @type {string} */ text) => `Worth fixing: ${text}.`,
  theme: { label: "Appearance", auto: "Auto", light: "Light", dark: "Dark" },
};
