// @ts-check
/** The red banner of windows that were missed or failed: what was planned has not happened, and somebody has to know. */
import { sayTargets } from "../describe.js";
import { el, show } from "../dom.js";
import { store } from "../store.js";
import { overviewStrings } from "../strings/overview.js";
import { windowLine } from "./window-line.js";

/** How many are named; the rest is counted. */
const NAMED = 3;

/** @param {AbortSignal} signal */
export function windowTrouble(signal) {
  const element = el("section", { class: "trouble", role: "alert", hidden: true });
  let shown = "";

  function paint() {
    const windows = store.troubled();
    const now = windows.map(({ id, state }) => `${id} ${state}`).join();
    // An alert is read out whenever it is written anew.
    if (now === shown) return;
    shown = now;
    element.hidden = windows.length === 0;
    const missed = windows.filter(({ state }) => state === "missed").length;
    show(element,
      el("h2", null, overviewStrings.trouble(missed, windows.length - missed)),
      el("ul", null, windows.slice(0, NAMED).map((window) =>
        el("li", null, el("strong", null, sayTargets(window.targets)), windowLine(window)))),
      windows.length > NAMED ? el("p", null, overviewStrings.moreTrouble(windows.length - NAMED)) : null,
      el("a", { class: "button", href: "#/schedule", "data-key": "trouble" }, overviewStrings.seeTrouble));
  }

  store.on("schedule", paint, signal);
  paint();
  return element;
}
