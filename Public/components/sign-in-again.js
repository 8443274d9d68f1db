// @ts-check
/** Name and password over a page whose session has ended, where all that was written stays. */
import { el, uniqueId } from "../dom.js";
import { store } from "../store.js";
import { signInStrings } from "../strings/sign-in.js";
import { focusReturn } from "./focus-return.js";
import { signInForm } from "./sign-in.js";

/** @type {Promise<void> | null} */
let pending = null;

/**
 * Asks for the password; several requests that fail together ask once.
 * @returns {Promise<void>}
 */
export function signInAgain() {
  pending ??= ask().finally(() => { pending = null; });
  return pending;
}

/** @returns {Promise<void>} */
function ask() {
  return new Promise((resolve) => {
    const titleId = uniqueId("again");
    const giveBack = focusReturn();
    const form = signInForm({
      username: store.session?.user.username,
      done: (session) => {
        const another = session.user.username !== store.session?.user.username;
        store.setSession(session);
        // Somebody else may see other apps.
        if (another) void store.reload();
        dialog.close();
        dialog.remove();
        giveBack();
        resolve();
      },
    });
    const dialog = el("dialog", { class: "sign-in-dialog", "aria-labelledby": titleId, on: { cancel: (event) => event.preventDefault() } },
      el("div", { class: "dialog-head" }, el("h2", { id: titleId }, signInStrings.again)),
      el("div", { class: "dialog-body" }, el("p", null, signInStrings.againHint), form.element));
    document.body.append(dialog);
    dialog.showModal();
    form.focus();
  });
}
