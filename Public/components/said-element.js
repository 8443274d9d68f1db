// @ts-check
/** `<gh-said>`: a text that stays true while it is shown. It is said again every second, and hidden while there is nothing to say. */
import { tick } from "../time.js";

class Said extends HTMLElement {
  /** @type {() => string} */
  say = () => "";
  #stop = new AbortController();

  connectedCallback() {
    /** @type {string | null} */
    let said = null;
    const write = () => {
      const text = this.say();
      if (text === said) return;
      said = text;
      this.replaceChildren(text);
      this.toggleAttribute("hidden", text === "");
    };
    write();
    this.#stop = new AbortController();
    tick(write, this.#stop.signal);
  }

  disconnectedCallback() {
    this.#stop.abort();
  }
}
customElements.define("gh-said", Said);

/** @param {() => string} say called every second while the text is shown; empty: there is nothing to say */
export function saidElement(say) {
  const element = /** @type {Said} */ (document.createElement("gh-said"));
  element.say = say;
  return element;
}
