// @ts-check
/** The visible strings of one change's screen. */

export const changeStrings = {
  title: (/** @type {number} */ sequence) => `Change ${sequence}`,
  json: "JSON", noReason: "no reason given", reason: "Reason", source: "From", when: "When", request: "Request",
  next: "Later change", previous: "Earlier change",
  settings: "The settings were changed; no gate was.", nothing: "No gate was changed.",
  back: "All history", gone: "There is no change with this number.",
  seenThen: "What phones saw then",
  revertBefore: "Revert to before this…", targetGone: "This target does not exist any more.",
};
