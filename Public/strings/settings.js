// @ts-check
/** The visible strings that more than one screen of the settings shows. */

export const settingsStrings = {
  save: "Save", saving: "Saving…", saved: "Saved",
  roles: { viewer: "Viewer", operator: "Operator", admin: "Administrator" },
  role: "Role", roleHint: "Viewers see everything, operators change gates, administrators also apps and people.",
  scope: "Apps", allApps: "All apps", someApps: "Only these", scopeMissing: "Choose at least one app, or all.",
  ownScopeMissing: "Choose at least one app.",
};
