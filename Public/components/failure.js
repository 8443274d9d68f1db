// @ts-check
/** What failed, with the number to ask about and a way to try again. */
import { APIError, NoAnswer } from "../api.js";
import { el } from "../dom.js";
import { store } from "../store.js";
import { strings } from "../strings/shared.js";

/** @param {unknown} error @param {() => void} again */
export function failure(error, again) {
  if (!(error instanceof APIError) && !(error instanceof NoAnswer)) throw error;
  if (error instanceof NoAnswer) onceAnswered(() => { if (element.isConnected) again(); });
  const element = el("section", { class: "panel", role: "alert" },
    el("h2", null, strings.failed.title),
    el("p", null, error instanceof NoAnswer ? strings.failed.noAnswer : error.message),
    error instanceof APIError && error.problem.requestId
      ? el("p", { class: "hint" }, strings.failed.request(error.problem.requestId))
      : null,
    el("div", { class: "actions" }, el("button", { type: "button", class: "button", on: { click: again } }, strings.tryAgain)));
  return element;
}

/**
 * What failed for want of an answer is asked again as soon as there is one.
 * @param {() => void} action
 */
function onceAnswered(action) {
  const asked = Date.now();
  const heard = new AbortController();
  store.on("live", () => {
    if (store.live.failing || store.live.lastAnswer < asked) return;
    heard.abort();
    action();
  }, heard.signal);
}

/** Something is on its way; seen and announced only when it takes longer than a moment. */
export const skeleton = () =>
  el("div", { class: "skeleton", "aria-busy": "true" }, el("span", { class: "visually-hidden" }, strings.loading));
