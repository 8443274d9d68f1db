// @ts-check
/** Lists the values of a file that cannot be published safely, and offers to take over the rest. */
import { el } from "../dom.js";
import { importStrings } from "../strings/import.js";

/** @param {import("../documents.js").Refused[]} refused @param {HTMLInputElement} skip */
export function refusedList(refused, skip) {
  return el("section", { class: "panel refused" },
    el("h2", { tabindex: "-1" }, importStrings.refused),
    el("ul", null, refused.map((rule) =>
      el("li", null,
        el("code", null, rule.path), " = ", el("code", { dir: "auto" }, JSON.stringify(rule.value)),
        rule.line === undefined ? null : ` ${importStrings.line(rule.line)}`, el("br"), rule.detail))),
    el("label", { class: "check" }, skip, importStrings.skip));
}
