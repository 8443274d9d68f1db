// @ts-check
/** The sign-in screen. When a session ends over an open page, sign-in-again.js asks instead. */
import * as api from "../api.js";
import { el } from "../dom.js";
import { strings } from "../strings/shared.js";
import { signInStrings } from "../strings/sign-in.js";
import { field, passwordField } from "./field.js";

/**
 * The field for the second factor.
 * @param {string} [note]
 */
export const codeField = (note) => field(
  el("input", { name: "totp", autocomplete: "one-time-code", autocapitalize: "none", spellcheck: "false" }),
  { label: signInStrings.code, hint: signInStrings.codeHint, note },
);

/** @param {{ username?: string, done: (session: import("../documents.js").Session) => void }} options */
export function signInForm({ username = "", done }) {
  const name = field(
    el("input", {
      type: "text", name: "username", autocomplete: "username", autocapitalize: "none", autocorrect: "off", spellcheck: "false",
      required: true, value: username,
    }),
    { label: signInStrings.username },
  );
  const password = passwordField({ name: "password", label: signInStrings.password, autocomplete: "current-password" });
  const code = codeField();
  // Hidden at first: whether an account has a second factor is revealed only to those who know its password.
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
 * What went wrong on signing in, if it is about no field.
 * @param {api.APIError | api.NoAnswer} error
 */
export function explain(error) {
  if (error instanceof api.NoAnswer) return strings.failed.noAnswer;
  if (error.status === 401) return signInStrings.wrong;
  if (error.status === 429) return signInStrings.wait(error.retryAfter ?? 1);
  // What else keeps the server from letting people in, it says itself: a recovery code may still open, or the database is away.
  if (error.status === 503 && (error.code === "busy" || !error.problem.detail)) return signInStrings.busyServer;
  return strings.dialog.refused(error.message, error.problem.requestId);
}

/** Shown after signing out if a proxy signs people in, but its sign-out address is not known. */
export function signedOutView() {
  const action = el("button", { type: "button", class: "button primary", on: { click: () => location.reload() } }, signInStrings.action);
  return { title: signInStrings.title, focus: () => action.focus(), element: el("main", { class: "door", id: "main", tabindex: "-1" },
    el("p", { class: "brand-large" }, strings.product), el("h1", { tabindex: "-1" }, signInStrings.signedOut),
    el("p", null, signInStrings.signedOutHint), el("div", { class: "actions" }, action)) };
}

/**
 * @param {{ needed: boolean, isPerhapsIn?: boolean, done: (session: import("../documents.js").Session) => void }} options
 *   `needed`: there is no user yet; `isPerhapsIn`: the server did not say that it has ended the session
 */
export function signInView({ needed, isPerhapsIn = false, done }) {
  if (needed) {
    return { title: signInStrings.title, focus: () => {}, element: el("main", { class: "door", id: "main", tabindex: "-1" },
      el("p", { class: "brand-large" }, strings.product),
      el("h1", { tabindex: "-1" }, signInStrings.notSetUp),
      el("p", null, signInStrings.notSetUpHint)) };
  }
  const form = signInForm({ done });
  return { title: signInStrings.title, focus: form.focus, element: el("main", { class: "door", id: "main", tabindex: "-1" },
    el("p", { class: "brand-large" }, strings.product), el("h1", { tabindex: "-1" }, signInStrings.title),
    isPerhapsIn ? el("p", { class: "callout", role: "alert" }, signInStrings.perhapsIn) : null, form.element) };
}
