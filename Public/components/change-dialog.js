// @ts-check
/**
 * The one way a gate is changed from the browser: a dialog that asks the server for the plan while one writes, demands what the
 * plan demands, publishes once, and reports only what was observed.
 */
import * as api from "../api.js";
import { el, show, uniqueId } from "../dom.js";
import { sayTarget, withSet } from "../gate.js";
import { icon } from "../icons.js";
import { publish } from "../publish.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { strings } from "../strings/shared.js";
import { confirmation } from "./confirmation.js";
import { conflictPanel, whoChanged } from "./conflict.js";
import { forgetDraft, keepDraft, restoreDraft } from "./drafts.js";
import { focusReturn } from "./focus-return.js";
import { overrideBox } from "./override-box.js";
import { differenceTable, omittedNote, untilNotes, warningList } from "./plan-view.js";
import { requestKeys } from "./request-keys.js";

/** @typedef {import("./field.js").Field} Field */
/** @typedef {import("../api.js").Target} Target */
/**
 * @typedef {{ set: Record<string, unknown> } | { revertTo: number }
 *   | { each: (target: Target) => Record<string, unknown> }} Wanted  `each`: what is set on one of several targets
 */
/**
 * @typedef {{ title?: string, body?: import("../dom.js").Child[],
 *   fields?: Record<string, Field> }} Rebased `title` is the button too; what is left out stays as it is
 */
/**
 * @typedef {object} Options
 * @property {string} title
 * @property {string} action the button's text
 * @property {"restrict" | "release" | "neutral"} tone
 * @property {Target[]} targets as they are now
 * @property {import("../dom.js").Child[]} body
 * @property {Record<string, Field>} [fields] by the last member of the server's field pointer
 * @property {(probe: boolean) => Wanted | Field[]} compose the change, or the fields that are missing, with their errors shown;
 *   a probe asks for the plan only: it shows no error and puts a stand-in where nothing is written yet
 * @property {boolean} [diff] whether the plan's differences are shown
 * @property {HTMLElement | null} [focus]
 * @property {boolean} [wide] on a wide screen the plan stands beside what is asked, because it is long
 * @property {boolean} [sheet] at the side of a wide screen, in place of the middle
 * @property {(current: Target, base: Target) => Rebased} [rebase] goes on from what somebody else has made of the target
 * @property {string} [draft] the key under which a cancelled draft is kept
 * @property {HTMLElement} [beside] what stands beside the fields and the confirmation on a wide screen
 * @property {HTMLElement} [preview] where the drafted gate is shown on a phone
 * @property {() => void} [closed]
 * @property {() => void} [done] it was published
 */

const PLAN_DELAY = 250;

/** What shows effects comes with the first plan, and not with the first screen. */
const effectsCode = () => import("./effects-view.js").catch(() => { throw new api.NoAnswer(); });

/** @param {Options} options */
export function openChangeDialog(options) {
  new ChangeDialog(options).open();
}

