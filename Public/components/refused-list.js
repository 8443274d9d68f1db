// @ts-check
/** Lists the values of a file that cannot be published safely, and offers to take over the rest. */
import { el } from "../dom.js";
import { sayRefusal } from "../server-words.js";
import { importStrings } from "../strings/import.js";

/**
 * @param {import("../documents.js").Refused[]} refused
 * @param {HTMLInputElement} skip
 * @param {(codes: string[]) => void} accept plans again with these refusals overridden
 */
export function refusedList(refused, skip, accept) {
  const overridable = [...new Set(refused.filter((rule) => rule.overridable).map(({ code }) => code))];
  return el("section", { class: "panel refused" },
    el("h2", { tabindex: "-1" }, importStrings.refused),
    el("ul", null, refused.map((rule) =>
      el("li", null,
        el("code", null, rule.path), " = ", el("code", { dir: "auto" }, JSON.stringify(rule.value)),
        rule.line === undefined ? null : ` ${importStrings.line(rule.line)}`, el("br"),
        sayRefusal({ title: "", status: 422, ...rule })))),
    el("label", { class: "check" }, skip, importStrings.skip),
    overridable.length > 0
      ? el("label", { class: "check" },
        el("input", { type: "checkbox", name: "override", on: { change: () => accept(overridable) } }),
        importStrings.override(overridable.length < refused.length))
      : null);
}
