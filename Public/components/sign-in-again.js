// @ts-check
/** Asks for name and password over a page whose session has ended, keeping all that was typed; or leads to the proxy that signs in. */
import { APIError, NoAnswer, session } from "../api.js";
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

/** The session that this browser has by now; null if it has none, or that cannot be asked. */
async function sessionNow() {
  try {
    return await session();
  } catch (error) {
    if (!(error instanceof APIError) && !(error instanceof NoAnswer)) throw error;
    return null;
  }
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
    const over = new AbortController();
    const end = heldDialog(dialog, { closed: () => { over.abort(); dialog.remove(); giveBack(); resolve(); } });
    // Another tab of this browser may have signed in meanwhile.
    const look = async () => {
      const current = await sessionNow();
      if (!current || over.signal.aborted) return;
      store.setSession(current);
      end();
    };
    document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") void look(); }, over);
    addEventListener("focus", () => void look(), over);
    document.body.append(dialog);
    dialog.showModal();
    form.focus();
  });
}
