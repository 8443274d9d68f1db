// @ts-check
/** The form that sets a password before signing in: for the server's set-up, and for an invitation. */
import * as api from "../api.js";
import { el } from "../dom.js";
import { strings } from "../strings/shared.js";
import { signInStrings } from "../strings/sign-in.js";
import { passwordField } from "./field.js";
import { explain } from "./sign-in.js";

const SHORTEST = 12;

/** A field for choosing a password, with its rules. */
export function newPasswordField() {
  const password = passwordField({
    name: "password", label: signInStrings.password, hint: strings.passwordHint, autocomplete: "new-password",
  });
  return {
    ...password,
    /** Whether it is long enough to be sent; if not, shows the error. */
    isLongEnough() {
      if ([...password.control.value].length >= SHORTEST) return true;
      password.error(signInStrings.short);
      password.control.focus();
      return false;
    },
  };
}

/**
 * @param {object} options
 * @param {Record<string, import("./field.js").Field>} options.fields by the server's field pointer, in their order
 * @param {string} options.action
 * @param {string} options.busy the button's text while sending
 * @param {() => boolean} options.isReady if false, has shown what is missing
 * @param {() => Promise<void>} options.send
 * @param {(error: api.APIError) => boolean} [options.refused] gets each refusal first, and returns whether it has shown it
 */
export function doorForm({ fields, action: label, busy: working, isReady, send, refused = () => false }) {
  const problem = el("div", { class: "problem", role: "alert" });
  const action = el("button", { type: "submit", class: "button primary" }, label);
  let busy = false;

  async function submit() {
    if (busy) return;
    problem.textContent = "";
    if (!isReady()) return;
    busy = true;
    action.textContent = working;
    try {
      await send();
    } catch (error) {
      if (error instanceof api.APIError) { if (!refused(error)) refuse(error); }
      else if (error instanceof api.NoAnswer) problem.textContent = explain(error);
      else throw error;
    } finally {
      busy = false;
      action.textContent = label;
    }
  }

  /** @param {api.APIError} error */
  function refuse(error) {
    const at = fields[error.problem.field ?? ""];
    if (!at) { problem.textContent = explain(error); return; }
    at.error(error.message);
    at.control.focus();
  }

  const element = el("form", { class: "stack", novalidate: true, on: { submit: (event) => { event.preventDefault(); void submit(); } } },
    Object.values(fields).map((one) => one.element), problem, el("div", { class: "actions" }, action));
  /** @param {string} text shown above the button, where the server's refusals appear */
  const tell = (text) => { problem.textContent = text; };
  return { element, tell };
}
