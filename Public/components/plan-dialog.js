// @ts-check
/**
 * Asks before an action that may let people in or keep them out, but has no draft of a gate: shows the server's plan first, then asks for
 * what the plan demands, and only then does it.
 */
import * as api from "../api.js";
import { el, show, uniqueId } from "../dom.js";
import { lastActor, same, sayActor } from "../gate.js";
import { sayRefused } from "../server-words.js";
import { afterwards, nameOf, store } from "../store.js";
import { scheduleStrings } from "../strings/schedule.js";
import { strings } from "../strings/shared.js";
import { confirmation } from "./confirmation.js";
import { effectsView } from "./effects-view.js";
import { goTo } from "./field.js";
import { firstMoment } from "./first-moment.js";
import { focusReturn } from "./focus-return.js";
import { heldDialog } from "./held-dialog.js";
import { knownRevisions } from "./known-revisions.js";
import { overrideBox } from "./override-box.js";
import { differenceTable, documentChanges, omittedNote, warningList } from "./plan-view.js";
import { requestKeys } from "./request-keys.js";
import { onceAnswered } from "./shell.js";
import { windowLine } from "./targets.js";

const PLAN_DELAY = 250;

/** @typedef {import("../api-apps.js").Terms} Terms */
/**
 * @typedef {{ keyFor: (body: object) => string, signal: AbortSignal, uncertain: () => void,
 *   plan: import("../documents.js").Plan }} Sending  `keyFor`: the Idempotency-Key for a body that is really sent; `uncertain` is called
 *   when the answer is lost; `plan`: the one that was on the screen at the press
 */
/**
 * @template Answer
 * @typedef {object} Options
 * @property {string} title
 * @property {string | (() => string)} [name] the button's text, which may depend on the fields; by default the title
 * @property {string} working the button's text while sending
 * @property {import("../dom.js").Child} [text]
 * @property {import("../dom.js").Child} [about] shown below the text
 * @property {{ element: HTMLElement, missing: () => HTMLElement | null,
 *   refused: (problem: import("../documents.js").Problem) => boolean }} [edit] fields
 *   to fill in first: `missing` shows what is missing and returns where to go; `refused` shows a refusal at its field, if it has one
 * @property {(plan: import("../documents.js").Plan) => import("../dom.js").Child} [view]
 * @property {{ plan: import("../documents.js").Plan } | { refusal: api.APIError }} [known] the server's answer, if there is one already
 * @property {import("../api-schedule.js").Window} [window] the window that it is about: the dialog tells when somebody changes it
 * @property {(terms: Terms) => Promise<import("../documents.js").Plan>} ask
 * @property {(terms: Terms, sending: Sending) => Promise<Answer | "renewed">} send resolves to `"renewed"` if nothing was sent because the
 *   plan has changed since it was read
 */

/** @param {import("../documents.js").Plan} plan */
function planView(plan) {
  const several = new Set(plan.diff.map(nameOf)).size > 1;
  return [
    effectsView(plan),
    plan.diff.length > 0 ? differenceTable(plan.diff, { caption: strings.dialog.changes, targets: several }) : null,
    documentChanges(plan),
    plan.tier === 0 ? el("p", { class: "hint" }, strings.dialog.noDifference) : null,
    omittedNote(plan), warningList(plan.warnings),
  ];
}

/**
 * Whether two plans say the same. How many phones poll changes all the time and is left out.
 * @param {import("../documents.js").Plan} one @param {import("../documents.js").Plan} other
 */
export const saysTheSame = (one, other) => same({ ...one, load: null }, { ...other, load: null });

/**
 * Whether the server refused because what was seen is no longer so.
 * @param {unknown} error
 * @returns {error is api.APIError}
 */
export const isOvertaken = (error) => error instanceof api.APIError && [404, 409, 412].includes(error.status);

/** The server's codes for a window of which nothing is left to be done. */
const OVER = ["window_over", "window_not_found"];

/** What this page knows, to be compared. */
const facts = () => JSON.stringify([...knownRevisions()]);

/**
 * @template Answer
 * @param {Options<Answer>} options
 * @returns {Promise<Answer | null>} null if it was not done
 */
