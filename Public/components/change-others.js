// @ts-check
/** Changes by other people to the targets of an open dialog: shown at once; the user then goes on from them or gives up the draft. */
import { afterDifference, withSet } from "../difference.js";
import { el, show } from "../dom.js";
import { sayTarget } from "../gate.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { conflictPanel, whoChanged } from "./conflict.js";
import { readFields } from "./drafts.js";

/** @typedef {import("../documents.js").Target} Target */

export class ChangeOthers {
  /** Whether the draft now builds on somebody else's change: then their state is shown beside what the draft makes of it. */
  isRebased = false;
  /**
   * Of several targets, those changed meanwhile, with a sentence that says by whom.
   * @type {Map<string, string>}
   */
  #renewed = new Map();

  /** @param {import("./change-dialog.js").ChangeDialog} dialog */
  constructor(dialog) {
    this.dialog = dialog;
    this.news = el("div", { class: "dialog-news", role: "status" });
    this.area = el("div", { class: "dialog-conflict" });
  }

  /** The targets with a newer known revision: a plan against the old one would only be refused. */
  moved() {
    return this.dialog.bases.flatMap((base) => {
      const current = store.targets.get(nameOf(base));
      return current && current.revision > base.revision ? [current] : [];
    });
  }

  /**
   * Says that the draft was restored, and who has changed the targets since it was written.
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

  /**
   * Says who has changed the targets since the press: they are not as the page showed them then.
   * @param {Target[]} seen as the page showed them
   */
  sinceSeen(seen) {
    // A draft that came back tells the same, and more.
    if (this.news.childElementCount > 0) return;
    const moved = this.dialog.bases.filter((now) => seen.some((was) => nameOf(was) === nameOf(now) && was.revision < now.revision));
    show(this.news, moved.map((now) => el("p", { class: "callout" },
      dialogStrings.conflict.notSeen(sayTarget(now), whoChanged(now.lastChange, now.revision)))));
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

  /** @param {Target} current @param {import("../documents.js").Change | null} change @param {import("./change-dialog.js").Wanted} wanted */
  conflict(current, change, wanted) {
    const { dialog } = this;
    if (dialog.bases.length > 1) return this.#renew([current]);
    // For a revert, only the plan says what it would bring back.
    const { gate } = dialog.base;
    const drafted = "set" in wanted ? withSet(gate, wanted.set) : afterDifference(gate, dialog.plan.current?.diff ?? []);
    const { killSwitch } = drafted;
    // The draft leaves out what is the platform's own, and the server fills it in.
    const yours = killSwitch
      ? { ...drafted, killSwitch: { retryInterval: current.settings.defaultRetryInterval, ...killSwitch } }
      : drafted;
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

  /** The note that the draft is untouched; empty for a dialog without fields. */
  #untouched() {
    return this.dialog.options.fields ? dialogStrings.conflict.whileOpen : "";
  }

  /**
   * Some of several targets have changed: names them, and plans again for all.
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
   * Continues from their state with the user's draft; a typed confirmation starts again because the facts changed.
   * @param {Target} theirs as it was shown
   */
  #rebase(theirs) {
    const { dialog } = this;
    // They may have gone on while it was read.
    const [current = theirs] = this.moved();
    const before = readFields(dialog.form);
    const again = dialog.options.rebase?.(current, dialog.base);
    dialog.bases = [current];
    this.isRebased = true;
    dialog.plan.mayLook = true;
    dialog.confirmation.reset();
    dialog.become(again);
    // Fields that the user has not touched now start from their values.
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
