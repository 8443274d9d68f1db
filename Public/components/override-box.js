// @ts-check
/** Offers to go on over a refusal that may be overridden, once it has been read. */
import { el } from "../dom.js";
import { strings } from "../strings/shared.js";

/**
 * @param {string} code the refusal's
 * @param {Set<string>} accepted those that are overridden; the box puts its own in and takes it out
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
