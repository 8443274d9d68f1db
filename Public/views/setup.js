// @ts-check
/** `#/setup/CODE`: the first administrator, by the link that the server printed. */
import * as api from "../api.js";
import { el, show } from "../dom.js";
import { setupStrings } from "../strings/setup.js";
import { strings } from "../strings/shared.js";
import { signInStrings } from "../strings/sign-in.js";
import { field, passwordField } from "../components/field.js";

const SHORTEST = 12;

/** @param {{ code: string, needed: boolean, done: (session: api.Session) => void, leave: () => void }} options */
export function setupView({ code, needed, done, leave }) {
  const main = el("main", { class: "door", id: "main", tabindex: "-1" });
  const name = field(
    el("input", {
      type: "text", name: "username", autocomplete: "username", autocapitalize: "none", autocorrect: "off", spellcheck: "false",
      required: true,
    }),
    { label: signInStrings.username },
  );
  const password = passwordField({
    name: "password", label: signInStrings.password, hint: strings.passwordHint, autocomplete: "new-password",
  });
  const problem = el("div", { class: "problem", role: "alert" });
  const action = el("button", { type: "submit", class: "button primary" }, setupStrings.action);
  let busy = false;

  async function submit() {
    if (busy) return;
    problem.textContent = "";
    if (name.control.value.trim() === "") { name.error(signInStrings.missingUsername); return name.control.focus(); }
    if ([...password.control.value].length < SHORTEST) { password.error(setupStrings.short); return password.control.focus(); }
    busy = true;
    action.textContent = setupStrings.busy;
    try {
      await api.setUp(code, name.control.value.trim(), password.control.value);
      done(await api.signIn(name.control.value.trim(), password.control.value));
    } catch (error) {
      if (error instanceof api.NoAnswer) problem.textContent = strings.dialog.noAnswer;
      else if (error instanceof api.APIError) refuse(error);
      else throw error;
    } finally {
      busy = false;
      action.textContent = setupStrings.action;
    }
  }

  /** @param {api.APIError} error */
  function refuse(error) {
    const at = { "/password": password, "/username": name }[error.problem.field ?? ""];
    if (at) { at.error(error.message); at.control.focus(); }
    else problem.textContent = strings.dialog.refused(error.message, error.problem.requestId);
  }

  show(main, el("p", { class: "brand-large" }, strings.product), el("h1", { tabindex: "-1" }, setupStrings.title),
    needed
      ? [
        el("p", null, setupStrings.intro),
        el("form", { class: "stack", novalidate: true, on: { submit: (event) => { event.preventDefault(); void submit(); } } },
          name.element, password.element, problem,
          el("div", { class: "actions" }, action)),
      ]
      : [
        el("p", null, setupStrings.done),
        el("div", { class: "actions" }, el("a", { class: "button primary", href: "#/", on: { click: leave } }, setupStrings.doneLink)),
      ]);
  return { title: setupStrings.title, element: main, focus: () => needed && name.control.focus() };
}
