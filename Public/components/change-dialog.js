// @ts-check
/**
 * The one way to change a gate from the browser: a dialog that asks the server for the plan while the user writes, demands what the
 * plan demands, publishes once, and reports only what was observed.
 */
import * as api from "../api.js";
import { el, show, uniqueId } from "../dom.js";
import { icon } from "../icons.js";
import { publish } from "../publish.js";
import { sayRefusal, sayRefused } from "../server-words.js";
import { isCodeTrouble, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { strings } from "../strings/shared.js";
import { ChangeOthers } from "./change-others.js";
import { ChangePlan } from "./change-plan.js";
import { BESIDE_THE_PLAN, confirmation } from "./confirmation.js";
import { beginAfresh, forgetDraft, keepDraft, readFields, restoreDraft } from "./drafts.js";
import { goTo, isFilled } from "./field.js";
import { firstMoment } from "./first-moment.js";
import { focusReturn } from "./focus-return.js";
import { heldDialog } from "./held-dialog.js";
import { overrideBox } from "./override-box.js";
import { requestKeys } from "./request-keys.js";

/** @typedef {import("./field.js").Field} Field */
/** @typedef {import("../documents.js").Target} Target */
/**
 * @typedef {{ set: Record<string, unknown>, over?: number } | { revertTo: number }
 *   | { each: (target: Target) => Record<string, unknown> }} Wanted  `each`: what to set on each of several targets; `over`:
 *   the seconds over which clearing a kill switch lets people in gradually
 */
/**
 * @typedef {{ title?: string, body?: import("../dom.js").Child[],
 *   fields?: Record<string, Field> }} Rebased `title`: also the button's text; what is left out stays as it is
 */
/**
 * @typedef {object} Options
 * @property {string} title
 * @property {string} action the button's text
 * @property {"restrict" | "release" | "neutral"} tone
 * @property {boolean} [restricts] whether it keeps people out, as far as is known before its plan
 * @property {Target[]} targets as they are now
 * @property {Target[]} [seen] the targets as the page showed them at the press
 * @property {import("../dom.js").Child[]} body
 * @property {Record<string, Field>} [fields] by the last member of the server's field pointer
 * @property {(probe: boolean) => Wanted | Field[]} compose returns the change, or the incomplete fields, with their errors
 *   shown; a probe is only for the plan: it shows no errors and uses a placeholder where nothing is written yet
 * @property {boolean} [opens] whether it lifts kill switches; then the windows that block again are offered for cancelling
 * @property {boolean} [diff] whether the plan's differences are shown
 * @property {HTMLElement | null} [focus]
 * @property {boolean} [wide] on a wide screen the plan stands beside the fields, because it is long
 * @property {boolean} [sheet] placed at the side of a wide screen instead of in the middle
 * @property {(current: Target, base: Target) => Rebased} [rebase] continues from the target as somebody else has changed it
 * @property {string} [draft] the key under which a cancelled draft is kept
 * @property {HTMLElement} [beside] what stands beside the fields and the confirmation on a wide screen
 * @property {HTMLElement} [preview] where the drafted gate is shown on a phone
 * @property {() => void} [closed]
 * @property {() => void} [done] called after publishing
 */

/** @param {Options} options */
export function openChangeDialog(options) {
  new ChangeDialog(options).open();
}

export class ChangeDialog {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.bases = options.targets;
    this.ended = new AbortController();
    this.confirmation = confirmation(options.restricts);
    /** @type {Record<string, Field>} */
    this.fields = { ...options.fields, ...this.confirmation.fields };
    this.keyFor = requestKeys();
    this.label = options.action;
    this.plan = new ChangePlan(this);
    this.others = new ChangeOthers(this);
    this.busy = false;
    /** @type {Field | undefined} where the server refuses what is written now */
    this.refusedAt = undefined;
    /** @type {(event?: Event) => boolean} */
    this.isFirstMoment = () => true;
    this.isDone = false;
    /**
     * The values of the fields before the user has written into them.
     * @type {import("./drafts.js").Written}
     */
    this.began = {};
    /** @type {ReturnType<typeof focusReturn> | undefined} */
    this.giveBack = undefined;
    /** @type {import("./phone-preview.js").Preview | undefined} */
    this.phone = undefined;
    const { title, action, tone, body, sheet, wide, beside } = this.options;
    const titleId = uniqueId("dialog");
    this.heading = el("h2", { id: titleId, tabindex: "-1" }, title);
    this.content = el("div", { class: "stack" }, body);
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
        el("div", null, this.content), this.plan.area, el("div", null, this.overrideArea, this.confirmation.element))
      : [this.content, this.plan.area, this.overrideArea, this.confirmation.element];
    this.cancel = el("button", { type: "button", class: "button", on: { click: () => this.close(true) } }, strings.cancel);
    this.form = el("form", {
      novalidate: true,
      on: {
        submit: (event) => { event.preventDefault(); void this.#submit(event); },
        input: (event) => this.#edited(event),
        keydown: (event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); this.form.requestSubmit(); }
        },
      },
    },
      el("header", { class: "dialog-head" }, this.heading,
        el("button", {
          type: "button", class: "icon-button", "aria-label": strings.close, on: { click: () => this.close(true) },
        }, icon("close"))),
      el("div", { class: "dialog-body" },
        this.others.news, this.plan.review,
        beside ? el("div", { class: "beside" }, el("div", null, asked), beside) : asked,
        this.others.area),
      el("footer", { class: "dialog-foot" }, this.problem, el("div", { class: "actions" }, this.cancel, this.action)));
    this.dialog = el("dialog", {
      class: `change-dialog${sheet ? " sheet" : ""}${wide ? " wide" : ""}`, "aria-labelledby": titleId,
    }, this.form);
    this.end = heldDialog(this.dialog, { leave: () => this.close(true), closed: () => this.#cleanUp() });
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
    this.#restore();
    this.others.sinceSeen(this.options.seen ?? []);
    this.dialog.showModal();
    this.isFirstMoment = firstMoment(this.form, () => this.paintReadiness(), this.ended.signal);
    this.#begin();
    store.on("targets", () => this.others.notice(), this.ended.signal);
    // Leaving the screen closes the dialog, and the next one restores the draft; but a dialog that is publishing stays until the answer.
    addEventListener("hashchange", () => this.close(true), { signal: this.ended.signal });
    void this.plan.ask();
    this.paintReadiness();
    void this.#startPreview();
  }

  /** The focus begins where there is something to read or to write, never on the button: a key pressed too early must press nothing. */
  #begin() {
    (this.options.focus ?? this.heading).focus();
  }

  #restore() {
    const { draft } = this.options;
    this.began = readFields(this.form);
    const bases = draft ? restoreDraft(draft, this.form) : null;
    if (!draft || !bases) return;
    this.others.restored(bases, () => {
      beginAfresh(draft, this.form, this.began);
      this.#replan();
      this.#begin();
    });
  }

  // Planning

  /** Shows the draft on a phone. The code is fetched with the first dialog that needs it; the dialog does not wait for it. */
  async #startPreview() {
    const { preview } = this.options;
    if (!preview) return;
    try {
      const { phonePreview } = await import("./phone-preview.js");
      if (this.ended.signal.aborted) return;
      const written = () => {
        const wanted = this.options.compose(true);
        return "set" in wanted ? wanted.set : null;
      };
      this.phone = phonePreview(this.base, this.ended.signal, { folded: true, written });
      show(preview, this.phone.element);
      this.drawPreview(this.options.compose(true));
    } catch (error) {
      // The plan and its texts work without it.
      if (!isCodeTrouble(error)) throw error;
    }
  }

  /** @param {Wanted | Field[]} wanted */
  drawPreview(wanted) {
    this.phone?.show(this.base, "set" in wanted ? wanted.set : null);
  }

  /** @param {Event} event */
  #edited(event) {
    const named = event.target instanceof HTMLInputElement ? event.target.name : "";
    if (this.accepted.size > 0 && !["reason", "confirm", "override"].includes(named)) {
      // The risk may have changed with the text, so any override has to be given again.
      this.accepted.clear();
      show(this.overrideArea);
    }
    if (this.options.draft) keepDraft(this.options.draft, this.form, this);
    this.#replan(!BESIDE_THE_PLAN.includes(named));
  }

  #replan(isOther = true) {
    this.plan.soon(isOther);
    this.paintReadiness();
  }

  /** @param {Wanted} wanted */
  body(wanted) {
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

  paintReadiness() {
    const ready = !this.busy
      && this.#isAllowed()
      && !this.isFirstMoment()
      && !this.plan.isComing
      && !Array.isArray(this.options.compose(true))
      && this.confirmation.ready()
      && isFilled(this.form);
    this.action.setAttribute("aria-disabled", String(!ready));
  }

  // Publishing

  /** @param {Event} event */
  async #submit(event) {
    if (this.busy) return;
    if (!this.#isAllowed()) return this.say(strings.dialog.roleNeeded("operator"));
    this.say(null);
    const isTooEarly = this.isFirstMoment(event);
    const shown = this.plan.current;
    if (!this.plan.isSeen && !isTooEarly) await this.plan.ask();
    if (this.busy || this.ended.signal.aborted) return;
    const wanted = this.options.compose(false);
    const missing = [...(Array.isArray(wanted) ? wanted : []), ...this.confirmation.missing()];
    if (Array.isArray(wanted) || missing.length > 0) return this.#point(missing);
    if (isTooEarly) return;
    // What is published must have been on the screen at the press. Without a plan after somebody else's change, the server refuses.
    if (!this.plan.says(shown) && this.others.moved().length === 0) {
      return this.plan.current ? this.say(strings.dialog.readFirst) : this.#goToRefused();
    }

    this.plan.stop();
    const body = { ...this.body(wanted), ...this.confirmation.values() };
    this.#setBusy(true, strings.dialog.publishing);
    try {
      const result = await publish((key) => api.commit(body, key), {
        key: this.keyFor(body), targets: this.bases, signal: this.ended.signal,
        uncertain: () => {
          this.#setBusy(true, strings.dialog.uncertain);
          this.say(strings.dialog.uncertainHint);
          // Nothing more can be done here, but the user need not wait either.
          this.cancel.removeAttribute("aria-disabled");
        },
      });
      this.#setBusy(false);
      this.#report(result, wanted);
    } catch (error) {
      if (this.ended.signal.aborted) return;
      this.#setBusy(false);
      this.plan.forget();
      if (error instanceof api.APIError) this.say(sayRefused(error.problem));
      else throw error;
    }
  }

  /** @param {import("../publish.js").Result} result @param {Wanted} wanted */
  #report(result, wanted) {
    if (result.kind === "done" && result.changed) {
      this.isDone = true;
      this.options.done?.();
      return this.close(false);
    }
    if (result.kind === "done") return this.#askAgain(strings.dialog.unchanged);
    if (result.kind === "unsettled") {
      void result.made.then((late) => { if (!this.busy && !this.ended.signal.aborted) this.#report(late, wanted); });
      return this.say(dialogStrings.unsettled);
    }
    if (result.kind === "conflict") return this.others.conflict(result.current, result.change, wanted);
    const { problem } = result;
    if (problem.plan) {
      this.plan.show(problem.plan);
      const missing = this.confirmation.missing();
      if (missing.length > 0) return this.#point(missing);
    }
    this.say(null);
    this.refused(problem);
    this.#goToRefused();
    if (problem.overridable && !problem.plan) this.plan.forget();
    else if (!problem.plan) this.#askAgain(this.problem.textContent ?? "");
  }

  /**
   * Shows what the server said, and asks for a new plan: the old one did not include it.
   * @param {string} said
   */
  #askAgain(said) {
    this.say(said);
    this.plan.forget();
    void this.plan.ask(said || undefined);
  }

  /**
   * Shows a refusal at its field or above the buttons; if it may be overridden, offers that.
   * @param {import("../documents.js").Problem} problem
   */
  refused(problem) {
    this.refusedAt = this.fields[problem.field?.split("/").pop() ?? ""];
    if (this.refusedAt) this.refusedAt.error(sayRefusal(problem));
    else this.say(sayRefused(problem));
    if (!problem.overridable) return;
    show(this.overrideArea, overrideBox(problem.code, this.accepted));
  }

  /**
   * Takes over title, fields and texts made for another state of the target.
   * @param {Rebased} [again]
   */
  become(again) {
    if (again?.title) this.label = this.heading.textContent = this.action.textContent = again.title;
    if (again?.body) show(this.content, again.body);
    Object.assign(this.fields, again?.fields);
  }

  // Saying things

  /** @param {string | null} text */
  say(text) {
    this.problem.textContent = text ?? "";
  }

  /** @param {Field[]} missing */
  #point(missing) {
    this.say(strings.dialog.missingSummary);
    missing[0]?.control.focus();
  }

  /** After a press. */
  #goToRefused() {
    if (!this.refusedAt) return;
    this.say(strings.dialog.refusedSummary);
    goTo(this.refusedAt.control);
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
    this.cancel.setAttribute("aria-disabled", String(busy));
    this.paintReadiness();
  }

  // The end

  /** @param {boolean} cancelled */
  close(cancelled) {
    if (cancelled && this.cancel.getAttribute("aria-disabled") === "true") return;
    if (!cancelled && this.options.draft) forgetDraft(this.options.draft);
    this.end();
  }

  #cleanUp() {
    this.plan.stop();
    this.ended.abort();
    this.dialog.remove();
    this.options.closed?.();
    this.giveBack?.(this.isDone);
  }
}
