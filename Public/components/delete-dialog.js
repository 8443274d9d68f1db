// @ts-check
/** Deleting an app: the server says what must be typed, and only then is anything gone. */
import * as api from "../api.js";
import { el, uniqueId } from "../dom.js";
import { publish } from "../publish.js";
import { store } from "../store.js";
import { appStrings } from "../strings/app.js";
import { strings } from "../strings/shared.js";
import { confirmation } from "./confirmation.js";

/** @param {api.App} app */
export function openDeleteDialog(app) {
  const titleId = uniqueId("delete");
  const title = appStrings.deleteTitle(app.name, store.environment);
  const asked = confirmation();
  // Design section 4: deleting an app asks for this phrase in every environment; a plan in a refusal replaces it.
  asked.apply({
    tier: 3, confirm: `delete ${app.key}`, reasonRequired: store.status?.environment.protected ?? false, diff: [], warnings: [],
  });
  const problem = el("div", { class: "problem", role: "alert" });
  const action = el("button", { type: "submit", class: "button restrict" }, title);
  const ended = new AbortController();
  const key = api.newKey();
  let busy = false;

  async function submit() {
    if (busy) return;
    const missing = asked.missing();
    if (missing.length > 0) return missing[0].control.focus();
    busy = true;
    action.textContent = appStrings.deleting;
    try {
      const result = await publish((idempotency) => api.deleteApp(app.key, asked.values(), idempotency), {
        key, targets: [], signal: ended.signal, uncertain: () => { problem.textContent = strings.dialog.uncertainHint; },
      });
      if (result.kind === "done") {
        dialog.close();
        location.hash = "#/settings/apps";
      } else if (result.kind === "refused") {
        if (result.problem.plan) asked.apply(result.problem.plan);
        problem.textContent = strings.dialog.refused(result.problem.detail, result.problem.requestId);
      } else problem.textContent = strings.dialog.notMade;
    } finally {
      busy = false;
      action.textContent = title;
    }
  }

  /** @type {HTMLDialogElement} */
  const dialog = el("dialog", {
    class: "change-dialog", "aria-labelledby": titleId, on: { close: () => { ended.abort(); dialog.remove(); } },
  },
    el("form", { novalidate: true, on: { submit: (event) => { event.preventDefault(); void submit(); } } },
      el("header", { class: "dialog-head" }, el("h2", { id: titleId }, title)),
      el("div", { class: "dialog-body" }, el("p", null, appStrings.dangerText), asked.element),
      el("footer", { class: "dialog-foot" },
        problem,
        el("div", { class: "actions" },
          el("button", { type: "button", class: "button", on: { click: () => dialog.close() } }, strings.cancel),
          action))));
  document.body.append(dialog);
  dialog.showModal();
  asked.fields.confirm.control.focus();
}