class ChangeDialog {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.bases = options.targets;
    this.ended = new AbortController();
    this.confirmation = confirmation();
    /** @type {Record<string, Field>} */
    this.fields = { ...options.fields, ...this.confirmation.fields };
    this.keyFor = requestKeys();
    /**
     * Of several targets, those that somebody has changed meanwhile, and who.
     * @type {Map<string, string>}
     */
    this.renewed = new Map();
    this.label = options.action;
    /** Whether the focus may go to the review when it comes. */
    this.mayLook = false;
    /** Whether somebody else's state is gone on from: then it is shown beside what the draft makes of it. */
    this.isRebased = false;
    this.busy = false;
    this.isDone = false;
    /** @type {ReturnType<typeof focusReturn> | undefined} */
    this.giveBack = undefined;
    this.planNumber = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.planTimer = undefined;
    /** @type {api.Plan | null} */
    this.plan = null;
    /** @type {typeof import("./effects-view.js").effectsView | undefined} */
    this.effectsView = undefined;
    /** @type {import("./phone-preview.js").Preview | undefined} */
    this.phone = undefined;
    const { title, action, tone, body, sheet, wide, beside } = this.options;
    const titleId = uniqueId("dialog");
    this.news = el("div", { class: "dialog-news", role: "status" });
    this.review = el("section", { class: "review", hidden: true });
    this.heading = el("h2", { id: titleId }, title);
    this.content = el("div", { class: "stack" }, body);
    this.planArea = el("div", { class: "dialog-plan" });
    this.conflictArea = el("div", { class: "dialog-conflict" });
    this.problem = el("div", { class: "problem", role: "alert" });
    this.action = el("button", { type: "submit", class: `button ${tone}` }, action);
    this.overrideArea = el("div", { class: "dialog-override" });
    /**
     * Refusals that have been read and are overridden.
     * @type {Set<string>}
     */
    this.accepted = new Set();
    const asked = wide
      ? el("div", { class: "planned" },
        el("div", null, this.content), this.planArea, el("div", null, this.overrideArea, this.confirmation.element))
      : [this.content, this.planArea, this.overrideArea, this.confirmation.element];
    this.cancel = el("button", { type: "button", class: "button", on: { click: () => this.#close(true) } }, strings.cancel);
    this.form = el("form", {
      novalidate: true,
      on: {
        submit: (event) => { event.preventDefault(); void this.#submit(); },
        input: (event) => this.#edited(event),
        keydown: (event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.form.requestSubmit(); }
        },
      },
    },
      el("header", { class: "dialog-head" }, this.heading,
        el("button", {
          type: "button", class: "icon-button", "aria-label": strings.close, on: { click: () => this.#close(true) },
        }, icon("close"))),
      el("div", { class: "dialog-body" },
        this.news, this.review,
        beside ? el("div", { class: "beside" }, el("div", null, asked), beside) : asked,
        this.conflictArea),
      el("footer", { class: "dialog-foot" }, this.problem, el("div", { class: "actions" }, this.cancel, this.action)));
    this.dialog = el("dialog", {
      class: `change-dialog${sheet ? " sheet" : ""}${wide ? " wide" : ""}`, "aria-labelledby": titleId,
      on: {
        cancel: (event) => { event.preventDefault(); this.#close(true); },
        close: () => this.#cleanUp(),
      },
    }, this.form);
  }

  /** The only target, or the first of several. */
  get base() {
    return this.bases[0];
  }

  #isAllowed() {
    return this.bases.every((base) => store.may("operator", base.app));
  }

  open() {
    this.giveBack = focusReturn();
    document.body.append(this.dialog);
    if (this.options.draft) restoreDraft(this.options.draft, this.form);
    this.dialog.showModal();
    (this.options.focus ?? this.action).focus();
    store.on("targets", () => this.#noticeRemoteChange(), this.ended.signal);
    // Leaving the screen leaves its dialog; what was written comes back with the next one.
    addEventListener("hashchange", () => this.dialog.close(), { signal: this.ended.signal });
    void this.#ask();
    this.#paintReadiness();
    void this.#startPreview();
  }

  // Planning

  /** The draft on a phone, beside it. Its code comes with the first dialog that wants it; a dialog does not wait for it. */
  async #startPreview() {
    const { preview } = this.options;
    if (!preview) return;
    try {
      const { phonePreview } = await import("./phone-preview.js");
      if (this.ended.signal.aborted) return;
      this.phone = phonePreview(this.base, this.ended.signal, { folded: true });
      show(preview, this.phone.element);
      this.#drawPreview(this.options.compose(true));
    } catch (error) {
      // The file did not come: the plan and the words beside it are still there.
      if (!(error instanceof TypeError)) throw error;
    }
  }

  /** @param {Wanted | Field[]} wanted */
  #drawPreview(wanted) {
    this.phone?.show(this.base, "set" in wanted ? wanted.set : null);
  }

  /** @param {Event} event */
  #edited(event) {
    const named = event.target instanceof HTMLInputElement ? event.target.name : "";
    if (this.accepted.size > 0 && !["reason", "confirm", "override"].includes(named)) {
      // Another text is another risk: what was overridden for the old one is asked again.
      this.accepted.clear();
      show(this.overrideArea);
    }
    if (this.options.draft) keepDraft(this.options.draft, this.form);
    this.#paintReadiness();
    clearTimeout(this.planTimer);
    this.planTimer = setTimeout(() => void this.#ask(), PLAN_DELAY);
  }

  /** @param {Wanted} wanted */
  #body(wanted) {
    const { each, ...shared } = { each: undefined, ...wanted };
    return {
      targets: this.bases.map((base) => {
        const { app, platform, revision } = base;
        return { app, platform, revision, ...(each && { set: each(base) }) };
      }),
      ...shared,
      ...(this.accepted.size > 0 ? { accept: [...this.accepted] } : {}),
    };
  }

  /**
   * Asks what the change as written would do.
   * @param {string} [said] what the server has just answered to a press, which stays beside the new plan
   */
  async #ask(said) {
    clearTimeout(this.planTimer);
    this.planTimer = undefined;
    const wanted = this.options.compose(true);
    this.#drawPreview(wanted);
    if (Array.isArray(wanted) || this.#moved().length > 0) return this.#forget();
    this.planNumber += 1;
    const number = this.planNumber;
    try {
      const [plan, { effectsView }] = await Promise.all([api.plan(this.#body(wanted)), effectsCode()]);
      this.effectsView = effectsView;
      if (number === this.planNumber && !this.ended.signal.aborted) this.#show(plan, said);
    } catch (error) {
      if (number !== this.planNumber || this.ended.signal.aborted) return;
      this.#forget();
      // The rest of the page learns it too; the notice follows from that.
      if (error instanceof api.APIError && error.status === 412 && error.problem.current) store.put([error.problem.current]);
      else if (error instanceof api.APIError) this.#refused(error.problem);
      else if (error instanceof api.NoAnswer) this.#say(strings.dialog.noAnswer);
      else throw error;
    }
  }

  /** A plan of what is no longer written, or no longer in force, is no plan: it goes before anybody goes by it. */
  #forget() {
    this.plan = null;
    this.planNumber += 1;
    show(this.planArea);
    this.review.hidden = true;
  }

  /** @param {api.Plan} plan @param {string} [said] */
  #show(plan, said) {
    this.plan = plan;
    this.confirmation.apply(plan);
    // The colour follows the effect, which only the plan knows.
    const { tone } = this.options;
    this.action.className = `button ${plan.tier >= 2 ? "restrict" : tone === "restrict" ? "neutral" : tone}`;
    if (!this.busy) this.#say(said ?? null);
    const rows = this.options.diff && !this.isRebased ? plan.diff : [];
    const notes = untilNotes(plan, this.bases).map((text) => el("p", { class: "callout" }, text));
    if (this.isRebased) this.#showReview(plan, notes);
    show(this.planArea,
      this.isRebased ? null : notes,
      this.effectsView?.(plan),
      this.options.diff && plan.diff.length === 0 ? el("p", { class: "hint" }, strings.dialog.noDifference) : null,
      rows.length > 0
        ? el("div", null, el("h3", null, strings.dialog.changes), differenceTable(rows, {
          caption: strings.dialog.changes, targets: this.bases.length > 1,
        }))
        : null,
      omittedNote(plan), warningList(plan.warnings));
    this.#paintReadiness();
  }

  /**
   * What is in force now, by somebody else's hand, and what the draft would make of just that.
   * @param {api.Plan} plan
   * @param {HTMLElement[]} notes
   */
  #showReview({ diff }, notes) {
    const { theirs, theirsHint, yours, reviewed, unchanged } = dialogStrings.conflict;
    const isNew = this.review.hidden;
    this.review.hidden = false;
    const title = el("h3", { tabindex: "-1", "data-key": "review" }, reviewed);
    show(this.review, title, notes, diff.length === 0
      ? el("p", null, unchanged)
      : differenceTable(diff, { caption: reviewed, targets: this.bases.length > 1, before: `${theirs}, ${theirsHint}`, after: yours }));
    // Whoever has asked for it begins with it; while one goes on writing it stays where it is.
    if (isNew && this.mayLook && document.activeElement === this.action) {
      title.focus({ preventScroll: true });
      this.review.scrollIntoView({ block: "nearest" });
    }
    this.mayLook = false;
  }

  #paintReadiness() {
    const ready = !this.busy
      && this.#isAllowed()
      && !Array.isArray(this.options.compose(true))
      && this.confirmation.ready()
      && this.#filled();
    this.action.setAttribute("aria-disabled", String(!ready));
  }

