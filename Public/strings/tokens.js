// @ts-check
/** The visible strings of the tokens screen. */

export const tokensStrings = {
  title: "Tokens",
  intro: "For gatectl and for pipelines. A token acts with its own role and apps, never more than its maker has.", none: "No tokens yet.",
  add: "Make a token", name: "Name", nameHint: "What it is for.", nameMissing: "Give the token a name.", expires: "Works for",
  days: (/** @type {number} */ days) => `${days} days`,
  made: (/** @type {string} */ name) => `The token ${name}`, once: "Copy it now: it is not shown again.", copy: "Copy the token",
  revoke: (/** @type {string} */ name) => `Revoke ${name}…`, revokeTitle: (/** @type {string} */ name) => `Revoke ${name}`,
  outOfReach: "It has apps that you do not, so you cannot revoke it.",
  revokeText: "Whatever uses it is refused from now on. This cannot be undone.",
  active: "active", revoked: "revoked", ended: "not active", unused: "never used", used: "used ",
  until: (/** @type {string} */ day) => `until ${day}`, forever: "does not expire",
  owner: (/** @type {string} */ name) => `of ${name}`, server: "of the server",
};
