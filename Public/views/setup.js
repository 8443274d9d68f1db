// @ts-check
/** `#/setup/CODE`: creates the first administrator, with the link that the server printed. */
import * as api from "../api.js";
import { el, show } from "../dom.js";
import { setupStrings } from "../strings/setup.js";
import { strings } from "../strings/shared.js";
import { signInStrings } from "../strings/sign-in.js";
import { doorForm, newPasswordField } from "../components/door-form.js";
import { field } from "../components/field.js";

/** @param {{ code: string, needed: boolean, done: (session: import("../documents.js").Session) => void, leave: () => void }} options */
export function setupView({ code, needed, done, leave }) {
  const main = el("main", { class: "door", id: "main", tabindex: "-1" });
  const name = field(
    el("input", {
      type: "text", name: "username", autocomplete: "username", autocapitalize: "none", autocorrect: "off", spellcheck: "false",
      required: true,
    }),
    { label: signInStrings.username },
  );
  const password = newPasswordField();
  /** Whether an earlier press may have made the administrator, without an answer or without signing in. */
  let isPerhapsMade = false;

  /** @param {string} username */
  async function setUp(username) {
    try {
      await api.request("POST", "/setup", { body: { code, username, password: password.control.value }, asIs: true });
    } catch (error) {
      isPerhapsMade ||= error instanceof api.NoAnswer;
      // The link was perhaps used up by this very page; then the name and the password written here sign in.
      if (!isPerhapsMade || !(error instanceof api.APIError) || error.code !== "setup_code") throw error;
    }
    isPerhapsMade = true;
  }

  const form = doorForm({
    fields: { "/username": name, "/password": password }, action: setupStrings.action, busy: setupStrings.busy,
    isReady: () => {
      if (name.control.value.trim() !== "") return password.isLongEnough();
      name.error(signInStrings.missingUsername);
      name.control.focus();
      return false;
    },
    send: async () => {
      await setUp(name.control.value.trim());
      done(await api.signIn(name.control.value.trim(), password.control.value));
    },
  });

  show(main, el("p", { class: "brand-large" }, strings.product), el("h1", { tabindex: "-1" }, setupStrings.title),
    needed
      ? [el("p", null, setupStrings.intro), form.element]
      : [
        el("p", null, setupStrings.done),
        el("div", { class: "actions" }, el("a", { class: "button primary", href: "#/", on: { click: leave } }, setupStrings.doneLink)),
      ]);
  return { title: setupStrings.title, element: main, focus: () => needed && name.control.focus() };
}
