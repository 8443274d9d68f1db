// @ts-check
/** The visible strings that more than one screen of the settings shows. */

export const settingsStrings = {
  save: "Save", saving: "Saving…", saved: "Saved",
  /** @param {string} said @param {string} [who] */
  overtaken: (said, who) => `${said} ${who ? `${who} ` : ""}Nothing was saved. Look at it as it is now, then press again.`,
  nowIs: (/** @type {string} */ value) => (value ? `It is ${value} now.` : "It is empty now."),
  roles: { viewer: "Viewer", operator: "Operator", admin: "Administrator" },
  role: "Role", roleHint: "Viewers see everything, operators change gates, administrators also apps and people.",
  scope: "Apps", allApps: "All apps", someApps: "Only these", scopeMissing: "Choose at least one app, or all.",
  ownScopeMissing: "Choose at least one app.",
};
