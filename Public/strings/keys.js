// @ts-check
/** The visible strings of the list of keys, and of the palette. */

export const keysStrings = {
  title: "Keyboard", single: "Single keys work",
  hint: "No key publishes anything by itself, and none works while you are typing.",
  list: [
    ["/", "Filter the overview"], ["j  k", "Next and previous target"], ["Enter", "Open the target"], ["x", "Pick the target"],
    ["b  o", "Block…, open…: the target, or all that are picked"],
    ["g o", "Go to the overview"], ["g h", "Go to the history"], ["g s", "Go to the schedule"], ["?", "This list"],
    ["Ctrl or ⌘ + K", "Go to or do anything by its name"],
    ["Esc", "Close a dialog; the draft is kept"], ["Ctrl or ⌘ + Enter", "Publish a dialog that is complete"],
  ],
};

export const paletteStrings = {
  title: "Go to or do anything", label: "Type an app, a platform, an action or a screen",
  results: "Results", none: "Nothing of that name.",
  found: (/** @type {number} */ count) => `${count} ${count === 1 ? "result" : "results"}`,
  more: (/** @type {number} */ count) => `and ${count} more: type on`,
  help: [["↑ ↓", "choose"], ["Enter", "go"], ["Esc", "close"]],
  kind: { target: "App", action: "Action", screen: "Screen", setting: "Setting" },
  block: (/** @type {string} */ target) => `Block ${target}…`, open: (/** @type {string} */ target) => `Open ${target}…`,
  schedule: (/** @type {string} */ target) => `Schedule a change of ${target}`,
  simulate: (/** @type {string} */ target) => `Who sees what on ${target}`,
  historyOf: (/** @type {string} */ target) => `History of ${target}`,
  settingsOf: (/** @type {string} */ app) => `Settings of ${app}`,
  newWindow: "Schedule a change", newApp: "Add an app", takeOver: "Take over a file",
  theme: (/** @type {string} */ name) => `Appearance: ${name}`, themes: { auto: "as the system", light: "light", dark: "dark" },
};
