// @ts-check
/** A small form that saves settings, with the server's field errors beside the fields and success beside the button. */
import * as api from "../api.js";
import { el } from "../dom.js";
import { sayRefused } from "../server-words.js";
import { afterwards } from "../store.js";
import { settingsStrings } from "../strings/settings.js";
import { strings } from "../strings/shared.js";
import { openPlanDialog } from "./plan-dialog.js";

/** @typedef {import("../api-apps.js").Terms} Terms */
/**
 * @typedef {object} Options
 * @property {Record<string, import("./field.js").Field>} fields by the last member of the server's field pointer
 * @property {import("../dom.js").Child[]} content
 * @property {boolean} allowed
 * @property {string} [label]
 * @property {string} [about] what it saves, if the button's text does not say so
 * @property {string} [told]
 * @property {(terms: Terms, key?: string) => Promise<any>} save resolves to false if something is missing and it has shown that
 * @property {(answer: any) => Promise<void>} saved
 * @property {(refusal: import("../documents.js").Problem) => Promise<string>} [overtaken] somebody else changed meanwhile what this
 *   replaces: makes the next save start from what is there now, and resolves to what to say
 * @property {() => Promise<void>} [lost] a write got no answer: reads again what it may have done
 * @property {() => string} [asks] the title of the question about a save that affects people; without it, saves are not planned first
 */

/**
 * Whether a save needs no question: it lets nobody in and keeps nobody out, and the plan has no warnings.
 * @param {import("../documents.js").Plan} plan
 */
function isQuiet({ tier, confirm, reasonRequired, effects = [], warnings, omitted }) {
  return tier < 2 && confirm === null && !reasonRequired && warnings.length === 0 && !omitted
    // An effect that was the same before does not come from this save.
    && effects.every(({ before, after, meant }) => after === meant || after === before);
}

/**
 * Whether a text can be a part of an address. The server would say of any other that there is no such address, and not what is wrong.
 * @param {string} text
 */
export const isPathPart = (text) => !/^\.{0,2}$|\//.test(text);

/** @param {Options} options */
export function saveForm(options) {
  const { fields, content, allowed, label = settingsStrings.save, about, saved, asks, overtaken, lost } = options;
  const { told: success = settingsStrings.saved } = options;
  const problem = el("div", { class: "problem", role: "alert" });
  const told = el("span", { role: "status", class: "hint" });
  const action = el("button", { type: "submit", class: "button", "aria-label": about ? strings.about(label, about) : null }, label);
  let busy = false;
  /** Whether a write was sent, so that something may have been saved. */
  let wrote = false;
  /** @type {string | null} what to say of a save that somebody else overtook */
  let news = null;

  /** @param {Terms} terms @param {string} [key] */
  async function save(terms, key) {
    try {
      return await options.save(terms, key);
    } catch (error) {
      if (overtaken && error instanceof api.APIError && error.code === "stale_values") {
        await afterwards(overtaken(error.problem).then((said) => { news = said; }));
      }
      throw error;
    }
  }

  /** @param {Terms} terms @param {string} [key] */
  function write(terms, key) {
    wrote = true;
    return save(terms, key);
  }

  /**
   * Plans the save first; if somebody has to look at the plan, opens a dialog before saving.
   * @param {string} title
   */
  async function planned(title) {
    /** @type {{ plan: import("../documents.js").Plan } | { refusal: api.APIError }} */
    let known;
    try {
      const answer = await save({ dryRun: true });
      if (answer === false) return false;
      if (isQuiet(answer.plan)) return await write({});
      // Whoever has gone to another screen is asked nothing there; nothing was saved.
      if (!form.isConnected) return false;
      known = answer;
    } catch (error) {
      if (!(error instanceof api.APIError) || !(error.problem.plan || error.problem.overridable)) throw error;
      known = { refusal: error };
    }
    told.textContent = "";
    return openPlanDialog({
      title, working: settingsStrings.saving, known,
      ask: async (terms) => (await save({ ...terms, dryRun: true })).plan,
      // The form cannot change while the dialog covers it.
      send: (terms, { keyFor }) => write(terms, keyFor(terms)),
    });
  }

  async function submit() {
    if (busy) return;
    busy = true;
    wrote = false;
    news = null;
    problem.textContent = "";
    told.textContent = settingsStrings.saving;
    try {
      const sent = await (asks ? planned(asks()) : write({}));
      const isDone = sent !== false && !(asks && sent === null);
      if (isDone) await afterwards(saved(sent));
      told.textContent = isDone ? success : "";
    } catch (error) {
      told.textContent = "";
      if (error instanceof api.NoAnswer) {
        problem.textContent = wrote ? strings.dialog.outcomeUnknown : strings.dialog.noAnswer;
        if (wrote) void lost?.();
      }
      else if (error instanceof api.APIError) refuse(error.problem);
      else throw error;
    } finally {
      busy = false;
    }
  }

  /** @param {import("../documents.js").Problem} refusal */
  function refuse(refusal) {
    const members = (refusal.field ?? "").split("/");
    const field = members.map((member) => fields[member]).find(Boolean);
    if (news !== null) problem.textContent = news;
    else if (field) { field.error(refusal.detail); field.control.focus(); }
    else problem.textContent = sayRefused(refusal);
  }

  const form = el("form", {
    class: "stack", novalidate: true,
    on: { submit: (event) => { event.preventDefault(); if (allowed) void submit(); }, input: () => { told.textContent = ""; } },
  },
    content, problem, allowed ? el("div", { class: "actions" }, action, told) : null);
  return form;
}
