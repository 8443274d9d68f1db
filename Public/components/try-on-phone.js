// @ts-check
/** Starts a rehearsal of the gate on the screen, and sends later drafts to the same rehearsal. */
import * as api from "../api.js";
import { alter, begin } from "../api-rehearsals.js";
import { el, show } from "../dom.js";
import { sayTarget } from "../gate.js";
import { sayRefused } from "../server-words.js";
import { nameOf, store } from "../store.js";
import { rehearsalStrings } from "../strings/rehearsal.js";
import { strings } from "../strings/shared.js";

/** @typedef {{ app: string, platform: string }} Name */

/**
 * The rehearsal started last for each target, which gets further drafts.
 * @type {Map<string, string>}
 */
const running = new Map();

/**
 * The button, with its result beside it; null for people without the operator role.
 * @param {Name} target
 * @param {() => import("../documents.js").Gate | null} gate returns null while the draft is incomplete
 */
export function tryOnPhone(target, gate) {
  if (!store.may("operator", target.app)) return null;
  const said = el("span", { role: "status", class: "hint" });
  const button = el("button", {
    type: "button", class: "button small", "data-key": "try on a phone", "aria-label": rehearsalStrings.try(sayTarget(target)),
    on: { click: () => void press() },
  });
  const paint = () => { button.textContent = running.has(nameOf(target)) ? rehearsalStrings.send : rehearsalStrings.tryShort; };
  let isBusy = false;

  async function press() {
    const tried = gate();
    if (isBusy) return;
    if (!tried) return show(said, rehearsalStrings.incomplete);
    isBusy = true;
    try {
      const before = running.get(nameOf(target));
      const altered = before ? await shownToo(before, tried) : null;
      const one = altered ?? await begin({ app: target.app, platform: target.platform, gate: tried, for: "2h" });
      running.set(nameOf(target), one.id);
      // In a new tab, so that the draft is not left.
      const link = el("a", { href: `#/rehearsals/${one.id}`, target: "_blank", rel: "noopener" }, rehearsalStrings.open);
      show(said, altered ? rehearsalStrings.sent : rehearsalStrings.begun, " ", link);
    } catch (error) {
      if (error instanceof api.NoAnswer) show(said, strings.dialog.outcomeUnknown);
      else if (error instanceof api.APIError) show(said, sayRefused(error.problem));
      else throw error;
    } finally {
      isBusy = false;
      paint();
    }
  }

  /**
   * Sends a gate to a running rehearsal; null if that has ended.
   * @param {string} id
   * @param {import("../documents.js").Gate} tried
   */
  async function shownToo(id, tried) {
    try {
      return await alter(id, { gate: tried });
    } catch (error) {
      if (error instanceof api.APIError && error.status === 404) return null;
      throw error;
    }
  }

  paint();
  return el("div", { class: "actions try-on-phone" }, button, said);
}
