// @ts-check
/** The plan of taking a file over: asked for, shown, confirmed. What is published is what was asked about last, or nothing. */
import * as api from "../api.js";
import { commitImport } from "../api-apps.js";
import { el, show } from "../dom.js";
import { publish } from "../publish.js";
import { dialogStrings } from "../strings/dialogs.js";
import { importStrings } from "../strings/import.js";
import { strings } from "../strings/shared.js";
import { confirmation } from "./confirmation.js";
import { effectsView } from "./effects-view.js";
import { differenceTable, documentChanges, omittedNote, warningList } from "./plan-view.js";
import { refusedList } from "./refused-list.js";

/**
 * `body` and `targets` are what the plan was made for, `proof` what the feed of an own shape becomes, `isLive`: nothing takes the focus
 * away from where it is.
 * @typedef {{ body: Record<string, unknown>, targets: api.Target[], plan: api.Plan, refused: api.Refused[],
 *   proof?: import("../api-apps.js").Takeover, isLive: boolean }} Answer
 */

/**
 * All that happens at once if this is published. The template of an own shape is not among it: nobody reads it before pressing.
 * @param {Answer} answer
 */
const outcome = ({ plan, refused, proof }) =>
  JSON.stringify([proof ? { ...plan, apps: [proof.path, proof.match, proof.document] } : plan, refused]);

/**
 * @param {{
 *   signal: AbortSignal,
 *   title: () => string,
 *   isOwn: () => boolean,
 *   failed: (error: unknown) => void,
 *   again: (said: string) => Promise<void>,
 *   after: () => Node[],
 *   done: () => void,
 * }} options `title`: of the button that publishes; `isOwn`: whether the file has a shape of the app's own, whose documents are compared
 *   elsewhere; `again`: asks for the plan anew after a refusal, which stays said beside it; `after`: what is left to do once the file is in
 *   force
 */
export function importPlan({ signal, title, isOwn, failed, again, after, done }) {
  const element = el("div", { class: "import-plan" });
  /** What remains of a file whose other part is refused; shown once that is accepted. */
  const rest = el("div");
  const skip = el("input", { type: "checkbox", name: "skipInvalid", on: { change: () => { rest.hidden = !skip.checked; } } });
  let question = 0;
  /** The question under way. */
  let asking = Promise.resolve();
  /** @type {Answer | null} */
  let planned = null;
  /**
   * What the plan on the screen says, and where what comes of it is said.
   * @type {{ text: string, trouble: HTMLElement } | null}
   */
  let shown = null;

  function forget() {
    question += 1;
    asking = Promise.resolve();
    planned = null;
    shown = null;
    element.removeAttribute("aria-busy");
    show(element);
  }

  /**
   * @param {(isCurrent: () => boolean) => Promise<Answer | null>} answer null when nothing is to be shown for it
   * @param {{ said: string, isLive: boolean }} options `isLive`: the plan of before stays on the screen until the new one is there
   */
  function ask(answer, { said, isLive }) {
    if (isLive) question += 1;
    else forget();
    const mine = question;
    const isCurrent = () => mine === question && !signal.aborted;
    element.setAttribute("aria-busy", "true");
    asking = (async () => {
      try {
        const given = await answer(isCurrent);
        if (given && isCurrent()) showPlan(given, said);
      } catch (error) {
        if (!isCurrent()) return;
        // A plan of before what was said last is none that may be published.
        planned = null;
        shown = null;
        show(element);
        failed(error);
      } finally {
        if (isCurrent()) element.removeAttribute("aria-busy");
      }
    })();
    return asking;
  }

  async function settled() {
    for (let known = null; known !== asking;) {
      known = asking;
      await known;
    }
  }

  /** @param {Answer} answer @param {string} said */
  function showPlan(answer, said) {
    const { plan, refused, isLive } = answer;
    planned = answer;
    const text = outcome(answer);
    // Whoever has read this plan, and typed beneath it, need not do so again.
    if (isLive && shown?.text === text) return;
    const effects = effectsView(plan, { comparison: !isOwn() });
    const asked = confirmation();
    asked.apply(plan);
    const go = el("button", { type: "submit", class: `button ${plan.tier >= 2 ? "restrict" : "primary"}` }, title());
    const trouble = el("div", { class: "problem", role: "alert" });
    const form = el("form", {
      class: "stack panel", novalidate: true, on: { submit: (event) => { event.preventDefault(); void confirm(asked, go, trouble); } },
    },
      el("h2", { tabindex: "-1" }, strings.dialog.changes), effects,
      plan.diff.length > 0 ? differenceTable(plan.diff, { caption: strings.dialog.changes, targets: true }) : null,
      isOwn() ? null : documentChanges(plan), omittedNote(plan), warningList(plan.warnings), asked.element, trouble,
      el("div", { class: "actions" }, go));
    show(element, refused.length > 0 ? refusedList(refused, skip) : null, rest);
    show(rest, plan.diff.length === 0 && plan.tier === 0
      ? [effects, warningList(plan.warnings), el("h2", { tabindex: "-1" }, importStrings.nothing), ...after()]
      : form);
    rest.hidden = refused.length > 0 && !skip.checked;
    if (!isLive) element.querySelector("h2")?.focus();
    trouble.textContent = said;
    shown = { text, trouble };
  }

  /** @param {ReturnType<typeof confirmation>} asked @param {HTMLButtonElement} go @param {HTMLElement} trouble */
  async function confirm(asked, go, trouble) {
    const missing = asked.missing();
    if (missing.length > 0) return missing[0].control.focus();
    if (go.getAttribute("aria-disabled") === "true") return;
    const label = go.textContent;
    go.setAttribute("aria-disabled", "true");
    go.textContent = strings.dialog.publishing;
    try {
      // A word may have been said whose plan is still asked for: it is published with that word, or not at all.
      await settled();
      if (!planned || shown?.trouble !== trouble) {
        if (shown) shown.trouble.textContent = importStrings.overtaken;
        // The button that was pressed is gone, and the focus with it.
        element.querySelector("h2")?.focus();
        return;
      }
      /** @type {Record<string, unknown>} */
      const write = { ...planned.body, skipInvalid: skip.checked, ...asked.values() };
      const result = await publish((key) => commitImport(write, key), {
        key: api.newKey(), targets: planned.targets, signal,
        uncertain: () => { go.textContent = strings.dialog.uncertain; trouble.textContent = strings.dialog.uncertainHint; },
      });
      if (result.kind === "done") return done();
      const said = result.kind === "refused"
        ? strings.dialog.refused(result.problem.detail, result.problem.requestId)
        : result.kind === "notMade" ? strings.dialog.notMade : dialogStrings.conflict.unknown(result.current.revision);
      // The plan is made again against what is in force now, and shown before anything is written.
      await again(said);
    } finally {
      go.removeAttribute("aria-disabled");
      go.textContent = label;
    }
  }

  return {
    element, skip, forget, ask,

    /**
     * Something that is said in the plan's place.
     * @param {...Node} nodes
     */
    say(...nodes) { show(element, ...nodes); },
  };
}
