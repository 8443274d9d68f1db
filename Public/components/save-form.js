// @ts-check
/** A small form that saves settings: the server's field errors beside the fields, its success beside the button. */
import * as api from "../api.js";
import { el } from "../dom.js";
import { settingsStrings } from "../strings/settings.js";
import { strings } from "../strings/shared.js";

/**
 * @param {{ fields: Record<string, import("./field.js").Field>, content: import("../dom.js").Child[], allowed: boolean, label?: string,
 *   told?: string, save: () => Promise<unknown>, saved: () => Promise<void> }} options
 *   `fields` by the last member of the server's field pointer; a `save` that resolves to false has said itself what is missing
 */
export function saveForm({ fields, content, allowed, label = settingsStrings.save, told: success = settingsStrings.saved, save, saved }) {
  const problem = el("div", { class: "problem", role: "alert" });
  const told = el("span", { role: "status", class: "hint" });
  const action = el("button", { type: "submit", class: "button" }, label);
  let busy = false;

  async function submit() {
    if (busy) return;
    busy = true;
    problem.textContent = "";
    told.textContent = settingsStrings.saving;
    try {
      const sent = await save();
      if (sent !== false) await saved();
      told.textContent = sent === false ? "" : success;
    } catch (error) {
      told.textContent = "";
      if (error instanceof api.NoAnswer) problem.textContent = strings.dialog.uncertainHint;
      else if (error instanceof api.APIError) refuse(error.problem);
      else throw error;
    } finally {
      busy = false;
    }
  }

  /** @param {api.Problem} refusal */
  function refuse(refusal) {
    const members = (refusal.field ?? "").split("/");
    const field = members.map((member) => fields[member]).find(Boolean);
    if (field) { field.error(refusal.detail); field.control.focus(); }
    else problem.textContent = strings.dialog.refused(refusal.detail || refusal.title, refusal.requestId);
  }

  return el("form", {
    class: "stack", novalidate: true,
    on: { submit: (event) => { event.preventDefault(); if (allowed) void submit(); }, input: () => { told.textContent = ""; } },
  },
    content, problem, allowed ? el("div", { class: "actions" }, action, told) : null);
}