export const openPlanDialog = (options) => new Promise((resolve) => {
  const { title, name = title, working, text, about, edit, view = planView, known, window, ask, send } = options;
  const intro = el("p", { hidden: !text }, text ?? "");
  const named = () => (typeof name === "string" ? name : name());
  const titleId = uniqueId("plan");
  const asked = confirmation();
  const news = el("div", { class: "dialog-news", role: "status" });
  const area = el("div", { class: "dialog-plan" });
  const override = el("div", { class: "dialog-override" });
  const problem = el("div", { class: "problem", role: "alert" });
  const heading = el("h2", { id: titleId, tabindex: "-1" }, title);
  const action = el("button", { type: "submit", class: "button restrict" }, named());
  const cancel = el("button", { type: "button", class: "button", on: { click: () => leave() } }, strings.cancel);
  const ended = new AbortController();
  const giveBack = focusReturn();
  /** @type {Set<string>} */
  const accepted = new Set();
  const keyFor = requestKeys();
  /** @type {import("../documents.js").Plan | null} */
  let plan = null;
  /** @type {Answer | null} */
  let answer = null;
  let question = 0;
  let busy = false;
  /** Somebody has changed something; whether the plan on the screen still holds is being asked. */
  let isDoubtful = false;
  /** What this page knew when the plan was last asked for, if the answer was that it is no longer so. */
  let refusedWith = "";
  /** Nothing is left to be done with the window, so nothing is planned any more. */
  let isOver = false;
  /** The window's revision that the reader knows of. */
  let revision = window?.revision;
  /** @type {(event?: Event) => boolean} */
  let isFirstMoment = () => true;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  edit?.element.addEventListener("input", edited);

  const accepting = () => (accepted.size > 0 ? { accept: [...accepted] } : {});
  const paint = () => action.setAttribute("aria-disabled", String(busy || !plan || isFirstMoment() || !asked.ready()));

  /** @param {import("../documents.js").Plan} next */
  function showPlan(next) {
    if (plan && !saysTheSame(plan, next)) show(news, el("p", null, strings.dialog.renewed));
    plan = next;
    isDoubtful = false;
    asked.apply(next);
    asked.element.hidden = false;
    action.className = `button ${next.tier >= 2 ? "restrict" : "primary"}`;
    show(area, view(next));
    paint();
  }

  /**
   * The facts have changed: says so, and what was typed to confirm the old ones is void.
   * @param {...import("../dom.js").Child} said
   */
  function renew(...said) {
    asked.reset();
    show(news, ...said);
  }

  /** Takes in what somebody else has just changed, which may make it another plan. */
  function notice() {
    if (busy) return;
    if (isOver) return sayBegun();
    const now = store.windows.find(({ id }) => id === window?.id);
    if (now && now.revision !== revision) {
      revision = now.revision;
      renew(el("p", null, scheduleStrings.renewed(sayActor(lastActor(now)))), windowLine(now));
      // Of a press the refusal stays; that of a plan is about one that is no longer asked for.
      return void planned(refusedWith ? "" : problem.textContent ?? "");
    }
    if (!plan) {
      // Not what the server has refused already: a refusal that led to the same question again would lead to itself.
      if (refusedWith && refusedWith !== facts()) void planned();
      return;
    }
    isDoubtful = true;
    void look();
  }

  function forget() {
    question += 1;
    plan = null;
    isDoubtful = false;
    refusedWith = "";
    show(area);
    paint();
  }

  /** @param {string} [said] the server's answer to the last press, which stays on the screen beside the new plan */
  function planned(said = "") {
    forget();
    if (edit?.missing()) return Promise.resolve();
    problem.textContent = said;
    show(area, el("p", { class: "hint" }, strings.dialog.planning));
    return look();
  }

  /** Asks for the plan as things are now. */
  async function look() {
    question += 1;
    const mine = question;
    const knowing = facts();
    try {
      const next = await ask(accepting());
      if (mine === question && !ended.signal.aborted) showPlan(next);
    } catch (error) {
      if (mine !== question || ended.signal.aborted) return;
      explain(error, strings.dialog.noAnswer);
      if (window && !plan && isOvertaken(error)) catchUp(error, knowing);
      if (!(error instanceof api.NoAnswer)) return;
      const unanswered = question;
      onceAnswered(() => { if (unanswered === question && !busy && !ended.signal.aborted) void planned(); });
    }
  }

  /**
   * The server knows of something that this page has not heard of yet. That is read now, after the refusal has been said, and what it tells
   * leads to another question only if it is news: before, it would make the plan on the screen doubtful, and be asked for without an end.
   * @param {api.APIError} refusal @param {string} knowing
   */
  function catchUp({ problem: { current } }, knowing) {
    refusedWith = knowing;
    if (current) store.put([current]);
    void afterwards(store.reloadWindows());
  }

  /** @param {unknown} error @param {string} unanswered */
  function explain(error, unanswered) {
    if (ended.signal.aborted) return;
    forget();
    if (error instanceof api.NoAnswer) problem.textContent = unanswered;
    else if (error instanceof api.APIError) refused(error);
    else throw error;
  }

  /** @param {api.APIError} error */
  function refused({ code, problem: refusal }) {
    if (window && OVER.includes(code)) return over(refusal);
    if (!edit?.refused(refusal)) problem.textContent = sayRefused(refusal);
    if (refusal.plan) showPlan(refusal.plan);
    if (!refusal.overridable) return;
    show(override, overrideBox(code, accepted, () => void planned()));
  }

  /**
   * Nothing is left to be done with the window: says so instead of what could have been done, and only closing remains.
   * @param {import("../documents.js").Problem} refusal
   */
  function over(refusal) {
    isOver = true;
    problem.textContent = sayRefused(refusal);
    show(news);
    sayBegun();
    const gone = [intro, ...(edit ? [edit.element] : []), override, asked.element, action];
    const hadFocus = gone.some((part) => part.contains(document.activeElement));
    for (const part of gone) part.hidden = true;
    if (hadFocus) heading.focus();
    cancel.textContent = strings.close;
  }

  /** A window that was to be run, and runs: says that, once this page knows it, in place of the refusal, which is for programs. */
  function sayBegun() {
    const begun = window?.state !== "running" && store.windows.find(({ id, state }) => id === window?.id && state === "running");
    if (!begun || news.childElementCount > 0) return;
    problem.textContent = scheduleStrings.begun;
    show(news, windowLine(begun));
  }

  /** After an edit the old plan is removed at once; the new one is asked for when the user pauses. */
  function edited() {
    if (busy) return;
    action.textContent = named();
    forget();
    accepted.clear();
    show(override);
    clearTimeout(waiting);
    waiting = setTimeout(() => void planned(), PLAN_DELAY);
  }

  /** @param {Event} event */
  async function submit(event) {
    if (busy || isOver) return;
    const isTooEarly = isFirstMoment(event);
    const lacking = edit?.missing();
    if (lacking) {
      problem.textContent = strings.dialog.missingSummary;
      return goTo(lacking);
    }
    clearTimeout(waiting);
    const seen = plan;
    if (!isTooEarly && (!seen || isDoubtful)) await (seen ? look() : planned());
    if (busy) return;
    if (!plan) return goToRefused();
    const missing = asked.missing();
    problem.textContent = missing.length > 0 ? strings.dialog.missingSummary : "";
    if (missing.length > 0) return missing[0].control.focus();
    if (isTooEarly) return;
    // Do nothing if the plan was not on the screen at the press, or is doubtful again.
    if (!seen || isDoubtful || !saysTheSame(seen, plan)) {
      problem.textContent = strings.dialog.readFirst;
      return;
    }
    const terms = { ...asked.values(), ...accepting() };
    setBusy(true, working);
    try {
      const sent = await send(terms, { keyFor, signal: ended.signal, uncertain, plan });
      if (sent !== "renewed") {
        answer = sent;
        // It stays busy until it is gone: somebody else's change must not make it ask for the plan of what is done.
        return end();
      }
      setBusy(false, named());
      renew(el("p", null, strings.dialog.renewed));
      notice();
      return planned();
    } catch (error) {
      setBusy(false, named());
      const again = error instanceof api.APIError && !error.problem.plan && !error.problem.overridable;
      if (again && !ended.signal.aborted) return planned(sayRefused(error.problem)).then(goToRefused);
      explain(error, strings.dialog.outcomeUnknown);
    }
  }

  /** After a press that led to no plan: goes to the field that was refused, if it was one. */
  function goToRefused() {
    const control = plan ? null : edit?.element.querySelector("[aria-invalid='true']");
    if (!(control instanceof HTMLElement)) return;
    problem.textContent ||= strings.dialog.refusedSummary;
    goTo(control);
  }

  /** @param {boolean} now @param {string} label */
  function setBusy(now, label) {
    busy = now;
    action.textContent = label;
    dialog.setAttribute("aria-busy", String(now));
    // Read-only rather than disabled: a disabled control loses focus.
    for (const { control } of Object.values(asked.fields)) control.toggleAttribute("readonly", now);
    if (now) cancel.setAttribute("aria-disabled", "true");
    else cancel.removeAttribute("aria-disabled");
    paint();
  }

  function uncertain() {
    action.textContent = strings.dialog.uncertain;
    problem.textContent = strings.dialog.uncertainHint;
    cancel.removeAttribute("aria-disabled");
  }

  function leave() {
    if (cancel.getAttribute("aria-disabled") !== "true") end();
  }

  /** @type {HTMLFormElement} */
  const form = el("form", {
    novalidate: true,
    on: {
      submit: (event) => { event.preventDefault(); void submit(event); },
      input: paint,
      keydown: (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); form.requestSubmit(); }
      },
    },
  },
    el("header", { class: "dialog-head" }, heading),
    el("div", { class: "dialog-body" }, news, intro, about, edit?.element, area, override, asked.element),
    el("footer", { class: "dialog-foot" }, problem, el("div", { class: "actions" }, cancel, action)));
  const dialog = el("dialog", { class: "change-dialog", "aria-labelledby": titleId }, form);
  const end = heldDialog(dialog, {
    leave, closed: () => { clearTimeout(waiting); ended.abort(); dialog.remove(); resolve(answer); giveBack(answer !== null); },
  });
  asked.element.hidden = true;
  // Leaving the screen closes the dialog. Somebody else's change may affect this plan, so then it is asked for again.
  addEventListener("hashchange", leave, { signal: ended.signal });
  for (const topic of /** @type {const} */ (["targets", "schedule"])) store.on(topic, notice, ended.signal);
  document.body.append(dialog);
  dialog.showModal();
  isFirstMoment = firstMoment(form, paint, ended.signal);
  // The user should read the plan from its beginning; the fields come after it.
  heading.focus();
  if (known && "plan" in known) showPlan(known.plan);
  else if (known) explain(known.refusal, "");
  else void planned();
});
