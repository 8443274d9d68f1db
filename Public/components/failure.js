// @ts-check
/** What failed, with the number to ask about and a way to try again. */
import { APIError, NoAnswer } from "../api.js";
import { el } from "../dom.js";
import { strings } from "../strings/shared.js";

/** @param {unknown} error @param {() => void} again */
export function failure(error, again) {
  if (!(error instanceof APIError) && !(error instanceof NoAnswer)) throw error;
  return el("section", { class: "panel", role: "alert" },
    el("h2", null, strings.failed.title),
    el("p", null, error instanceof NoAnswer ? strings.failed.noAnswer : error.message),
    error instanceof APIError && error.problem.requestId
      ? el("p", { class: "hint" }, strings.failed.request(error.problem.requestId))
      : null,
    el("div", { class: "actions" }, el("button", { type: "button", class: "button", on: { click: again } }, strings.tryAgain)));
}

/** Something is on its way; seen and announced only when it takes longer than a moment. */
export const skeleton = () =>
  el("div", { class: "skeleton", "aria-busy": "true" }, el("span", { class: "visually-hidden" }, strings.loading));
