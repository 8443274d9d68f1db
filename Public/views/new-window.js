// @ts-check
/**
 * `#/schedule/new`: a change for a span of time; with `?w=12` in the place of a window that waits. Which instants are meant, and what they
 * would do, is the server's word.
 */
import * as api from "../api.js";
import { cancelWindow, makeWindow, planWindow } from "../api-schedule.js";
import { sayTarget } from "../describe.js";
import { el, show } from "../dom.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { newWindowStrings } from "../strings/new-window.js";
import { scheduleStrings } from "../strings/schedule.js";
import { strings } from "../strings/shared.js";
import { targetStrings } from "../strings/target.js";
import { ownZone, saidZoned } from "../time.js";
import { confirmation } from "../components/confirmation.js";
import { effectsView } from "../components/effects-view.js";
import { field } from "../components/field.js";
import { differenceTable, omittedNote, warningList } from "../components/plan-view.js";
import { requestKeys } from "../components/request-keys.js";
import { zonedField } from "../components/zoned-field.js";
import { ACTIONS, draftOf } from "../window-draft.js";

const PLAN_DELAY = 300;
const LONGEST = 500;

/** @param {import("../app.js").ViewContext} context */
export function newWindowView({ query, signal }) {
  const named = store.windows.find((window) => String(window.id) === query.get("w"));
  const draft = named ? draftOf(named) : null;
  // What the form cannot say it must not replace.
  const old = draft ? named : undefined;
  const name = old ? newWindowStrings.editTitle(old.id) : newWindowStrings.title;
  const title = el("h1", { tabindex: "-1" }, name);
  const mine = [...store.targets.values()].filter((target) => store.may("operator", target.app));
  const body = mine.length > 0
    ? editor(mine, { target: query.get("t") ?? "", action: query.get("do") ?? "", ...draft }, old, signal)
    : el("p", { class: "callout" }, strings.dialog.roleNeeded("operator"));
  return {
    title: name,
    element: el("div", { class: "narrow" },
      el("p", { class: "crumbs" }, el("a", { href: "#/schedule" }, scheduleStrings.title)),
      el("div", { class: "view-head" }, title),
      body),
  };
}

/**
 * @param {import("../api.js").Target[]} targets
 * @param {Partial<import("../window-draft.js").Draft>} draft
 * @param {import("../api-schedule.js").Window | undefined} old the window that the new one takes the place of
 * @param {AbortSignal} signal
 */
