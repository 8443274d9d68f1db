// @ts-check
/** "Version 4.2.0 can be downloaded from the store": without the tick, people might be told to install what they cannot get. */
import { el } from "../dom.js";
import { targetStrings } from "../strings/target.js";
import { field } from "./field.js";

/** @typedef {import("./field.js").Field} Field */

/**
 * @param {import("./field.js").Control} [version] its field; a new version clears the tick, which vouched for the old one
 * @param {(version: string) => string} [said]
 */
export function storeTick(version, said = targetStrings.ruleDialog.storeChecked) {
  const written = () => version?.value.trim() ?? "";
  const box = el("input", { type: "checkbox", name: "storeChecked" });
  const tick = field(box, { label: said(written()) });
  tick.element.classList.add("tick");
  let vouched = written();
  const follow = () => {
    if (written() === vouched) return;
    vouched = written();
    box.checked = false;
    tick.label.textContent = said(vouched);
  };
  for (const event of ["input", "gh-restored"]) version?.addEventListener(event, follow);
  return {
    element: tick.element,
    field: tick,
    isMissing: () => !box.checked,
    /**
     * Needed for publishing, not for the plan: the review is shown before anybody has to vouch for anything.
     * @param {Field[]} missing
     */
    need(missing) {
      if (box.checked) return;
      tick.error(targetStrings.ruleDialog.storeMissing);
      missing.push(tick);
    },
  };
}
