// @ts-check
/** The visible strings of the people who may sign in. */

export const peopleStrings = {
  title: "People", add: "Add a person", username: "Username", password: "First password",
  addTitle: "Or with a first password", addText: "For people whom no link can reach. You have to tell them the password.",
  passwordHint: "12 to 128 characters. They can change it themselves.",
  invite: "Invite a person…", inviteTitle: "Invite a person",
  inviteText: "You get a link to send them, and they set their own password with it. The username is what they sign in with.",
  missingUsername: "Give them a username.", makeLink: "Make the link", makingLink: "Making the link…",
  newLink: "New link…", newLinkTitle: (/** @type {string} */ name) => `New link for ${name}`,
  newLinkText: "They set their password with it. Any link they got before stops working.",
  newPasswordText: "For somebody who has forgotten their password: they set a new one with the link. Until they do, the current one "
    + "keeps working; then they are signed out everywhere, and their tokens stop working.",
  linkTitle: (/** @type {string} */ name) => `The link for ${name}`,
  linkText: (/** @type {string} */ name) =>
    `Send it to ${name} alone: whoever opens it first sets the password. Tell them their username too: ${name}. The link does not say it.`,
  linkOnce: (/** @type {string} */ until) => `It works once, until ${until}. Copy it now: it is not shown again.`,
  linkLocal: "This page was opened on the server’s own machine, and the link has its local address. "
    + "Replace that with the address by which others reach the server.",
  copyLink: "Copy the link", qr: "QR code of the link",
  moment: (/** @type {string} */ day, /** @type {string} */ time) => `${day}, ${time}`,
  invited: (/** @type {string} */ until) => `Invited, until ${until}`,
  inviteEnded: (/** @type {string} */ when) => `Invitation ended ${when}`, notInvited: "Has no password and no link",
  renewed: (/** @type {string} */ until) => `link for a new password, until ${until}`,
  disabled: "Disabled: cannot sign in", isDisabled: "disabled", you: "you",
  outOfReach: "They have apps that you do not, so you cannot change them.", totp: "second factor", change: "Change",
  newPassword: "New password",
  newPasswordHint: "Only if they have forgotten theirs, or somebody else knows it. Ends their sessions and tokens.",
  dropTOTP: "Remove their second factor", delete: (/** @type {string} */ name) => `Delete ${name}…`,
  deleteTitle: (/** @type {string} */ name) => `Delete ${name}`,
  deleteText: "They are signed out everywhere, and their tokens stop working. What they did stays in the history.",
  ofProxy: "single sign-on", ofProxyText: "A proxy signs them in, and their groups there say what they may do. They have no password here.",
  deleteOfProxyText: "They are signed out everywhere, and their tokens stop working. The proxy lets them in again at their next visit: "
    + "to keep them out, disable them.",
  since: (/** @type {string} */ day) => `since ${day}`,
};
