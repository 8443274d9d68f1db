// @ts-check
/** "Let people in": all at once, or gradually, so that not all phones return in the same second. */
import { el } from "../dom.js";
import { dialogStrings } from "../strings/dialogs.js";
import { field } from "./field.js";

/** Seconds that are offered. */
const SPANS = [60, 600, 1800, 3600];

/** @returns {import("./field.js").Field} */
export function overField() {
  const choice = el("select", { name: "over" },
    el("option", { value: "" }, dialogStrings.open.atOnce),
    SPANS.map((seconds) => el("option", { value: String(seconds) }, dialogStrings.open.over(seconds / 60))));
  return field(choice, { label: dialogStrings.open.letIn, hint: dialogStrings.open.letInHint });
}

/**
 * The request's `over` member: none if people are let in at once, or if there is no kill switch to lift.
 * @param {import("./field.js").Field} chosen
 * @param {import("../documents.js").Target[]} targets as they are now
 * @returns {{ over?: number }}
 */
export function overOf(chosen, targets) {
  const seconds = Number(chosen.control.value);
  return seconds > 0 && targets.every((target) => target.gate.killSwitch) ? { over: seconds } : {};
}
