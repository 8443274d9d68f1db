// @ts-check
/** A window in one line: when, what, and how far off the next step is. */
import { leadingRule } from "../describe.js";
import { el } from "../dom.js";
import { messageText, same } from "../gate.js";
import { nameOf, store } from "../store.js";
import { strings } from "../strings/shared.js";
import { saidMoment, saidSpan } from "../time.js";
import { untilElement } from "./ago.js";
import { clockShape } from "./state-badge.js";

/** @typedef {import("../api-schedule.js").Window} Window */

/**
 * What a window does, in a few words.
 * @param {Window["set"]} set
 */
export function doesText(set) {
  return Object.entries(set).map(([rule, value]) => {
    if (value === null) {
      return rule === "killSwitch"
        ? strings.window.does.open
        : strings.window.does.clear(/** @type {Record<string, string>} */ (strings.did.ruleName)[rule] ?? rule);
    }
    switch (rule) {
      case "killSwitch": return strings.window.does.block(messageText(value.message));
      case "alert": return strings.window.does.alert(messageText(value.message));
      case "requiredUpdate": return strings.window.does.min(value.minimumVersion ?? "");
      case "optionalUpdate": return strings.window.does.optional(value.optionalVersion ?? "");
      default: return strings.window.does.force;
    }
  }).join(", ");
}

/**
 * The end of the running window that keeps a target's leading rule in force; null where none does, or somebody has changed it since, so
 * that the window will leave it.
 * @param {import("../api.js").Target} target
 * @returns {{ end: import("../api-schedule.js").ZonedTime, opens: boolean } | null} `opens`: nothing comes back in its place
 */
export function endingOf(target) {
  const rule = leadingRule(target.gate);
  if (!rule) return null;
  for (const window of store.windowsOf(target)) {
    const mine = window.targets.find((one) => nameOf(one) === nameOf(target));
    if (window.state !== "running" || !window.end || !same(mine?.expected?.[rule], target.gate[rule])) continue;
    return { end: window.end, opens: window.then === "open" || !mine?.before?.[rule] };
  }
  return null;
}

/**
 * `opens by itself 22:48 Berlin (in 45 min)`
 * @param {NonNullable<ReturnType<typeof endingOf>>} ending
 * @param {boolean} isBlock
 */
export const endingText = ({ end, opens }, isBlock) => [
  (opens ? (isBlock ? strings.window.opensItself : strings.window.endsItself) : strings.window.goesBack)(saidMoment(end)),
  " (", untilElement(end.at), ")",
];

/**
 * From when to when it really is: run early, it began then and not when it was planned; ended early, it is over since then.
 * @param {Window} window
 * @returns {{ start: import("../time.js").Moment, end: import("../time.js").Moment | null, began: boolean, ended: boolean }}
 */
export function spanOf({ start, end, events }) {
  const began = events.find(({ what }) => what === "started");
  const ended = events.find(({ what }) => what === "ended");
  const { zone } = start;
  return {
    start: began ? { at: began.at, zone } : start, end: ended ? { at: ended.at, zone } : end,
    began: began !== undefined, ended: ended !== undefined,
  };
}

/** @param {Window} window */
export function windowLine(window) {
  const { start, end } = spanOf(window);
  return el("p", { class: "window-line", "data-window": window.state },
    clockShape(), el("span", { dir: "auto" },
      ["missed", "failed", "running"].includes(window.state) ? [el("strong", null, strings.window.state[window.state]), " "] : null,
      saidSpan(start, end), ": ", doesText(window.set),
      window.due ? [" · ", window.state === "running" ? strings.window.ends : null, untilElement(window.due)] : null));
}
