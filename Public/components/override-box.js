// @ts-check
/** A box to override a refusal, where the server allows that. */
import { el } from "../dom.js";
import { strings } from "../strings/shared.js";

/**
 * @param {string} code the refusal's
 * @param {Set<string>} accepted the overridden codes; the box adds or removes its own
 * @param {() => void} [changed]
 */
export function overrideBox(code, accepted, changed) {
  const box = el("input", {
    type: "checkbox", name: "override",
    on: {
      change: () => {
        if (box.checked) accepted.add(code);
        else accepted.delete(code);
        changed?.();
      },
    },
  });
  return el("label", { class: "check" }, box, strings.dialog.override);
}
