// @ts-check
/** The form that makes or replaces a window: it asks for the plan while the user writes, and sends the window once. */
import { editWindow, makeWindow, planEdit, planWindow, window as readWindow } from "../api-schedule.js";
import * as api from "../api.js";
import { el, show } from "../dom.js";
import { lastActor, sayActor, sayTargets } from "../gate.js";
import { isUncertain } from "../publish.js";
import { sayRefusal, sayRefused } from "../server-words.js";
import { afterwards, nameOf, store } from "../store.js";
import { newWindowStrings } from "../strings/new-window.js";
import { scheduleStrings } from "../strings/schedule.js";
import { strings } from "../strings/shared.js";
import { isEditable } from "../window-draft.js";
import { BESIDE_THE_PLAN, confirmation } from "./confirmation.js";
import { forgetDraft, moveDraft, putDraft } from "./drafts.js";
import { effectsView } from "./effects-view.js";
import { goTo } from "./field.js";
import { isTooLate, isWindowOvertaken } from "./known-revisions.js";
import { overrideBox } from "./override-box.js";
import { differenceTable, omittedNote, warningList } from "./plan-view.js";
import { requestKeys } from "./request-keys.js";
import { keepSaved } from "./saved-window.js";
import { onceAnswered } from "./shell.js";
import { targetsField } from "./targets-field.js";
import { windowLine } from "./targets.js";
import { WindowOthers } from "./window-others.js";
import { windowOver } from "./window-over.js";
import { windowPhone } from "./window-phone.js";
import { ruleFields } from "./window-rule.js";
import { timesFields } from "./window-times.js";

/** @typedef {import("../api-schedule.js").Window} Window */
/** @typedef {import("../window-draft.js").Draft} Draft */
/** @typedef {import("../window-draft.js").Unanswered} Unanswered */
/**
 * @typedef {{ old?: Window, note?: string, keyAt: (revision?: number) => string, kept?: Partial<Draft> & { unanswered?: Unanswered },
 *   afresh: (key: string) => void, signal: AbortSignal }} Options
 *   `old`: the window to replace; `kept`: the draft kept from an earlier visit, under the key that `keyAt` gives
 */

const PLAN_DELAY = 300;

export class WindowEditor {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #question = 0;
  #busy = false;
  #isAsking = false;
  #isLooking = false;
  /** The window to replace is no longer waiting: nothing is asked or sent any more, and what is written stays to be read. */
  #isOver = false;
  #keyFor = requestKeys();
  /**
   * What the plan on the screen is of; null while there is none of this draft. Only this is sent: if somebody else has done anything since,
   * the server refuses its revisions.
   * @type {object | null}
   */
  #planned = null;
  /**
   * What was sent without an answer. It is sent again as it was, with its key, because written differently it would be a second window.
   * @type {Unanswered | null}
   */
  #unanswered = null;
  /** @type {Set<string>} the refusals that the user overrides */
  #accepted = new Set();
  #others = new WindowOthers();

