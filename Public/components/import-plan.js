// @ts-check
/** The plan of taking over a file: asked for, shown, confirmed. Only the plan that was asked for last can be published. */
import * as api from "../api.js";
import { commitImport } from "../api-apps.js";
import { el, show } from "../dom.js";
import { publish } from "../publish.js";
import { sayRefused } from "../server-words.js";
import { dialogStrings } from "../strings/dialogs.js";
import { importStrings } from "../strings/import.js";
import { strings } from "../strings/shared.js";
import { confirmation } from "./confirmation.js";
import { effectsView } from "./effects-view.js";
import { differenceTable, documentChanges, omittedNote, warningList } from "./plan-view.js";
import { refusedList } from "./refused-list.js";

/**
 * `body` and `targets`: what the plan was made for; `proof`: what a feed in an own shape becomes; `isLive`: the focus must stay where it
 * is.
 * @typedef {{ body: Record<string, unknown>, targets: import("../documents.js").Target[],
 *   plan: import("../documents.js").Plan, refused: import("../documents.js").Refused[],
 *   proof?: import("../api-apps.js").Takeover, isLive: boolean }} Answer
 */

/**
 * Everything that publishing would do at once, as a text to compare. The template of an own shape is left out: nobody reads it before
 * publishing.
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
 *   accept: (codes: string[]) => void,
 * }} options `title`: of the button that publishes; `isOwn`: whether the file is in the app's own shape, whose documents are compared
 *   elsewhere; `again`: asks for the plan again after a refusal, which stays on the screen; `after`: what is left to do once the file is
 *   in force; `accept`: asks for the plan again with refusals overridden
 */
export function importPlan({ signal, title, isOwn, failed, again, after, done, accept }) {
  const element = el("div", { class: "import-plan" });
  /** The plan for the rest of a file of which a part was refused; shown once leaving that part out is accepted. */
  const rest = el("div");
  const skip = el("input", { type: "checkbox", name: "skipInvalid", on: { change: () => { rest.hidden = !skip.checked; } } });
  let question = 0;
  /** The request under way. */
  let asking = Promise.resolve();
  /** @type {Answer | null} */
  let planned = null;
  /**
   * The plan on the screen, as a text to compare, and the element for its errors.
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
   * @param {(isCurrent: () => boolean) => Promise<Answer | null>} answer null if there is nothing to show
   * @param {{ said: string, isLive: boolean }} options `isLive`: the old plan stays on the screen until the new one arrives
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
        // The old plan does not match the last edit, so it must not be published.
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
    // The same plan is on the screen already: keep it, with what was typed below it.
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
    show(element, refused.length > 0 ? refusedList(refused, skip, accept) : null, rest);
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
      // An edit's plan may still be on its way. Wait for it: only what is on the screen may be published.
      await settled();
      if (!planned || shown?.trouble !== trouble) {
        if (shown) shown.trouble.textContent = importStrings.overtaken;
        // The pressed button is gone, and the focus with it.
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
        ? sayRefused(result.problem)
        : result.kind === "unsettled" ? dialogStrings.unsettled : dialogStrings.conflict.unknown(result.current.revision);
      // Plan again against what is in force now, and show that before anything is written.
      await again(said);
    } catch (error) {
      // Whoever has left the screen while the write was being looked for is told nothing here.
      if (!signal.aborted) failed(error);
    } finally {
      go.removeAttribute("aria-disabled");
      go.textContent = label;
    }
  }

  return {
    element, skip, forget, ask,

    /**
     * Shows something in place of the plan.
     * @param {...Node} nodes
     */
    say(...nodes) { show(element, ...nodes); },
  };
}
