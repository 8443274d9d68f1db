// @ts-check
/** How far a target's current revision has spread, counted from polls. A poll shows what was fetched, never that anybody saw it. */
import * as api from "../api.js";
import { el } from "../dom.js";
import { dialogStrings } from "../strings/dialogs.js";
import { tick } from "../time.js";

/** Seconds between two requests, and how many to make before a page that was left open stops. */
const EVERY = 3;
const AT_MOST = 400;

/**
 * A text that keeps itself up to date until `signal` aborts or another revision is in force.
 * @param {{ app: string, platform: string }} name
 * @param {number} revision
 * @param {AbortSignal} signal
 */
export function reachText({ app, platform }, revision, signal) {
  const bar = el("progress", { max: 1, value: 0, "aria-label": dialogStrings.reach.bar, hidden: true });
  const said = el("span");
  const element = el("span", { class: "reach" }, bar, said);
  let seconds = 0;
  let asked = 0;

  async function ask() {
    asked += 1;
    try {
      const target = await api.target(app, platform);
      if (signal.aborted || target.revision !== revision) return;
      // The server does not count this page's own reads of the feeds as polls.
      const polls = target.reach ? target.reach.confirmed + target.reach.replaced + target.reach.fetched : 0;
      const text = polls > 0 ? dialogStrings.reach.said(polls, target.reach?.share ?? null) : dialogStrings.reach.none;
      if (said.textContent !== text) said.textContent = text;
      // The bar shows the share of the last minute's polls that have this revision; it is hidden if nobody polls.
      const share = polls > 0 ? target.reach?.share ?? null : null;
      bar.hidden = share === null;
      if (share !== null && bar.value !== share) bar.value = share;
      bar.toggleAttribute("data-full", share === 1);
    } catch {
      // The bar at the top says that the server is lost; the old count may stay.
    }
  }
  tick(() => {
    seconds += 1;
    if (seconds % EVERY === 0 && asked < AT_MOST) void ask();
  }, signal);
  void ask();
  return element;
}
