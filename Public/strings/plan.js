// @ts-check
/** The visible strings that say what a change does: to a gate, and to the people in front of it. */

export const planStrings = {
  member: {
    message: "Message", retryInterval: "Check again every", until: "Until", opening: "Opens gradually since",
    minimumVersion: "Minimum version",
    blockedVersions: "Blocked versions", optionalVersion: "Version to suggest", blocking: "Blocks the app",
    versionScheme: "Versions", storeURL: "Store address", releases: "Known releases", defaultRetryInterval: "Check again every",
    clients: "Libraries in the app",
  },
  difference: {
    field: "Field", before: "Before", after: "After", kind: "Change",
    added: "Added", removed: "Removed", changed: "Changed",
  },
  region: "What people see",
  /** @param {string} target @param {string} whom */
  headline: (target, whom) => `\u00a0· ${target}\u00a0· ${whom}`,
  everyone: "everyone",
  /** @param {string} version @param {string[]} more */
  below: (version, more) => `versions below ${version}${more.length > 0 ? ` and ${more.join(", ")}` : ""}`,
  /** The server's words for what a library shows, and for what the gate means. */
  shown: {
    blocked: "blocked", forced: "must update, whatever the version", required: "must update", optional: "update offered",
    alert: "message shown", nothing: "nothing shown", crash: "app crashes", stuck: "app hangs",
    rejected: "feed not understood",
  },
  grade: {
    letsIn: "Let in although the gate means to keep them out",
    shutsOut: "Kept out beyond what is meant",
    differs: "Shown something other than meant",
    asMeant: "Who sees something new",
  },
  /** For deletions, where nothing is meant any more. */
  removalGrade: { letsIn: "Kept out today, let in afterwards", asMeant: "Lose their feed" },
  noFeed: "no feed",
  /** @param {string} target */
  farewell: (target) => ` → no feed\u00a0· ${target}`,
  /** @param {string[]} versions */
  alike: (versions) => `${versions.join(", ")} and similar ones`,
  /** @param {string[]} targets */
  onTargets: (targets) => (targets.length <= 3 ? targets.join(", ") : `${targets.slice(0, 2).join(", ")} and ${targets.length - 2} more`),
  /** @param {string[]} targets */
  same: (targets) => `The same on ${planStrings.onTargets(targets)}.`,
  /** @param {{ before: string, after: string }} labels @param {string} before @param {string} after */
  turns: (labels, before, after) => `${labels.before}: ${before} → ${labels.after}: ${after}.`,
  /** @param {{ before: string, after: string }} labels @param {string} shown */
  stays: (labels, shown) => `${labels.before} and ${labels.after[0].toLowerCase()}${labels.after.slice(1)}: ${shown}.`,
  meant: (/** @type {string} */ meant) => `Meant: ${meant}.`,
  more: (/** @type {number} */ count) => `and ${count} more`,
  omitted: (/** @type {number} */ count) => `… and ${count} more of these, too many to show.`,
  comparison: "What the libraries show from the file that is hosted today, compared with what they will show from this feed.",
  whoSeesWhat: "Who sees what, by version and library",
  whoSeesWhatOn: (/** @type {string} */ target) => `Who sees what on ${target}`,
  newTab: " (opens in a new tab)",
  today: "Hosted file today", tomorrow: "This feed tomorrow",
};
