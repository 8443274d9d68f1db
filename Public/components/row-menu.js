// @ts-check
/** The "⋯" button: more actions for one row, in a list that opens under it and closes by itself. */
import { el } from "../dom.js";
import { icon } from "../icons.js";

/**
 * @param {string} name the button's accessible name
 * @param {string} key keeps the focus across a repaint
 * @param {import("../dom.js").Child[]} items links and buttons
 */
export function rowMenu(name, key, items) {
  const button = el("summary", { class: "icon-button", "aria-label": name, "data-key": key }, icon("more"));
  const menu = el("details", {
    class: "row-menu",
    on: {
      toggle: () => {
        if (!menu.open) return;
        const closing = new AbortController();
        const close = () => { closing.abort(); menu.open = false; };
        menu.addEventListener("toggle", () => closing.abort(), { once: true, signal: closing.signal });
        for (const event of ["pointerdown", "focusin"]) {
          document.addEventListener(event, (somewhere) => {
            if (!menu.contains(/** @type {Node} */ (somewhere.target))) close();
          }, { signal: closing.signal });
        }
      },
      keydown: (event) => {
        if (event.key !== "Escape" || !menu.open) return;
        menu.open = false;
        button.focus();
      },
    },
  }, button, el("ul", null, items.filter(Boolean).map((item) => el("li", null, item))));
  return menu;
}
