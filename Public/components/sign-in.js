// @ts-check
/** Name and password: on the page that stands at the door, and over a page whose session has ended, where all that was written stays. */
import * as api from "../api.js";
import { el, uniqueId } from "../dom.js";
import { store } from "../store.js";
import { strings } from "../strings/shared.js";
import { signInStrings } from "../strings/sign-in.js";
import { field, passwordField } from "./field.js";
import { focusReturn } from "./focus-return.js";

/** @param {{ username?: string, done: (session: api.Session) => void }} options */
function signInForm({ username = "", done }) {
  const name = field(
    el("input", {
      type: "text", name: "username", autocomplete: "username", autocapitalize: "none", autocorrect: "off", spellcheck: "false",
      required: true, value: username,
    }),
    { label: signInStrings.username },
  );
  const password = passwordField({ name: "password", label: signInStrings.password, autocomplete: "current-password" });
  const code = field(
    el("input", { name: "totp", autocomplete: "one-time-code", autocapitalize: "none", spellcheck: "false" }),
    { label: signInStrings.code, hint: signInStrings.codeHint },
  );
  // Whether an account has a second factor is told to nobody who does not know its password.
  code.element.hidden = true;
  const problem = el("div", { class: "problem", role: "alert" });
  const action = el("button", { type: "submit", class: "button primary" }, signInStrings.action);
  let busy = false;

  async function submit() {
    if (busy) return;
    problem.textContent = "";
    if (name.control.value.trim() === "") { name.error(signInStrings.missingUsername); return name.control.focus(); }
    if (password.control.value === "") { password.error(signInStrings.missingPassword); return password.control.focus(); }
    busy = true;
    action.textContent = signInStrings.busy;
    try {
      done(await api.signIn(name.control.value.trim(), password.control.value, code.control.value.trim()));
    } catch (error) {
      if (!(error instanceof api.APIError) && !(error instanceof api.NoAnswer)) throw error;
      if (error instanceof api.APIError && error.code.includes("totp")) {
        problem.textContent = code.element.hidden ? signInStrings.codeMissing : signInStrings.codeWrong;
        code.element.hidden = false;
        return code.control.focus();
      }
      problem.textContent = explain(error);
      if (error instanceof api.APIError && error.status === 401) password.control.focus();
    } finally {
      busy = false;
      action.textContent = signInStrings.action;
    }
  }

  const element = el("form", { class: "stack", novalidate: true, on: { submit: (event) => { event.preventDefault(); void submit(); } } },
    name.element, password.element, code.element, problem, el("div", { class: "actions" }, action));
  return { element, focus: () => (username ? password : name).control.focus() };
}

/**
 * What went wrong at the door, where no field is to blame.
 * @param {api.APIError | api.NoAnswer} error
 */
export function explain(error) {
  if (error instanceof api.NoAnswer) return strings.dialog.noAnswer;
  if (error.status === 401) return signInStrings.wrong;
  if (error.status === 429) return signInStrings.wait(error.retryAfter ?? 1);
  if (error.status === 503) return signInStrings.busyServer;
  return strings.dialog.refused(error.message, error.problem.requestId);
}

/** @param {{ needed: boolean, done: (session: import("../api.js").Session) => void }} options `needed`: there is no user yet */
export function signInView({ needed, done }) {
  if (needed) {
    return { title: signInStrings.title, focus: () => {}, element: el("main", { class: "door", id: "main", tabindex: "-1" },
      el("p", { class: "brand-large" }, strings.product),
      el("h1", { tabindex: "-1" }, signInStrings.notSetUp),
      el("p", null, signInStrings.notSetUpHint)) };
  }
  const form = signInForm({ done });
  return { title: signInStrings.title, focus: form.focus, element: el("main", { class: "door", id: "main", tabindex: "-1" },
    el("p", { class: "brand-large" }, strings.product), el("h1", { tabindex: "-1" }, signInStrings.title), form.element) };
}

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
