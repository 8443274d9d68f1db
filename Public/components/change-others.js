// @ts-check
/** What other people do to the targets of an open dialog: it is told at once, and the draft goes on from there or is left. */
import { el, show } from "../dom.js";
import { afterDifference, sayTarget, withSet } from "../gate.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { conflictPanel, whoChanged } from "./conflict.js";
import { readFields } from "./drafts.js";

/** @typedef {import("../api.js").Target} Target */

export class ChangeOthers {
  /** Whether somebody else's state is gone on from: then it is shown beside what the draft makes of it. */
  isRebased = false;
  /**
   * Of several targets, those that somebody has changed meanwhile, and who.
   * @type {Map<string, string>}
   */
  #renewed = new Map();

  /** @param {import("./change-dialog.js").ChangeDialog} dialog */
  constructor(dialog) {
    this.dialog = dialog;
    this.news = el("div", { class: "dialog-news", role: "status" });
    this.area = el("div", { class: "dialog-conflict" });
  }

  /** Those of which a newer state is known: a plan against the old one would only be refused. */
  moved() {
    return this.dialog.bases.flatMap((base) => {
      const current = store.targets.get(nameOf(base));
      return current && current.revision > base.revision ? [current] : [];
    });
  }

  /**
   * Says that what was written before is back, and what somebody else has made of the targets since.
   * @param {import("./drafts.js").Base[]} bases what it was written against
   * @param {() => void} afresh
   */
  restored(bases, afresh) {
    const moved = this.dialog.bases.filter((now) => bases.some((base) => nameOf(base) === nameOf(now) && base.revision < now.revision));
    const start = () => { show(this.news); afresh(); };
    show(this.news,
      el("div", null,
        moved.map((now) => el("p", null, dialogStrings.many.renewed(sayTarget(now), whoChanged(now.lastChange, now.revision)))),
        el("p", null, moved.length > 0 ? dialogStrings.draft.onto : dialogStrings.draft.back)),
      el("button", { type: "button", class: "button small", on: { click: start } }, dialogStrings.draft.afresh));
  }

  notice() {
    const { dialog } = this;
    const moved = this.moved();
    if (moved.length === 0 || dialog.busy || this.area.childElementCount > 0) return;
    if (dialog.bases.length > 1) return this.#renew(moved);
    const [current] = moved;
    dialog.plan.forget();
    show(this.news, el("p", null, whoChanged(current.lastChange, current.revision), " ", this.#untouched()),
      el("button", { type: "button", class: "button small", on: { click: () => this.#rebase(current) } }, dialogStrings.conflict.review));
  }

  /** @param {Target} current @param {import("../api.js").Change | null} change @param {import("./change-dialog.js").Wanted} wanted */
  conflict(current, change, wanted) {
    const { dialog } = this;
    if (dialog.bases.length > 1) return this.#renew([current]);
    // What a revision of before would bring back only its plan tells.
    const { gate } = dialog.base;
    const yours = "set" in wanted ? withSet(gate, wanted.set) : afterDifference(gate, dialog.plan.current?.diff ?? []);
    dialog.confirmation.reset();
    dialog.plan.forget();
    show(this.news);
    const panel = conflictPanel({
      base: gate, theirs: current.gate, yours, change, revision: current.revision, hint: this.#untouched(),
      useTheirs: () => dialog.close(false),
      review: () => this.#rebase(current),
    });
    show(this.area, panel.element);
    dialog.action.hidden = true;
    panel.focus();
  }

  /** Where there is nothing to write, nothing that was written is spoken of. */
  #untouched() {
    return this.dialog.options.fields ? dialogStrings.conflict.whileOpen : "";
  }

  /**
   * Of several targets some have moved: they are named, and all is planned anew.
   * @param {Target[]} moved
   */
  #renew(moved) {
    const { dialog } = this;
    this.isRebased = true;
    dialog.bases = dialog.bases.map((base) => moved.find((one) => nameOf(one) === nameOf(base)) ?? base);
    dialog.confirmation.reset();
    for (const one of moved) {
      this.#renewed.set(nameOf(one), dialogStrings.many.renewed(sayTarget(one), whoChanged(one.lastChange, one.revision)));
    }
    show(this.news, [...this.#renewed.values()].map((text) => el("p", null, text)));
    dialog.plan.forget();
    void dialog.plan.ask();
  }

  /**
   * Goes on from their state with my words; a typed confirmation starts again because the facts changed.
   * @param {Target} current
   */
  #rebase(current) {
    const { dialog } = this;
    const before = readFields(dialog.form);
    const again = dialog.options.rebase?.(current, dialog.base);
    dialog.bases = [current];
    this.isRebased = true;
    dialog.plan.mayLook = true;
    dialog.confirmation.reset();
    dialog.become(again);
    // What nobody has written is theirs from here on.
    for (const [name, value] of Object.entries(readFields(dialog.form))) {
      if (before[name] === dialog.began[name]) dialog.began[name] = value;
    }
    show(this.area);
    show(this.news, el("p", null, whoChanged(current.lastChange, current.revision), " ", dialogStrings.conflict.rebased));
    dialog.plan.forget();
    dialog.action.hidden = false;
    dialog.action.focus();
    void dialog.plan.ask();
  }
}
