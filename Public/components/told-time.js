// @ts-check
/** A line under a field that says a time and how far off it is. It is announced when it is set, and then stays true in silence. */
import { el, show } from "../dom.js";
import { saidElement } from "../time.js";

export function toldTime() {
  const element = el("p", { class: "hint", "aria-live": "polite" });
  let current = () => "";
  return {
    element,
    /** @param {() => string} say called every second from then on; empty: there is nothing to say */
    tell(say) {
      current = say;
      if (say() === element.textContent) return;
      element.setAttribute("aria-live", "polite");
      let isNew = true;
      show(element, saidElement(() => {
        // Nobody wants to hear a countdown while they write.
        if (!isNew) element.setAttribute("aria-live", "off");
        isNew = false;
        return current();
      }));
    },
  };
}
