// @ts-check
/** The visible strings of signing in: on the sign-in screen, again in a dialog, and for actions that need the password once more. */
import { counted } from "./shared.js";

export const signInStrings = {
  title: "Sign in", username: "Username", password: "Password", action: "Sign in", busy: "Signing in…",
  again: "Your session has ended", againHint: "Sign in again to go on. What you were writing is still here.",
  againByProxy: "Sign in again to go on. Drafts are kept.",
  signedOut: "You are signed out", signedOutHint: "Your single sign-on may still know you: signing in again may ask for nothing.",
  perhapsIn: "The server has not confirmed that you are signed out, so this browser may still be signed in. "
    + "Load this page again, and sign out once more if you are.",
  proofOfProxy: "Sign in again",
  proofByProxy: "What you are about to do needs a sign-in within the last five minutes. Sign out and in again, then repeat it.",
  wrong: "Username or password is wrong.",
  code: "Code", codeHint: "Six digits from your authenticator, or one of your recovery codes.",
  codeMissing: "This account also asks for a code.", codeWrong: "The code is wrong or was used already.",
  proof: "Your password once more", proofHint: "What you are about to do needs a password given within the last five minutes.",
  proofAction: "Go on", proofWrong: "The password or the code is wrong.",

  /** @param {number} seconds */
  wait: (seconds) => `Too many tries. Try again in ${counted(seconds, "second", "seconds")}.`,
  busyServer: "The server is busy. Try again in a moment.",
  missingUsername: "Enter your username.", missingPassword: "Enter your password.",
  short: "A password has at least 12 characters.",
  notSetUp: "Nobody can sign in yet: this server has no users.",
  notSetUpHint: "Open the set-up link that the server printed when it started. "
    + "If it is gone, restart the server for a new one, or run “gatehouse init” on its machine.",
};