function editor(targets, draft, old, signal) {
  const target = field(
    el("select", { name: "target" }, targets.map((one) => el("option", { value: nameOf(one) }, sayTarget(one)))),
    { label: newWindowStrings.target },
  );
  if (targets.some((one) => nameOf(one) === draft.target)) target.control.value = draft.target ?? "";
  const action = field(
    el("select", { name: "action" }, Object.entries(newWindowStrings.actions).map(([value, text]) => el("option", { value }, text))),
    { label: newWindowStrings.action },
  );
  if (ACTIONS[draft.action ?? ""]) action.control.value = draft.action ?? "";
  const version = field(
    el("input", {
      name: "version", autocomplete: "off", autocapitalize: "none", spellcheck: "false", class: "mono", value: draft.version ?? "",
    }),
    { label: newWindowStrings.version },
  );
  const message = field(
    el("textarea", { name: "message", rows: 3, dir: "auto", required: true, value: draft.message ?? "" }),
    { label: dialogStrings.block.message, counter: LONGEST },
  );
  const zone = field(
    el("select", { name: "zone" }, [...new Set([draft.zone ?? ownZone, ownZone, "UTC", ...Intl.supportedValuesOf("timeZone")])]
      .map((name) => el("option", { value: name }, name))),
    { label: newWindowStrings.zone },
  );
  const ending = field(
    el("select", { name: "ending" }, Object.entries(newWindowStrings.endings).map(([value, text]) => el("option", { value }, text))),
    { label: newWindowStrings.ending },
  );
  const start = zonedField(newWindowStrings.start, () => zone.control.value, () => void ask());
  const end = zonedField(newWindowStrings.end, () => zone.control.value, () => void ask());
  ending.control.value = draft.ending ?? "open";
  start.write(draft.start ?? "");
  end.write(draft.end ?? "");
  const planArea = el("div", { class: "dialog-plan" });
  const asked = confirmation();
  asked.fields.reason.control.value = draft.reason ?? "";
  const problem = el("div", { class: "problem", role: "alert" });
  const go = el("button", { type: "submit", class: "button primary" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let question = 0;
  let busy = false;
  const keyFor = requestKeys();

  const current = () => /** @type {import("../api.js").Target} */ (store.targets.get(target.control.value));
  function paint() {
    version.element.hidden = !ACTIONS[action.control.value].version;
    end.element.hidden = ending.control.value === "none";
    if (!busy) go.textContent = newWindowStrings.make(sayTarget(current()), store.environment);
  }

  /** @returns {object | null} null while something is missing */
  function compose() {
    const { rule, version: member } = ACTIONS[action.control.value];
    const from = start.value();
    const to = ending.control.value === "none" ? null : end.value();
    if (!from || (ending.control.value !== "none" && !to)) return null;
    if (message.control.value.trim() === "" || (member && version.control.value.trim() === "")) return null;
    const value = {
      message: message.control.value.trim(), ...(member ? { [member]: version.control.value.trim() } : {}),
      ...(rule === "alert" ? { blocking: false } : {}),
    };
    return {
      targets: [{ app: current().app, platform: current().platform, revision: current().revision }], set: { [rule]: value }, start: from,
      ...(to ? { end: to, then: ending.control.value } : {}),
    };
  }

  /** @param {unknown} [refusal] of what has just been sent, which stays said beside the new plan */
  async function ask(refusal) {
    clearTimeout(timer);
    const wanted = compose();
    question += 1;
    const mine = question;
    if (!wanted) return show(planArea);
    try {
      const outcome = await planWindow(wanted);
      if (mine !== question || signal.aborted || !outcome.plan) return;
      problem.textContent = "";
      start.say(saidZoned(outcome.window.start));
      end.say(outcome.window.end ? saidZoned(outcome.window.end) : "");
      showPlan(outcome.plan);
      if (refusal) say(refusal);
    } catch (error) {
      if (mine !== question || signal.aborted) return;
      show(planArea);
      say(error);
    }
  }

  /** @param {import("../api.js").Plan} plan */
  function showPlan(plan) {
    asked.apply(plan);
    go.className = `button ${plan.tier >= 2 ? "restrict" : "primary"}`;
    show(planArea,
      el("h2", null, strings.dialog.changes),
      effectsView(plan),
      differenceTable(plan.diff, { caption: strings.dialog.changes }),
      omittedNote(plan),
      warningList(plan.warnings));
  }

  /** @param {unknown} error */
  function say(error) {
    if (error instanceof api.NoAnswer) { problem.textContent = scheduleStrings.uncertain; return; }
    if (!(error instanceof api.APIError)) throw error;
    const { field: at = "", detail, choices, requestId } = error.problem;
    if (at.startsWith("/start")) start.refuse(detail, choices ?? []);
    else if (at.startsWith("/end")) end.refuse(detail, choices ?? []);
    else if (at.endsWith("/message")) message.error(detail);
    else if (/Version$/.test(at)) version.error(detail);
    else problem.textContent = strings.dialog.refused(detail, requestId);
  }

  /**
   * The plan that was on the screen is not what came of it.
   * @param {unknown} error
   */
  function refuse(error) {
    show(planArea);
    say(error);
    if (!(error instanceof api.APIError)) return;
    if (error.problem.current) store.put([error.problem.current]);
    if (error.problem.plan) showPlan(error.problem.plan);
    else void ask(error);
  }

  /**
   * Says what is missing, first things first.
   * @returns {HTMLElement | null} where to go
   */
  function missing() {
    /** @type {[boolean, import("../components/field.js").Field, string][]} */
    const needs = [
      [!version.element.hidden && version.control.value.trim() === "", version, targetStrings.ruleDialog.versionMissing],
      [message.control.value.trim() === "", message, dialogStrings.block.messageMissing],
      [start.value() === null, start.field, newWindowStrings.startMissing],
      [!end.element.hidden && end.value() === null, end.field, newWindowStrings.endMissing],
    ];
    const lacking = needs.filter(([lacks]) => lacks);
    for (const [, where, text] of lacking) where.error(text);
    const first = [...lacking.map(([, where]) => where), ...asked.missing()][0];
    return first?.control ?? null;
  }

  async function submit() {
    if (busy) return;
    const where = missing();
    if (where) return where.focus();
    busy = true;
    go.textContent = newWindowStrings.making;
    const write = { ...compose(), ...asked.values() };
    try {
      await makeWindow(write, keyFor(write));
      // The old one goes when the new one stands: should this fail, both are there to be seen, and pressing again makes no third.
      if (old) await cancelWindow(old.id);
      await store.reloadWindows();
      location.hash = "#/schedule";
    } catch (error) {
      refuse(error);
    } finally {
      busy = false;
      paint();
    }
  }

  paint();
  void ask();
  return el("form", {
    class: "stack", novalidate: true,
    on: {
      submit: (event) => { event.preventDefault(); void submit(); },
      input: () => { paint(); clearTimeout(timer); timer = setTimeout(() => void ask(), PLAN_DELAY); },
    },
  },
    old ? el("p", { class: "callout" }, newWindowStrings.replaces(old.id)) : null,
    el("div", { class: "two" }, target.element, action.element), version.element, message.element,
    el("div", { class: "two" }, zone.element, ending.element), start.element, end.element,
    planArea, asked.element, problem, el("div", { class: "actions" }, go));
}
