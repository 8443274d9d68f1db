// @ts-check
/** What is picked on the overview, and the bar that blocks or opens all of it by one dialog. */
import { el, show } from "../dom.js";
import { nameOf, store } from "../store.js";
import { overviewStrings } from "../strings/overview.js";
import { askToBlock, askToBlockAll, askToOpen, askToOpenAll } from "./ask.js";

/** @typedef {import("../api.js").Target} Target */

export class Picks {
  /** @type {Set<string>} */
  names = new Set();
  /** The one that was pressed last: a range begins there. */
  #anchor = "";

  /**
   * @param {() => string[]} shown the names that can be picked, as they stand on the screen
   * @param {() => void} changed
   */
  constructor(shown, changed) {
    this.shown = shown;
    this.changed = changed;
    this.said = el("p", { role: "status" });
    this.buttons = el("div", { class: "actions" });
    this.bar = el("section", { class: "pick-bar", "aria-label": overviewStrings.picks.region, hidden: true },
      el("div", { class: "actions" }, this.said,
        el("button", { type: "button", class: "button quiet small", on: { click: () => this.toggle([...this.names], false) } },
          overviewStrings.picks.clear)),
      this.buttons);
  }

  /** @param {string} name @param {boolean} range */
  press(name, range) {
    const on = !this.names.has(name);
    const all = this.shown();
    const [from, to] = [all.indexOf(this.#anchor), all.indexOf(name)].sort((one, other) => one - other);
    this.#anchor = name;
    this.toggle(range && from >= 0 ? all.slice(from, to + 1) : [name], on);
  }

  /** @param {string[]} names @param {boolean} on */
  toggle(names, on) {
    for (const name of names) {
      if (on) this.names.add(name);
      else this.names.delete(name);
    }
    this.changed();
  }

  /** @returns {Target[]} */
  targets() {
    return [...this.names].flatMap((name) => store.targets.get(name) ?? []);
  }

  /** Those that can be blocked are not blocked yet; those that can be opened are. What is already so keeps its own text. */
  blockable() {
    return this.targets().filter((target) => !target.gate.killSwitch);
  }

  openable() {
    return this.targets().filter((target) => target.gate.killSwitch);
  }

  paint() {
    for (const name of this.names) {
      const target = store.targets.get(name);
      if (!target || !store.may("operator", target.app)) this.names.delete(name);
    }
    this.bar.hidden = this.names.size === 0;
    const seen = new Set(this.shown());
    const text = overviewStrings.picks.said(this.names.size, [...this.names].filter((name) => !seen.has(name)).length);
    if (this.said.textContent !== text) this.said.textContent = text;
    const [blockable, openable] = [this.blockable(), this.openable()];
    show(this.buttons,
      blockable.length > 0
        ? el("button", { type: "button", class: "button restrict", "data-key": "block picked", on: { click: () => this.block() } },
          overviewStrings.picks.block(blockable.length))
        : null,
      openable.length > 0
        ? el("button", { type: "button", class: "button release", "data-key": "open picked", on: { click: () => this.open() } },
          overviewStrings.picks.open(openable.length))
        : null);
  }

  /** @returns {boolean} whether there was something to ask about */
  block() {
    return this.#ask(this.blockable(), askToBlock, askToBlockAll);
  }

  open() {
    return this.#ask(this.openable(), askToOpen, askToOpenAll);
  }

  /**
   * @param {Target[]} targets
   * @param {typeof askToBlock} one
   * @param {typeof askToBlockAll} several
   */
  #ask(targets, one, several) {
    if (targets.length === 0) return false;
    // Done is done: what stays picked would be in the next dialog too.
    const done = () => this.toggle(targets.map(nameOf), false);
    void (targets.length === 1 ? one(targets[0], { done }) : several(targets, { done }));
    return true;
  }
}
