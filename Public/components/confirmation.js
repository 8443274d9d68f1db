// @ts-check
/** Reason and typed confirmation, as far as the server's plan asks for them. */
import { el } from "../dom.js";
import { store } from "../store.js";
import { strings } from "../strings/shared.js";
import { field } from "./field.js";

/** @typedef {import("./field.js").Field} Field */

/** The fields that a plan does not depend on. */
export const BESIDE_THE_PLAN = ["reason", "confirm", "storeChecked"];

/**
 * Normalises a typed phrase: surrounding spaces and case do not matter.
 * @param {string} text
 */
const normal = (text) => text.trim().toLowerCase();

/** @param {boolean} [restricts] whether a reason is to be expected before a plan says so, where the environment asks for one */
export function confirmation(restricts = false) {
  const reasonNote = el("span", null, strings.optional);
  const reason = field(el("input", { type: "text", name: "reason", autocomplete: "off", maxlength: 500, dir: "auto" }), {
    label: strings.dialog.reason, hint: strings.dialog.reasonHint, note: "",
  });
  reason.element.querySelector(".field-head")?.append(reasonNote);
  reasonNote.className = "note";

  const phrase = el("code", { class: "phrase" });
  const means = el("span", { class: "note" });
  const confirm = field(el("input", {
    type: "text", name: "confirm", autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false",
    enterkeyhint: "done",
  }), { label: [`${strings.dialog.confirmType} `, phrase, ` ${strings.dialog.confirm}`, means] });
  confirm.element.hidden = true;

  /** @type {import("../documents.js").Plan | null} */
  let plan = null;

  const matches = () => !plan?.confirm || normal(confirm.control.value) === normal(plan.confirm);
  let isExpected = false;
  const isRequired = () => (plan ? plan.reasonRequired : isExpected);
  const reasoned = () => !isRequired() || reason.control.value.trim() !== "";

  function paintReason() {
    reasonNote.textContent = isRequired() ? strings.required : strings.optional;
    if (isRequired()) reason.control.setAttribute("aria-required", "true");
    else reason.control.removeAttribute("aria-required");
  }

  /** @param {boolean} now whether what is drafted keeps people out */
  function expect(now) {
    isExpected = now && Boolean(store.status?.environment.protected);
    paintReason();
  }
  expect(restricts);

  return {
    element: el("div", { class: "confirmation" }, reason.element, confirm.element),
    fields: { reason, confirm }, expect,

    /** @param {import("../documents.js").Plan} next */
    apply(next) {
      // The phrase has changed, so what was typed for the old one no longer counts.
      if (plan && plan.confirm !== next.confirm) confirm.control.value = "";
      plan = next;
      phrase.textContent = next.confirm ?? "";
      // The phrase comes from the server and is the same for every client, but the buttons here say “block”.
      means.textContent = next.confirm?.startsWith("kill ") ? ` ${strings.dialog.killMeans}` : "";
      confirm.element.hidden = next.confirm === null;
      paintReason();
    },

    /** Whether the button may look ready. */
    ready: () => matches() && reasoned(),

    /**
     * Shows at each field what is missing.
     * @returns {Field[]} in reading order
     */
    missing() {
      const fields = [];
      if (!reasoned()) {
        reason.error(strings.dialog.reasonMissing);
        fields.push(reason);
      }
      if (!matches()) {
        confirm.error(strings.dialog.confirmMissing(plan?.confirm ?? ""));
        fields.push(confirm);
      }
      return fields;
    },

    /** The two members of the request's body. */
    values() {
      const given = reason.control.value.trim();
      return { ...(given ? { reason: given } : {}), ...(plan?.confirm ? { confirm: confirm.control.value.trim() } : {}) };
    },

    /** The facts have changed, so a confirmation typed for the old ones is void. */
    reset() {
      plan = null;
      paintReason();
      confirm.element.hidden = true;
      confirm.control.value = "";
      confirm.error(null);
    },
  };
}
