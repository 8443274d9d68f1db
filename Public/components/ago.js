// @ts-check
import { el } from "../dom.js";
import { absolute, ago, lasting, tick, within } from "../time.js";

/**
 * `<gh-ago time="…">`: how long ago, counted on while it is shown; the absolute time is its title.
 * `lasting` says "14 min" in place of "14 min ago", `until` says "in 14 min".
 */
class Ago extends HTMLElement {
  #stop = new AbortController();

  connectedCallback() {
    const time = this.getAttribute("time") ?? "";
    const element = el("time", { datetime: time, title: absolute(time) });
    const write = () => {
      const text = this.hasAttribute("until") ? within(time) : this.hasAttribute("lasting") ? lasting(time) : ago(time);
      if (element.textContent !== text) element.textContent = text;
    };
    write();
    this.replaceChildren(element);
    this.#stop = new AbortController();
    tick(write, this.#stop.signal);
  }

  disconnectedCallback() {
    this.#stop.abort();
  }
}
customElements.define("gh-ago", Ago);

/** @param {string} time @param {boolean} [lasting] */
export function agoElement(time, lasting = false) {
  const element = document.createElement("gh-ago");
  element.setAttribute("time", time);
  element.toggleAttribute("lasting", lasting);
  return element;
}

/**
 * `in 27 min`, counted down while it is shown.
 * @param {string} time
 */
export function untilElement(time) {
  const element = document.createElement("gh-ago");
  element.setAttribute("time", time);
  element.setAttribute("until", "");
  return element;
}
