// @ts-check
/** The visible strings of the set-up, which the first administrator sees once. */

export const setupStrings = {
  title: "Set up Gatehouse", intro: "Create the first administrator. This link works once.",
  action: "Create administrator", busy: "Creating…",
  done: "This server is set up already.", doneLink: "Go to sign-in",
};
