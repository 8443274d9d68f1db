// @ts-check
/** What others do to the targets of a window, and to their schedule, while its form is open. */
import { el } from "../dom.js";
import { lastActor, sayActor, sayTarget } from "../gate.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { newWindowStrings } from "../strings/new-window.js";
import { isEditable } from "../window-draft.js";
import { whoChanged } from "./conflict.js";
import { knownRevisions } from "./known-revisions.js";
import { windowLine } from "./targets.js";

/** @typedef {import("../api-schedule.js").Window} Window */

export class WindowOthers {
  #now = knownRevisions();
  #before = this.#now;
  #windows = store.windows;
  /**
   * By target or window; whatever was done last to one is said of it.
   * @type {Map<string, import("../dom.js").Child>}
   */
  #said = new Map();

  /** Takes the revisions that the page knows now; the other questions are about what differs from those taken before. */
  look() {
    this.#before = this.#now;
    this.#now = knownRevisions();
  }

  /** @param {string} name */
  #isOther(name) { return this.#before.get(name) !== this.#now.get(name); }

  /** @param {Window} window that the form replaces */
  isEdited(window) {
    return isEditable(window) && this.#before.has(String(window.id)) && this.#isOther(String(window.id));
  }

  /**
   * @param {import("../documents.js").Target[]} targets the chosen ones
   * @param {Window} [old] the window that the form replaces, which is none of the others
   * @returns {import("../dom.js").Child[] | null} all that others have done since the form was opened; null if nothing was added to that
   */
  tell(targets, old) {
    const moved = targets.filter((target) => this.#before.has(nameOf(target)) && this.#isOther(nameOf(target)));
    const windows = targets.flatMap((target) => store.windowsOf(target)).filter(({ id }) => id !== old?.id);
    const fresh = windows.filter(({ id }) => this.#isOther(String(id)));
    const names = new Set(targets.map(nameOf));
    const gone = this.#windows.filter((window) =>
      !this.#now.has(String(window.id)) && window.targets.some((one) => names.has(nameOf(one))));
    this.#windows = store.windows;
    if (moved.length + fresh.length + gone.length === 0) return null;
    for (const target of moved) {
      const said = dialogStrings.many.renewed(sayTarget(target), whoChanged(target.lastChange, target.revision));
      this.#said.set(nameOf(target), el("p", null, said));
    }
    for (const window of fresh) {
      this.#said.set(String(window.id), [el("p", null, newWindowStrings.besides(sayActor(lastActor(window)))), windowLine(window)]);
    }
    for (const window of gone) this.#said.set(String(window.id), el("p", null, newWindowStrings.gone(window.id)));
    return [...this.#said.values()];
  }
}