  /**
   * @param {import("../documents.js").Target[]} targets
   * @param {Partial<Draft>} fresh
   * @param {Options} options
   */
  constructor(targets, fresh, options) {
    const { old, note, keyAt, kept, afresh, signal } = options;
    const draft = { ...fresh, ...kept };
    this.old = old;
    this.keyAt = keyAt;
    this.key = keyAt();
    this.signal = signal;
    this.targets = targetsField(targets, draft.targets ?? [], () => this.#edited());
    this.rule = ruleFields(draft);
    this.times = timesFields(draft, () => this.#edited());
    this.phone = windowPhone(signal);
    this.news = el("div", { class: "window-news", role: "status" });
    this.planArea = el("div", { class: "dialog-plan" });
    this.overrideArea = el("div", { class: "dialog-override" });
    this.asked = confirmation();
    this.asked.fields.reason.control.value = draft.reason ?? "";
    this.problem = el("div", { class: "problem", role: "alert" });
    this.go = el("button", { type: "submit", class: "button primary" });
    this.replaces = old ? el("p", { class: "callout" }, newWindowStrings.replaces(old.id)) : null;
    this.kept = kept ? el("div", { class: "callout actions" }, newWindowStrings.kept,
      el("button", { type: "button", class: "button small", on: { click: () => afresh(this.key) } }, newWindowStrings.afresh)) : null;
    this.fields = el("div", { class: "stack" }, this.targets.element, this.rule.elements, this.times.element);
    this.element = el("form", {
      class: "planner", novalidate: true,
      on: { submit: (event) => { event.preventDefault(); void this.#submit(); }, input: (event) => this.#edited(event) },
    },
      el("div", { class: "stack" }, this.replaces, this.news, this.kept, note && !kept ? el("p", { class: "callout" }, note) : null,
        this.fields),
      this.phone.element,
      el("div", { class: "stack" },
        this.planArea, this.overrideArea, this.asked.element, this.problem, el("div", { class: "actions" }, this.go)));
    for (const topic of /** @type {const} */ (["targets", "schedule"])) store.on(topic, () => this.#notice(), signal);
    this.#paint();
    if (kept?.unanswered) this.#hold(kept.unanswered);
    else void this.#ask();
  }

  #paint() {
    this.rule.paint();
    this.asked.expect(this.rule.restricts());
    if (!this.#busy) {
      this.go.textContent = (this.old ? newWindowStrings.save : newWindowStrings.make)(sayTargets(this.targets.value()), store.environment);
    }
    this.#paintReadiness();
    this.times.paint({ state: this.rule.state(), isBlock: this.rule.isBlock() });
    this.phone.show(this.targets.value(), this.rule.value());
  }

  /** Whether the button waits for the plan of what was just written. */
  #paintReadiness() {
    const isComing = !this.#planned && (this.#isAsking || (this.#timer !== undefined && this.#compose() !== null));
    this.go.setAttribute("aria-disabled", String(this.#busy || isComing));
  }

  /** @param {Event} [event] */
  #edited(event) {
    const named = event?.target instanceof HTMLInputElement ? event.target.name : "";
    if (!BESIDE_THE_PLAN.includes(named)) {
      this.#planned = null;
      this.problem.textContent = "";
    }
    if (![...BESIDE_THE_PLAN, "override"].includes(named)) this.#withdraw();
    this.#keep();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#ask(), PLAN_DELAY);
    this.#paint();
  }

  /** The risk may have changed with what was written, so any override has to be given again. */
  #withdraw() {
    this.#accepted.clear();
    show(this.overrideArea);
  }

  /** @param {Unanswered | null} [unanswered] what is being sent; whoever comes back before the answer can send only that again */
  #keep(unanswered = this.#unanswered) {
    putDraft(this.key, {
      targets: this.targets.value().map(nameOf), ...this.rule.read(), ...this.times.read(), reason: this.asked.fields.reason.control.value,
      ...(unanswered ? { unanswered } : {}),
    });
  }

  /**
   * Locks the form until the server says what became of what was sent; nothing else can be sent meanwhile.
   * @param {Unanswered | null} unanswered null to unlock it
   */
  #hold(unanswered) {
    this.#unanswered = unanswered;
    for (const part of [this.fields, this.asked.element]) part.inert = unanswered !== null;
    if (unanswered) {
      this.problem.textContent = scheduleStrings.uncertain;
      this.go.focus();
    }
    this.#keep();
  }

  /** Removes a plan that no longer holds, and what was typed to confirm it. */
  #forget() {
    this.#stop();
    this.#planned = null;
    this.asked.reset();
    show(this.planArea);
  }

