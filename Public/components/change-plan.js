// @ts-check
/** The plan of a change, asked for while the user writes; after somebody else's change, it shows theirs beside yours. */
import * as api from "../api.js";
import { el, show } from "../dom.js";
import { same } from "../gate.js";
import { codeTrouble, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { shellStrings, strings } from "../strings/shared.js";
import { nextBlocks } from "./next-blocks.js";
import { differenceTable, documentChanges, loadNote, omittedNote, untilNotes, warningList } from "./plan-view.js";
import { onceAnswered } from "./shell.js";

const PLAN_DELAY = 250;

/** The code that shows effects is fetched with the first plan, not with the first screen. */
const effectsCode = () => import("./effects-view.js").catch(async (error) => { throw await codeTrouble(error) ?? error; });

/**
 * What a plan says to somebody who has written the values themselves. How many phones poll changes all the time and is left out.
 * @param {import("../documents.js").Plan} plan @param {boolean} isDiffShown
 */
const gist = ({ diff, load, ...plan }, isDiffShown) =>
  ({ ...plan, diff: isDiffShown ? diff.map(({ after, ...row }) => ({ ...row, stays: after !== null })) : [] });

export class ChangePlan {
  /** @type {import("../documents.js").Plan | null} */
  current = null;
  /** Whether the review may take the focus when it appears. */
  mayLook = false;
  #number = 0;
  /** Counts the edits that a plan depends on. */
  #edit = 0;
  /** The edit that the current plan includes. */
  #planned = -1;
  #isAsking = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  /** @type {typeof import("./effects-view.js").effectsView | undefined} */
  #effectsView;

  /** @param {import("./change-dialog.js").ChangeDialog} dialog */
  constructor(dialog) {
    this.dialog = dialog;
    this.area = el("div", { class: "dialog-plan" });
    this.review = el("section", { class: "review", hidden: true });
  }

  /** Whether the plan of this very draft is on the screen. */
  get isSeen() {
    return this.current !== null && this.#planned === this.#edit;
  }

  /**
   * Whether the plan of this draft says the same as one that was shown before, but for the values that the user has written since.
   * @param {import("../documents.js").Plan | null} shown
   */
  says(shown) {
    if (!shown || !this.current || !this.isSeen) return false;
    const isDiffShown = Boolean(this.dialog.options.diff) || this.dialog.others.isRebased;
    return shown === this.current || same(gist(shown, isDiffShown), gist(this.current, isDiffShown));
  }

  /** Whether the plan of this draft will be on the screen in a moment. */
  get isComing() {
    return !this.isSeen && (this.#isAsking || this.#timer !== undefined);
  }

  /**
   * The documents in the app's own shape that phones will get; folded, because they may be long.
   * @param {import("../documents.js").Plan} plan
   */
  #documents(plan) {
    const documents = documentChanges(plan);
    if (documents.length === 0) return null;
    return el("details", { class: "json" }, el("summary", null, dialogStrings.documents(documents.length)), documents);
  }

  /**
   * Asks once the user has stopped writing for a moment.
   * @param {boolean} isOther whether the edit makes it another plan
   */
  soon(isOther) {
    if (isOther) this.#edit += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.ask(), PLAN_DELAY);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Asks for the plan of the current draft.
   * @param {string} [said] the server's answer to the last press, which stays on the screen beside the new plan
   */
  async ask(said) {
    this.stop();
    const { dialog } = this;
    if (dialog.refusedAt && !said) dialog.say(null);
    dialog.refusedAt = undefined;
    const wanted = dialog.options.compose(true);
    dialog.drawPreview(wanted);
    if (Array.isArray(wanted) || dialog.others.moved().length > 0) return this.forget();
    this.#number += 1;
    const number = this.#number;
    const edit = this.#edit;
    this.#isAsking = true;
    dialog.paintReadiness();
    try {
      const [plan, { effectsView }] = await Promise.all([api.plan(dialog.body(wanted)), effectsCode()]);
      this.#effectsView = effectsView;
      if (number === this.#number && !dialog.ended.signal.aborted) this.show(plan, said, edit);
    } catch (error) {
      if (number !== this.#number || dialog.ended.signal.aborted) return;
      this.forget();
      // Puts the new state into the store for the whole page; that also triggers this dialog's notice.
      if (error instanceof api.APIError && error.status === 412 && error.problem.current) store.put([error.problem.current]);
      else if (error instanceof api.APIError) dialog.refused(error.problem);
      else if (error instanceof api.NoAnswer) {
        dialog.say(strings.dialog.noAnswer);
        const mine = this.#number;
        onceAnswered(() => { if (mine === this.#number && !dialog.busy && !dialog.ended.signal.aborted) void this.ask(); });
      }
      else if (error instanceof api.Outdated) dialog.say(shellStrings.code.outdated);
      else throw error;
    }
  }

  /** Removes a plan that no longer matches the draft or the state in force, before anybody relies on it. */
  forget() {
    this.current = null;
    this.#number += 1;
    this.#isAsking = false;
    show(this.area);
    this.review.hidden = true;
    this.dialog.paintReadiness();
  }

  /** @param {import("../documents.js").Plan} plan @param {string} [said] @param {number} edit the last one that the plan includes */
  show(plan, said, edit = this.#edit) {
    const { dialog } = this;
    this.current = plan;
    this.#planned = edit;
    this.#isAsking = false;
    dialog.confirmation.apply(plan);
    // The colour follows the effect, which only the plan knows.
    const { tone } = dialog.options;
    dialog.action.className = `button ${plan.tier >= 2 ? "restrict" : tone === "restrict" ? "neutral" : tone}`;
    if (!dialog.busy) dialog.say(said ?? null);
    const rows = dialog.options.diff && !dialog.others.isRebased ? plan.diff : [];
    const notes = untilNotes(plan, dialog.bases).map((said) => el("p", { class: "callout" }, said));
    if (dialog.others.isRebased) this.#showReview(plan, notes);
    show(this.area,
      loadNote(plan),
      dialog.others.isRebased ? null : notes,
      this.#effectsView?.(plan),
      dialog.options.diff && plan.diff.length === 0 ? el("p", { class: "hint" }, strings.dialog.noDifference) : null,
      rows.length > 0
        ? el("div", null, el("h3", null, strings.dialog.changes), differenceTable(rows, {
          caption: strings.dialog.changes, targets: dialog.bases.length > 1,
        }))
        : null,
      this.#documents(plan), omittedNote(plan), warningList(plan.warnings), this.#nextBlocks(plan));
    dialog.paintReadiness();
  }

  /** @param {import("../documents.js").Plan} plan */
  #nextBlocks({ warnings }) {
    const { dialog } = this;
    if (!dialog.options.opens || !warnings.some(({ code }) => code === "window_overlap")) return null;
    return nextBlocks(dialog.bases, () => {
      if (dialog.ended.signal.aborted) return;
      // The button that had the focus goes away with the next plan.
      dialog.heading.focus();
      void this.ask();
    });
  }

  /**
   * Shows what is in force after somebody else's change, and what the draft would make of it.
   * @param {import("../documents.js").Plan} plan
   * @param {HTMLElement[]} notes
   */
  #showReview({ diff }, notes) {
    const { theirs, theirsHint, yours, reviewed, unchanged } = dialogStrings.conflict;
    const isNew = this.review.hidden;
    this.review.hidden = false;
    const title = el("h3", { tabindex: "-1", "data-key": "review" }, reviewed);
    show(this.review, title, notes, diff.length === 0
      ? el("p", null, unchanged)
      : differenceTable(diff, {
        caption: reviewed, targets: this.dialog.bases.length > 1, before: `${theirs}, ${theirsHint}`, after: yours,
      }));
    // If the user asked for the review, it gets the focus; while the user goes on writing, the focus stays.
    if (isNew && this.mayLook && document.activeElement === this.dialog.action) {
      title.focus({ preventScroll: true });
      this.review.scrollIntoView({ block: "nearest" });
    }
    this.mayLook = false;
  }
}
