// @ts-check
/** Asks before an action that changes no gate but cannot be undone. */
import * as api from "../api.js";
import { el, show, uniqueId } from "../dom.js";
import { sayRefused } from "../server-words.js";
import { strings } from "../strings/shared.js";
import { focusReturn } from "./focus-return.js";
import { heldDialog, submitKeys } from "./held-dialog.js";

/**
 * @param {{ title: string, text: string, about?: import("../dom.js").Child, stay?: string, run: () => Promise<unknown>, done: () => void,
 *   lost?: () => void, look?: () => Promise<import("../dom.js").Child> }} options
 *   `title`: also the button's text; `about`: shown below the text; `stay`: the text of the button that does nothing; `lost`: there was no
 *   answer, so read again what may have been done; `look`: asked before `run`; if it resolves to something, that is said and nothing is
 *   done
 */
export function openConfirmDialog({ title, text, about, stay = strings.cancel, run, done, lost, look }) {
  const titleId = uniqueId("confirm");
  const problem = el("div", { class: "problem", role: "alert" });
  const action = el("button", { type: "submit", class: "button restrict" }, title);
  const ended = new AbortController();
  const giveBack = focusReturn();
  let busy = false;

  async function submit() {
    if (busy) return;
    busy = true;
    let isSent = false;
    cancel.setAttribute("aria-disabled", "true");
    problem.textContent = "";
    try {
      const news = await look?.();
      if (news) return show(problem, news);
      isSent = true;
      await run();
      end();
      done();
    } catch (error) {
      if (error instanceof api.NoAnswer) {
        problem.textContent = isSent ? strings.dialog.outcomeUnknown : strings.dialog.noAnswer;
        if (isSent) lost?.();
      }
      else if (error instanceof api.APIError) problem.textContent = sayRefused(error.problem);
      else throw error;
    } finally {
      busy = false;
      cancel.removeAttribute("aria-disabled");
    }
  }

  const leave = () => { if (!busy) end(); };
  const cancel = el("button", { type: "button", class: "button", on: { click: leave } }, stay);
  const form = el("form", { novalidate: true, on: { submit: (event) => { event.preventDefault(); void submit(); } } },
    el("header", { class: "dialog-head" }, el("h2", { id: titleId }, title)),
    el("div", { class: "dialog-body" }, el("p", null, text), about),
    el("footer", { class: "dialog-foot" }, problem, el("div", { class: "actions" }, cancel, action)));
  form.addEventListener("keydown", submitKeys(form));
  const dialog = el("dialog", { class: "change-dialog", "aria-labelledby": titleId }, form);
  const end = heldDialog(dialog, { leave, closed: () => { ended.abort(); dialog.remove(); giveBack(); } });
  // Leaving the screen closes the dialog, unless it still has to report the outcome.
  addEventListener("hashchange", leave, { signal: ended.signal });
  document.body.append(dialog);
  dialog.showModal();
}
