// @ts-check
/** The visible strings of what surrounds every screen, and of the screen that stands where there is none. */

export const shellStrings = {
  skip: "Skip to content",
  environment: "Environment", protected: "PROTECTED",
  protectedHint: "Keeping people out asks for a reason and a typed confirmation here.",
  mainNavigation: "Main",
  nav: { overview: "Overview", schedule: "Schedule", history: "History", settings: "Settings" },
  settingsPages: { apps: "Apps", tokens: "Tokens", people: "People", account: "Account" },

  // Live
  live: "Live",
  stale: "STALE",
  reconnecting: "Reconnecting…",
  /** @param {string} time */
  staleBar: (time) => `Not live since ${time} · showing last known state`,
  /** @param {string} reasons */
  degraded: (reasons) => `The server reports trouble: ${reasons}. Feeds go on; changes may be refused.`,
  codeMissing: "The server does not answer, so the dialog could not be fetched. Nothing was sent; press again.",
  starting: "The server is still checking its history. Feeds go on; changes have to wait a moment.",
  /** @param {string[]} lines */
  announcement: (lines) => lines.join(" "),
  /** @param {string} target @param {string} state @param {string} actor */
  nowState: (target, state, actor) => `${target} is now ${state}, changed by ${actor}.`,

  // Titles
  /** @param {number} blocked @param {string} view @param {string} environment */
  title: (blocked, view, environment) =>
    `${blocked > 0 ? `■${blocked} ` : ""}${view === "" ? "" : `${view} · `}Gatehouse${environment ? ` – ${environment}` : ""}`,

  notFound: {
    title: "Nothing here", text: "There is no page at this address. It may have been moved, or the app it was about is gone.",
    home: "Go to the overview",
  },
  keys: { open: "Keyboard shortcuts" },
  palette: { open: "Go to…", key: "Ctrl K" },
};
