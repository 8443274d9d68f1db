// @ts-check
import * as api from "../api.js";
import { addApp, putPlatform } from "../api-apps.js";
import { el, uniqueId } from "../dom.js";
import { sayRefused } from "../server-words.js";
import { afterwards, store } from "../store.js";
import { newAppStrings } from "../strings/new-app.js";
import { platformName, strings } from "../strings/shared.js";
import { field } from "./field.js";

export const KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;
const USUAL = ["ios", "android"];

/**
 * Letters that are no other letter with a mark.
 * @type {Record<string, string>}
 */
const LETTERS = { ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ı: "i", ħ: "h" };

/**
 * A key derived from a name, as far as possible.
 * @param {string} name
 */
export const keyFrom = (name) => [...name.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")].map((one) => LETTERS[one] ?? one).join("")
  .replace(/[^a-z0-9]+/g, "-").replace(/^-+/, "").slice(0, 63).replace(/-+$/, "");

/**
 * @param {{ done: (app: import("../documents.js").App, trouble: string | null) => void }} options
 *   `trouble`: the app is there, but not all of its platforms are
 */
export function newAppForm({ done }) {
  const name = field(
    el("input", { name: "name", autocomplete: "off", required: true, dir: "auto" }),
    { label: newAppStrings.name, hint: newAppStrings.nameHint },
  );
  const key = field(
    el("input", {
      name: "key", autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false", required: true, class: "mono",
    }),
    { label: newAppStrings.key, hint: newAppStrings.keyHint },
  );
  const boxes = USUAL.map((platform) => el("input", { type: "checkbox", name: "platform", value: platform }));
  const other = field(
    el("input", { name: "other", autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false", class: "mono" }),
    { label: newAppStrings.otherPlatform, hint: newAppStrings.otherPlatformHint },
  );
  const platformError = el("p", { class: "error", id: uniqueId("platforms"), role: "alert" });
  const problem = el("div", { class: "problem", role: "alert" });
  const action = el("button", { type: "submit", class: "button primary" }, newAppStrings.add);
  let busy = false;
  let ownKey = false;
  key.control.addEventListener("input", () => { ownKey = key.control.value !== ""; });
  name.control.addEventListener("input", () => { if (!ownKey) { key.control.value = keyFrom(name.control.value); key.error(null); } });

  const chosen = () =>
    [...new Set([...boxes.filter((box) => box.checked).map((box) => box.value), other.control.value.trim()].filter(Boolean))];

  async function submit() {
    if (busy) return;
    problem.textContent = "";
    platformError.textContent = "";
    if (name.control.value.trim() === "") { name.error(newAppStrings.nameMissing); return name.control.focus(); }
    if (!KEY.test(key.control.value)) { key.error(newAppStrings.keyWrong); return key.control.focus(); }
    if (chosen().length === 0) { platformError.textContent = newAppStrings.platformsMissing; return boxes[0].focus(); }
    busy = true;
    action.textContent = newAppStrings.adding;
    try {
      await add();
    } finally {
      busy = false;
      action.textContent = newAppStrings.add;
    }
  }

  async function add() {
    try {
      const app = await addApp({ key: key.control.value, name: name.control.value.trim() });
      const trouble = await addPlatforms(app.key, chosen());
      await afterwards(store.reload());
      done(app, trouble);
    } catch (error) {
      if (error instanceof api.NoAnswer) problem.textContent = strings.dialog.outcomeUnknown;
      else if (error instanceof api.APIError) {
        const at = { "/key": key, "/name": name }[error.problem.field ?? ""] ?? (error.status === 409 ? key : undefined);
        if (at) { at.error(error.message); at.control.focus(); }
        else problem.textContent = sayRefused(error.problem);
      } else throw error;
    }
  }

  return el("form", { class: "stack", novalidate: true, on: { submit: (event) => { event.preventDefault(); void submit(); } } },
    name.element, key.element,
    el("fieldset", { "aria-describedby": platformError.id }, el("legend", null, newAppStrings.platforms),
      el("div", { class: "checks" }, boxes.map((box) => el("label", { class: "check" }, box, platformName(box.value)))),
      other.element, platformError),
    problem, el("div", { class: "actions" }, action));
}

/** @param {string} app @param {string[]} platforms @returns {Promise<string | null>} what went wrong, in words */
async function addPlatforms(app, platforms) {
  for (const platform of platforms) {
    try {
      await putPlatform(app, platform, {});
    } catch (error) {
      if (!(error instanceof api.APIError) && !(error instanceof api.NoAnswer)) throw error;
      return newAppStrings.partly(platform, error instanceof api.NoAnswer ? strings.failed.noAnswer : error.message);
    }
  }
  return null;
}
