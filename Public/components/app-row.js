// @ts-check
/** One app on the overview: its name, and a cell for each of its platforms. */
import { el } from "../dom.js";
import { STATES } from "../gate.js";
import { nameOf, store } from "../store.js";
import { overviewStrings } from "../strings/overview.js";
import { TargetCell } from "./target-cell.js";

/** @typedef {import("../api.js").Target} Target */

export class AppRow {
  /**
   * @param {string} app
   * @param {import("./picks.js").Picks} picks
   */
  constructor(app, picks) {
    this.app = app;
    this.picks = picks;
    /** @type {Map<string, TargetCell>} */
    this.cells = new Map();
    /** @type {string[]} the names of the targets it shows */
    this.shown = [];
    /** @type {HTMLInputElement} */
    this.box = el("input", {
      type: "checkbox", class: "pick-box", "data-key": `pick ${app}`,
      on: { click: () => picks.toggle(this.pickable(), this.box.checked) },
    });
    this.pick = el("label", { class: "pick" }, this.box);
    this.name = el("span", { dir: "auto" });
    this.list = el("div", { class: "app-cells" });
    this.element = el("li", { class: "app-row" },
      el("div", { class: "app-head" }, this.pick, el("h2", { class: "app-name" }, this.name, " ", el("code", null, app))),
      this.list);
  }

  pickable() {
    return store.may("operator", this.app) ? this.shown : [];
  }

  /**
   * @param {Target[]} targets those that are shown
   * @param {(platform: string) => number} columnOf where a platform stands on a wide screen, from 1; 0 for wherever there is room
   */
  update(targets, columnOf) {
    this.name.textContent = store.appName(this.app);
    this.shown = targets.map(nameOf);
    this.element.dataset.state = STATES.find((state) => targets.some((target) => target.state === state)) ?? "open";
    const elements = targets.map((target) => {
      const name = nameOf(target);
      let cell = this.cells.get(name);
      if (cell) cell.update(target);
      else {
        cell = new TargetCell(target, (one, range) => this.picks.press(one, range));
        this.cells.set(name, cell);
      }
      cell.element.dataset.column = String(columnOf(target.platform));
      return cell.element;
    });
    arrange(this.list, elements);
    this.showPicks();
  }

  showPicks() {
    for (const [name, cell] of this.cells) cell.box.checked = this.picks.names.has(name);
    const mine = this.pickable();
    const count = mine.filter((name) => this.picks.names.has(name)).length;
    this.pick.hidden = mine.length < 2;
    this.box.checked = mine.length > 0 && count === mine.length;
    this.box.indeterminate = count > 0 && count < mine.length;
    this.box.setAttribute("aria-label", overviewStrings.pickApp(store.appName(this.app)));
  }
}

/**
 * Puts elements in order with as few moves as there are, because a moved element loses focus.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} elements
 */
export function arrange(list, elements) {
  const focused = document.activeElement;
  const wanted = new Set(elements);
  for (const child of [...list.children]) if (!wanted.has(/** @type {HTMLElement} */ (child))) child.remove();
  elements.forEach((element, index) => {
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  });
  if (focused instanceof HTMLElement && focused !== document.activeElement && list.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}