  /** No plan is asked for any more, and one that arrives later is of another state. */
  #stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#question += 1;
    this.#isAsking = false;
  }

  /** Tells what somebody else has done to the chosen targets or to their schedule, and plans again: the plan on the screen is void. */
  #notice() {
    const { old } = this;
    this.#others.look();
    if (this.#busy || this.#unanswered || this.#isOver) return;
    if (old && this.#others.isEdited(old)) return void this.#lookAgain();
    const said = this.#others.tell(this.targets.value(), old);
    if (!said) return;
    show(this.news, el("div", { class: "callout" }, said));
    this.#forget();
    void this.#ask();
  }

  /** @returns {object | null} null while something is missing */
  #compose() {
    const set = this.rule.value();
    const times = this.times.value();
    if (!set || !times || this.targets.missing()) return null;
    return {
      targets: this.targets.value().map(({ app, platform, revision }) => ({ app, platform, revision })), set, ...times,
      ...(this.#accepted.size > 0 ? { accept: [...this.#accepted] } : {}),
    };
  }

  /** @param {unknown} [refusal] of the last press, which stays said beside the new plan; null for a press that has sent nothing */
  async #ask(refusal) {
    if (this.#isOver) return;
    this.#stop();
    const wanted = this.#compose();
    const mine = this.#question;
    this.#isAsking = wanted !== null;
    this.#paintReadiness();
    if (!wanted) {
      this.#planned = null;
      return show(this.planArea);
    }
    const { old } = this;
    try {
      const outcome = await (old ? planEdit(old.id, { ...wanted, revision: old.revision }) : planWindow(wanted));
      if (mine !== this.#question || this.signal.aborted || !outcome.plan) return;
      this.problem.textContent = "";
      this.times.say(outcome.window);
      this.#showPlan(outcome.plan, wanted);
      if (refusal) this.#say(refusal, true);
    } catch (error) {
      if (mine !== this.#question || this.signal.aborted) return;
      this.#planned = null;
      show(this.planArea);
      if (isWindowOvertaken(error) || isTooLate(error)) return void this.#lookAgain();
      // The store tells this form too, which then says who was faster and asks again.
      if (error instanceof api.APIError && error.problem.current) store.put([error.problem.current]);
      if (mine !== this.#question) return;
      this.#say(error, refusal !== undefined);
      if (!(error instanceof api.NoAnswer)) return;
      onceAnswered(() => { if (mine === this.#question && !this.#busy && !this.signal.aborted) void this.#ask(); });
    } finally {
      if (mine === this.#question) {
        this.#isAsking = false;
        this.#paintReadiness();
      }
    }
  }

  /**
   * Somebody has changed the window being edited: shows what it is now, and asks for the plan against that.
   * @returns {Promise<void>}
   */
  async #lookAgain() {
    if (!this.old || this.#isLooking) return;
    this.#isLooking = true;
    this.#forget();
    try {
      const [current] = await Promise.all([readWindow(String(this.old.id)), store.reloadWindows()]);
      if (this.signal.aborted) return;
      this.old = current;
      if (!isEditable(current)) return await this.#finish(current);
      // What is written goes on against the window as it is now, which is told beside it; a reload finds it there.
      this.key = moveDraft(this.key, this.keyAt(current.revision));
      show(this.news, el("div", { class: "callout" },
        el("p", null, newWindowStrings.changedBy(sayActor(lastActor(current)))), windowLine(current)));
      this.news.scrollIntoView({ block: "nearest" });
      await this.#ask();
    } catch (error) {
      if (!this.signal.aborted) this.#say(error);
    } finally {
      this.#isLooking = false;
      this.#paintReadiness();
    }
  }

  /**
   * Nothing can be replaced any more: says so in place of what could have been done, and leads to where it goes on.
   * @param {Window} current
   */
  async #finish(current) {
    this.#isOver = true;
    // What it has done is told against the gates as they are now, and not as they were before its start.
    await afterwards(store.refresh(current.targets));
    if (this.signal.aborted) return;
    this.problem.textContent = "";
    const said = el("p", { tabindex: "-1" }, scheduleStrings.overtakenBy(sayActor(lastActor(current))));
    show(this.news, windowOver(current, said));
    const gone = [this.replaces, this.kept, this.overrideArea, this.asked.element, this.go];
    const hadFocus = gone.some((part) => part?.contains(document.activeElement));
    for (const part of gone) if (part) part.hidden = true;
    if (hadFocus) said.focus();
    this.news.scrollIntoView({ block: "nearest" });
  }

  /** @param {import("../documents.js").Plan} plan @param {object | null} of */
  #showPlan(plan, of) {
    this.#planned = of;
    this.asked.apply(plan);
    this.go.className = `button ${plan.tier >= 2 ? "restrict" : "primary"}`;
    const differences = differenceTable(plan.diff, {
      caption: strings.dialog.changes, targets: this.targets.value().length > 1, none: newWindowStrings.sameNow,
    });
    show(this.planArea,
      el("h2", null, strings.dialog.changes), effectsView(plan), differences, omittedNote(plan), warningList(plan.warnings));
  }

  /** @param {unknown} error @param {boolean} [isOfPress] whether a press led to it, which then goes to the field that was refused */
  #say(error, isOfPress = false) {
    if (error instanceof api.NoAnswer) { this.problem.textContent = strings.dialog.noAnswer; return; }
    if (!(error instanceof api.APIError)) throw error;
    const { field: at = "", choices } = error.problem;
    if (error.problem.overridable) show(this.overrideArea, overrideBox(error.problem.code, this.#accepted));
    const said = sayRefusal(error.problem, this.times.zone());
    const where = this.times.refuse(at, said, choices ?? []) ?? this.rule.refuse(at, said);
    if (!where) this.problem.textContent = sayRefused(error.problem);
    else if (isOfPress) this.#point(where.control, strings.dialog.refusedSummary);
  }

  /**
   * Shows why a press was refused, and a new plan.
   * @param {unknown} error
   */
  #refuse(error) {
    if (isWindowOvertaken(error) || isTooLate(error)) return void this.#lookAgain();
    this.#say(error, true);
    if (!(error instanceof api.APIError)) return;
    const { current, plan } = error.problem;
    if (plan) return this.#showPlan(plan, this.#planned);
    const asked = this.#question;
    if (current) store.put([current]);
    if (asked === this.#question) void this.#ask(error);
  }

  /**
   * Shows everything that is missing.
   * @returns {HTMLElement | null} the first control to go to
   */
  #missing() {
    /** @type {[boolean, { error: (text: string) => void, control: HTMLElement }, string][]} */
    const needs = [
      [this.targets.missing(), this.targets, newWindowStrings.targetsMissing], ...this.rule.needs(), ...this.times.needs(),
    ];
    const lacking = needs.filter(([lacks]) => lacks);
    for (const [, where, text] of lacking) where.error(text);
    const first = [...lacking.map(([, where]) => where), ...this.asked.missing()][0];
    return first?.control ?? null;
  }

  async #submit() {
    if (this.#busy || this.#isOver) return;
    const where = this.#unanswered ? null : this.#missing();
    if (where) return this.#point(where, strings.dialog.missingSummary);
    if (!this.#planned && !this.#unanswered) return this.#readFirst();
    const sent = this.#unanswered ?? this.#written();
    this.#busy = true;
    this.#stop();
    this.go.textContent = newWindowStrings.making;
    this.#keep(sent);
    try {
      const { body, key } = sent;
      const { window } = await (this.old ? editWindow(this.old.id, body, key) : makeWindow(body, key));
      forgetDraft(this.key);
      await afterwards(store.reloadWindows());
      // Whoever has gone to another screen meanwhile stays there.
      if (this.signal.aborted) return;
      keepSaved(window);
      location.hash = "#/schedule";
    } catch (error) {
      this.#busy = false;
      this.#hold(isUncertain(error) ? sent : null);
      if (!this.#unanswered) this.#refuse(error);
    } finally {
      this.#busy = false;
      this.#paint();
    }
  }

  /** @param {HTMLElement} control where a press led to nothing @param {string} said that, beside the button */
  #point(control, said) {
    this.problem.textContent = said;
    goTo(control);
  }

  /** Nothing is sent before its plan was on the screen at the press. */
  async #readFirst() {
    await this.#ask(null);
    if (!this.#planned) return;
    const [lacking] = this.asked.missing();
    if (lacking) this.#point(lacking.control, strings.dialog.missingSummary);
    else this.problem.textContent = strings.dialog.readFirst;
  }

  /** What the form says now, to be sent. */
  #written() {
    // Without a reason the window would keep its own; an emptied field takes it away.
    const edit = this.old ? { revision: this.old.revision, reason: "" } : {};
    const body = { ...this.#planned, ...edit, ...this.asked.values() };
    return { body, key: this.#keyFor(body) };
  }
}
