// @ts-check
/** The visible strings of the people who may sign in. */

export const peopleStrings = {
  title: "People", add: "Add a person", username: "Username", password: "First password",
  passwordHint: "12 to 128 characters. They can change it themselves.",
  disabled: "Disabled: cannot sign in", isDisabled: "disabled", you: "you", totp: "second factor", change: "Change",
  newPassword: "New password",
  newPasswordHint: "Only if they have forgotten theirs, or somebody else knows it. Ends their sessions and tokens.",
  dropTOTP: "Take their second factor away", delete: (/** @type {string} */ name) => `Delete ${name}…`,
  deleteTitle: (/** @type {string} */ name) => `Delete ${name}`,
  deleteText: "They are signed out everywhere, and their tokens stop working. What they did stays in the history.",
  since: (/** @type {string} */ day) => `since ${day}`,
};
