// @ts-check
/** Running a window now: what it would do is asked first, and its confirmation follows the effect. */
import * as api from "../api.js";
import { runWindow } from "../api-schedule.js";
import { sayTarget } from "../describe.js";
import { el, show, uniqueId } from "../dom.js";
import { store } from "../store.js";
import { scheduleStrings } from "../strings/schedule.js";
import { strings } from "../strings/shared.js";
import { confirmation } from "./confirmation.js";
import { effectsView } from "./effects-view.js";
import { differenceTable, omittedNote, warningList } from "./plan-view.js";
import { doesText } from "./window-line.js";

/** @param {import("../api-schedule.js").Window} window */
export async function openRunDialog(window) {
  const titleId = uniqueId("run");
  const title = scheduleStrings.runTitle(doesText(window.set), window.targets.map(sayTarget).join(", "));
  const asked = confirmation();
  const plan = el("div", { class: "dialog-plan" });
  const problem = el("div", { class: "problem", role: "alert" });
  const action = el("button", { type: "submit", class: "button restrict" }, scheduleStrings.run.replace("…", ""));
  const key = api.newKey();
  let busy = false;

  /** @param {api.Plan} planned */
  function showPlan(planned) {
    asked.apply(planned);
    show(plan,
      effectsView(planned),
      planned.diff.length > 0
        ? differenceTable(planned.diff, { caption: strings.dialog.changes, targets: window.targets.length > 1 })
        : el("p", { class: "hint" }, strings.dialog.noDifference),
      omittedNote(planned),
      warningList(planned.warnings));
  }

  /** @param {unknown} error */
  function explain(error) {
    if (error instanceof api.NoAnswer) problem.textContent = scheduleStrings.uncertain;
    else if (error instanceof api.APIError) {
      if (error.problem.plan) showPlan(error.problem.plan);
      problem.textContent = strings.dialog.refused(error.message, error.problem.requestId);
    } else throw error;
  }

  async function ask() {
    try {
      const outcome = await runWindow(window.id, { dryRun: true }, api.newKey());
      if (outcome.plan) showPlan(outcome.plan);
    } catch (error) {
      explain(error);
    }
  }

  async function submit() {
    if (busy) return;
    const missing = asked.missing();
    if (missing.length > 0) return missing[0].control.focus();
    busy = true;
    problem.textContent = "";
    action.textContent = scheduleStrings.running;
    try {
      await runWindow(window.id, asked.values(), key);
      await store.reloadWindows();
      dialog.close();
    } catch (error) {
      explain(error);
    } finally {
      busy = false;
      action.textContent = scheduleStrings.run.replace("…", "");
    }
  }

  /** @type {HTMLDialogElement} */
  const dialog = el("dialog", { class: "change-dialog", "aria-labelledby": titleId, on: { close: () => dialog.remove() } },
    el("form", { novalidate: true, on: { submit: (event) => { event.preventDefault(); void submit(); } } },
      el("header", { class: "dialog-head" }, el("h2", { id: titleId }, title)),
      el("div", { class: "dialog-body" }, plan, asked.element),
      el("footer", { class: "dialog-foot" },
        problem,
        el("div", { class: "actions" },
          el("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, strings.cancel),
          action))));
  document.body.append(dialog);
  dialog.showModal();
  await ask();
}
