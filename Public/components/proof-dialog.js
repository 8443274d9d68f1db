// @ts-check
/** Asks for the password once more, so that somebody who finds an unlocked browser cannot create people or delete anything. */
import { reauthenticate } from "../api-people.js";
import * as api from "../api.js";
import { el, uniqueId } from "../dom.js";
import { store } from "../store.js";
import { shellStrings, strings } from "../strings/shared.js";
import { signInStrings } from "../strings/sign-in.js";
import { passwordField } from "./field.js";
import { focusReturn } from "./focus-return.js";
import { codeField, explain } from "./sign-in.js";

/** @type {Promise<void> | null} */
let pending = null;

/**
 * Several requests that need it ask only once.
 * @param {() => void} signOut for people whom a proxy signs in, who have no password here
 * @returns {Promise<void>} rejects when it is cancelled
 */
export function proveAgain(signOut) {
  pending ??= (store.session?.origin === "proxy" ? askProxy(signOut) : ask()).finally(() => { pending = null; });
  return pending;
}

/** @param {api.APIError} error */
function refusal(error) {
  if (error.status !== 401) return explain(error);
  return error.code === "totp_required" ? signInStrings.codeMissing : signInStrings.proofWrong;
}

const cancelled = (/** @type {string} */ why) =>
  new api.APIError({ title: strings.cancel, status: 403, code: "cancelled", detail: why }, null);

/**
 * @param {() => void} signOut
 * @returns {Promise<void>} rejects
 */
function askProxy(signOut) {
  return new Promise((_, reject) => {
    const titleId = uniqueId("proof");
    const giveBack = focusReturn();
    const action = el("button", {
      type: "button", class: "button primary", on: { click: () => { dialog.close(); signOut(); } },
    }, shellStrings.signOut);
    /** @type {HTMLDialogElement} */
    const dialog = el("dialog", {
      class: "sign-in-dialog", "aria-labelledby": titleId,
      on: { close: () => { dialog.remove(); giveBack(); reject(cancelled(signInStrings.proofByProxy)); } },
    },
      el("div", { class: "dialog-head" }, el("h2", { id: titleId }, signInStrings.proofOfProxy)),
      el("div", { class: "dialog-body" },
        el("p", null, signInStrings.proofByProxy),
        el("div", { class: "actions" },
          el("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, strings.cancel), action)));
    document.body.append(dialog);
    dialog.showModal();
    action.focus();
  });
}

/** @returns {Promise<void>} */
function ask() {
  return new Promise((resolve, reject) => {
    const titleId = uniqueId("proof");
    const giveBack = focusReturn();
    const password = passwordField({ name: "password", label: signInStrings.password, autocomplete: "current-password" });
    const code = codeField(strings.optional);
    const problem = el("div", { class: "problem", role: "alert" });
    let proven = false;
    let busy = false;

    async function submit() {
      // A password or a code that is given twice counts as two tries.
      if (busy) return;
      busy = true;
      problem.textContent = "";
      try {
        await reauthenticate(password.control.value, code.control.value.trim());
        proven = true;
        dialog.close();
      } catch (error) {
        if (error instanceof api.NoAnswer) problem.textContent = strings.failed.noAnswer;
        else if (error instanceof api.APIError) problem.textContent = refusal(error);
        else throw error;
        password.control.focus();
      } finally {
        busy = false;
      }
    }

    /** @type {HTMLDialogElement} */
    const dialog = el("dialog", {
      class: "sign-in-dialog", "aria-labelledby": titleId,
      on: {
        close: () => {
          dialog.remove();
          giveBack();
          if (proven) resolve();
          else reject(cancelled(signInStrings.proofHint));
        },
      },
    },
      el("div", { class: "dialog-head" }, el("h2", { id: titleId }, signInStrings.proof)),
      el("form", { class: "dialog-body", novalidate: true, on: { submit: (event) => { event.preventDefault(); void submit(); } } },
        el("p", null, signInStrings.proofHint), password.element, code.element, problem,
        el("div", { class: "actions" },
          el("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, strings.cancel),
          el("button", { type: "submit", class: "button primary" }, signInStrings.proofAction))));
    document.body.append(dialog);
    dialog.showModal();
    password.control.focus();
  });
}
