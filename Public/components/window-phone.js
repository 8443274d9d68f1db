// @ts-check
/** Shows how a phone of a planned window's targets will look while the window runs. */
import { el, show } from "../dom.js";
import { sayTarget } from "../gate.js";
import { nameOf } from "../store.js";
import { newWindowStrings } from "../strings/new-window.js";
import { targetStrings } from "../strings/target.js";
import { field } from "./field.js";
import { phonePreview } from "./phone-preview.js";

/** @typedef {import("../documents.js").Target} Target */

/** @param {AbortSignal} signal */
export function windowPhone(signal) {
  const choice = field(el("select", null), { label: newWindowStrings.shownOn });
  const phone = el("div");
  /** @type {{ of: string, stop: AbortController, preview: import("./phone-preview.js").Preview } | null} */
  let shown = null;
  signal.addEventListener("abort", () => shown?.stop.abort());

  /** @param {Target[]} targets */
  function offer(targets) {
    const names = targets.map(nameOf);
    if ([...choice.control.querySelectorAll("option")].map((option) => option.value).join() !== names.join()) {
      const before = choice.control.value;
      show(choice.control, targets.map((target) => el("option", { value: nameOf(target) }, sayTarget(target))));
      if (names.includes(before)) choice.control.value = before;
    }
    choice.element.hidden = targets.length < 2;
  }

  return {
    element: el("aside", { class: "planner-side", "aria-label": newWindowStrings.preview },
      // Folded on a phone.
      el("details", { open: !matchMedia("(max-width: 640px)").matches },
        el("summary", null, el("h2", null, newWindowStrings.preview)), choice.element, phone)),

    /** @param {Target[]} targets @param {Record<string, object> | null} rules */
    show(targets, rules) {
      offer(targets);
      const target = targets.find((one) => nameOf(one) === choice.control.value);
      if (shown?.of !== (target && nameOf(target))) {
        shown?.stop.abort();
        shown = null;
        show(phone, target ? null : el("p", { class: "hint" }, targetStrings.preview.incomplete));
      }
      if (!target) return;
      if (!shown) {
        const stop = new AbortController();
        shown = { of: nameOf(target), stop, preview: phonePreview(target, stop.signal, { folded: true }) };
        show(phone, shown.preview.element);
      }
      shown.preview.show(target, rules);
    },
  };
}
