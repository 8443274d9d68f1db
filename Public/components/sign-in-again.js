// @ts-check
/** Asks for name and password over a page whose session has ended, keeping all that was typed; or leads to the proxy that signs in. */
import { el, uniqueId } from "../dom.js";
import { store } from "../store.js";
import { signInStrings } from "../strings/sign-in.js";
import { focusReturn } from "./focus-return.js";
import { heldDialog } from "./held-dialog.js";
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
  return store.session?.origin === "proxy" ? askProxy() : askPassword();
}

/**
 * Only loading the page again leads to the proxy's sign-in; drafts survive that.
 * @returns {Promise<void>} never
 */
function askProxy() {
  const titleId = uniqueId("again");
  const action = el("button", { type: "button", class: "button primary", on: { click: () => location.reload() } }, signInStrings.action);
  const dialog = el("dialog", { class: "sign-in-dialog", "aria-labelledby": titleId },
    el("div", { class: "dialog-head" }, el("h2", { id: titleId }, signInStrings.again)),
    el("div", { class: "dialog-body" }, el("p", null, signInStrings.againByProxy), el("div", { class: "actions" }, action)));
  heldDialog(dialog);
  document.body.append(dialog);
  dialog.showModal();
  action.focus();
  return new Promise(() => undefined);
}

/** @returns {Promise<void>} */
function askPassword() {
  return new Promise((resolve) => {
    const titleId = uniqueId("again");
    const giveBack = focusReturn();
    const form = signInForm({
      username: store.session?.user.username,
      done: (session) => {
        store.setSession(session);
        end();
      },
    });
    const dialog = el("dialog", { class: "sign-in-dialog", "aria-labelledby": titleId },
      el("div", { class: "dialog-head" }, el("h2", { id: titleId }, signInStrings.again)),
      el("div", { class: "dialog-body" }, el("p", null, signInStrings.againHint), form.element));
    const end = heldDialog(dialog, { closed: () => { dialog.remove(); giveBack(); resolve(); } });
    document.body.append(dialog);
    dialog.showModal();
    form.focus();
  });
}
