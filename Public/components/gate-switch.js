// @ts-check
import { el, uniqueId } from "../dom.js";
import { strings } from "../strings/shared.js";

/**
 * A switch that shows what is live and never moves by itself: pressing it asks, and only a later `show` moves it.
 * Its label never changes with its state.
 * @param {{ label: string, key: string, describedBy?: string, press: () => void }} options
 *   `key` finds it again after a live update; `describedBy` is the element that says which target it belongs to
 */
export function gateSwitch({ label, key, describedBy, press }) {
  const id = uniqueId("switch");
  const word = el("span", { class: "switch-word", "aria-hidden": "true" });
  const input = el("input", {
    type: "checkbox", role: "switch", id, class: "switch", "data-key": key,
    "aria-labelledby": `${id}-label${describedBy ? ` ${describedBy}` : ""}`,
    on: {
      // A prevented click puts the box back where it was: it goes on showing the live state.
      click: (event) => { event.preventDefault(); press(); },
    },
  });
  const element = el("label", { class: "switch-row", for: id },
    el("span", { id: `${id}-label`, class: "switch-label" }, label),
    input, word);
  return {
    element,
    input,
    /** @param {boolean} on */
    show(on) {
      input.checked = on;
      word.textContent = on ? strings.on : strings.off;
    },
  };
}
