// @ts-check
/** A window in one line: when, what, and how far off the next step is. */
import { el } from "../dom.js";
import { messageText } from "../gate.js";
import { strings } from "../strings/shared.js";
import { saidSpan } from "../time.js";
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

/** @param {Window} window */
export function windowLine(window) {
  return el("p", { class: "window-line", "data-window": window.state },
    clockShape(), el("span", { dir: "auto" },
      ["missed", "failed", "running"].includes(window.state) ? [el("strong", null, strings.window.state[window.state]), " "] : null,
      saidSpan(window.start, window.end), ": ", doesText(window.set),
      window.due ? [" · ", untilElement(window.due)] : null));
}
