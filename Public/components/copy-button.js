// @ts-check
import { el } from "../dom.js";
import { icon } from "../icons.js";
import { strings } from "../strings/shared.js";

const SHOWN_FOR = 2000;

/**
 * A button that copies a text and says so in its own label.
 * @param {string} label the visible text
 * @param {() => string} text
 * @param {{ name?: string, class?: string, key?: string }} options `name`: its accessible name where several stand together; `key` finds it
 *   again after a live update
 */
export function copyButton(label, text, { name, class: className = "button quiet", key } = {}) {
  const word = el("span", { "aria-live": "polite" }, label);
  const button = el("button", { type: "button", class: className, "aria-label": name, "data-key": key }, icon("copy"), word);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      word.textContent = strings.copied;
    } catch {
      // The browser refused, or the page is not on HTTPS; the text is on the page and can be selected.
      word.textContent = strings.copyFailed;
    }
    clearTimeout(timer);
    timer = setTimeout(() => { word.textContent = label; }, SHOWN_FOR);
  });
  return button;
}
