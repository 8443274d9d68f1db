// @ts-check
/** How far a target's present revision has come, counted from polls. A poll says what it fetched, never that anybody saw it. */
import * as api from "../api.js";
import { el } from "../dom.js";
import { strings } from "../strings/shared.js";
import { tick } from "../time.js";

/** Seconds between two questions, and how often to ask before a page that was left open stops. */
const EVERY = 3;
const AT_MOST = 400;

/**
 * A text that keeps itself up to date until `signal` aborts or another revision is in force.
 * @param {{ app: string, platform: string }} name
 * @param {number} revision
 * @param {AbortSignal} signal
 */
export function reachText({ app, platform }, revision, signal) {
  const bar = el("progress", { max: 1, value: 0, "aria-label": strings.reach.bar, hidden: true });
  const said = el("span");
  const element = el("span", { class: "reach" }, bar, said);
  let seconds = 0;
  let asked = 0;

  async function ask() {
    asked += 1;
    try {
      const target = await api.target(app, platform);
      if (signal.aborted || target.revision !== revision) return;
      // What this page reads itself, to see a publication, the server counts as no phone's poll.
      const polls = target.reach ? target.reach.confirmed + target.reach.replaced + target.reach.fetched : 0;
      const text = polls > 0 ? strings.reach.said(polls, target.reach?.share ?? null) : strings.reach.none;
      if (said.textContent !== text) said.textContent = text;
      // Fills with the share of the last minute's polls that have it; where nobody polls there is nothing to fill.
      const share = polls > 0 ? target.reach?.share ?? null : null;
      bar.hidden = share === null;
      if (share !== null && bar.value !== share) bar.value = share;
      bar.toggleAttribute("data-full", share === 1);
    } catch {
      // The bar at the top tells of a lost server; an old count beside it needs no words of its own.
    }
  }
  tick(() => {
    seconds += 1;
    if (seconds % EVERY === 0 && asked < AT_MOST) void ask();
  }, signal);
  void ask();
  return element;
}
