// @ts-check
/** The visible strings of an invitation, as whoever opens its link sees them. */

export const invitationStrings = {
  title: "Set your password",
  /** @param {string} host */
  intro: (host) => `You were invited to Gatehouse at ${host}. Whoever sent you the link can tell you your username.`,
  action: "Set password and sign in", busy: "Signing in…",
  goneTitle: "This link does not work any more",
  gone: "Each link works once and for 72 hours, and a newer one takes its place. Ask an administrator for a new link.",
  missingTitle: "Open the link once more",
  missing: "The page was reloaded without the link: go back to where you were sent it, and open it there again.",
  toSignIn: "Go to sign-in",
  otherTitle: "Somebody is signed in here",
  /** @param {string} name */
  other: (name) => `${name} is signed in to this browser, and the link is for somebody else, or for a new password. `
    + "Sign out first; the link stays good.",
  signOut: "Sign out and go on", stay: "Stay signed in",
};