  #filled() {
    return [...this.form.elements].every((control) => !(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)
      || !control.required
      || (control.type === "checkbox" ? /** @type {HTMLInputElement} */ (control).checked : control.value.trim() !== ""));
  }

  // Publishing

  async #submit() {
    if (this.busy) return;
    if (!this.#isAllowed()) return this.#say(strings.dialog.roleNeeded("operator"));
    this.#say(null);
    // What somebody else's state would become is read before it is published, however quick the press.
    const wasRead = this.plan !== null;
    if (!this.plan || this.planTimer !== undefined) await this.#ask();
    if (this.isRebased && !(wasRead && this.plan)) return;
    const wanted = this.options.compose(false);
    const missing = [...(Array.isArray(wanted) ? wanted : []), ...this.confirmation.missing()];
    if (Array.isArray(wanted) || missing.length > 0) return this.#point(missing);

    const body = { ...this.#body(wanted), ...this.confirmation.values() };
    this.#setBusy(true, strings.dialog.publishing);
    try {
      const result = await publish((key) => api.commit(body, key), {
        key: this.keyFor(body), targets: this.bases, signal: this.ended.signal,
        uncertain: () => {
          this.#setBusy(true, strings.dialog.uncertain);
          this.#say(strings.dialog.uncertainHint);
          // Nothing more can be done from here, but nobody has to wait here either.
          this.cancel.removeAttribute("aria-disabled");
        },
      });
      this.#setBusy(false);
      this.#report(result, wanted);
    } catch (error) {
      if (this.ended.signal.aborted) return;
      this.#setBusy(false);
      this.#forget();
      if (error instanceof api.APIError) this.#say(strings.dialog.refused(error.message, error.problem.requestId));
      else throw error;
    }
  }

  /** @param {import("../publish.js").Result} result @param {Wanted} wanted */
  #report(result, wanted) {
    if (result.kind === "done" && result.changed) {
      this.isDone = true;
      this.options.done?.();
      return this.#close(false);
    }
    if (result.kind === "done") return this.#askAgain(strings.dialog.unchanged);
    if (result.kind === "notMade") return this.#say(strings.dialog.notMade);
    if (result.kind === "conflict") return this.#conflict(result.current, result.change, wanted);
    const { problem } = result;
    if (problem.plan) {
      this.#show(problem.plan);
      const missing = this.confirmation.missing();
      if (missing.length > 0) return this.#point(missing);
    }
    this.#refused(problem);
    if (problem.overridable && !problem.plan) this.#forget();
    else if (!problem.plan) this.#askAgain(this.problem.textContent ?? "");
  }

  /**
   * The plan that led here did not know what the server has just said.
   * @param {string} said
   */
  #askAgain(said) {
    this.#say(said);
    this.#forget();
    void this.#ask(said || undefined);
  }

  /**
   * Says a refusal where it belongs; one that may be overridden offers that, once it has been read.
   * @param {api.Problem} problem
   */
  #refused(problem) {
    if (!this.#fieldError(problem)) this.#say(strings.dialog.refused(problem.detail || problem.title, problem.requestId));
    if (!problem.overridable) return;
    show(this.overrideArea, overrideBox(problem.code, this.accepted));
  }

  // Other people

  /** Those of which a newer state is known: a plan against the old one would only be refused. */
  #moved() {
    return this.bases.flatMap((base) => {
      const current = store.targets.get(nameOf(base));
      return current && current.revision > base.revision ? [current] : [];
    });
  }

  #noticeRemoteChange() {
    const moved = this.#moved();
    if (moved.length === 0 || this.busy || this.conflictArea.childElementCount > 0) return;
    if (this.bases.length > 1) return this.#renew(moved);
    const [current] = moved;
    this.#forget();
    show(this.news, el("p", null, whoChanged(current.lastChange, current.revision), " ", dialogStrings.conflict.whileOpen),
      el("button", { type: "button", class: "button small", on: { click: () => this.#rebase(current) } }, dialogStrings.conflict.review));
  }

  /** @param {Target} current @param {api.Change | null} change @param {Wanted} wanted */
  #conflict(current, change, wanted) {
    if (this.bases.length > 1) return this.#renew([current]);
    this.confirmation.reset();
    this.#forget();
    show(this.news);
    const panel = conflictPanel({
      base: this.base.gate, theirs: current.gate, yours: "set" in wanted ? withSet(this.base.gate, wanted.set) : this.base.gate,
      change, revision: current.revision,
      useTheirs: () => this.#close(false),
      review: () => this.#rebase(current),
    });
    show(this.conflictArea, panel.element);
    this.action.hidden = true;
    panel.focus();
  }

  /**
   * Of several targets some have moved: they are named, and all is planned anew.
   * @param {Target[]} moved
   */
  #renew(moved) {
    this.isRebased = true;
    this.bases = this.bases.map((base) => moved.find((one) => nameOf(one) === nameOf(base)) ?? base);
    this.confirmation.reset();
    for (const one of moved) {
      this.renewed.set(nameOf(one), dialogStrings.many.renewed(sayTarget(one), whoChanged(one.lastChange, one.revision)));
    }
    show(this.news, [...this.renewed.values()].map((text) => el("p", null, text)));
    this.#forget();
    void this.#ask();
  }

  /**
   * Goes on from their state with my words; a typed confirmation starts again because the facts changed.
   * @param {Target} current
   */
  #rebase(current) {
    const again = this.options.rebase?.(current, this.base);
    this.bases = [current];
    this.isRebased = true;
    this.mayLook = true;
    this.confirmation.reset();
    if (again?.title) {
      this.label = again.title;
      this.heading.textContent = again.title;
      this.action.textContent = again.title;
    }
    if (again?.body) show(this.content, again.body);
    Object.assign(this.fields, again?.fields);
    show(this.conflictArea);
    show(this.news, el("p", null, whoChanged(current.lastChange, current.revision), " ", dialogStrings.conflict.rebased));
    this.#forget();
    this.action.hidden = false;
    this.action.focus();
    void this.#ask();
  }

  // Saying things

  /** @param {string | null} text */
  #say(text) {
    this.problem.textContent = text ?? "";
  }

  /** @param {Field[]} missing */
  #point(missing) {
    this.#say(strings.dialog.missingSummary);
    missing[0]?.control.focus();
  }

  /** @param {api.Problem} problem */
  #fieldError(problem) {
    const field = this.fields[problem.field?.split("/").pop() ?? ""];
    if (!field) return false;
    field.error(problem.detail);
    return true;
  }

  /** @param {boolean} busy @param {string} [label] */
  #setBusy(busy, label) {
    this.busy = busy;
    this.action.textContent = label ?? this.label;
    this.form.setAttribute("aria-busy", String(busy));
    for (const control of this.form.elements) {
      // Read-only rather than disabled: a disabled control loses focus, and its text turns too pale to read.
      if (control instanceof HTMLTextAreaElement || (control instanceof HTMLInputElement && control.type !== "checkbox")) {
        control.readOnly = busy;
      }
    }
    if (busy) this.cancel.setAttribute("aria-disabled", "true");
    else this.cancel.removeAttribute("aria-disabled");
    this.#paintReadiness();
  }

  // The end

  /** @param {boolean} cancelled */
  #close(cancelled) {
    if (cancelled && this.cancel.getAttribute("aria-disabled") === "true") return;
    if (!cancelled && this.options.draft) forgetDraft(this.options.draft);
    this.dialog.close();
  }

  #cleanUp() {
    clearTimeout(this.planTimer);
    this.ended.abort();
    this.dialog.remove();
    this.options.closed?.();
    this.giveBack?.(this.isDone);
  }
}
