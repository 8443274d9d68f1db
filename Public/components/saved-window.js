// @ts-check
/** The window that was just saved: the schedule says so, and goes to its card. */
import { el } from "../dom.js";
import { sayTargets } from "../gate.js";
import { newWindowStrings } from "../strings/new-window.js";
import { saidSpan } from "../time.js";

/** @typedef {import("../api-schedule.js").Window} Window */

/** Milliseconds that the card is outlined, for whoever does not see where the focus is. */
const OUTLINED_FOR = 2000;
/** @type {Window | null} */
let saved = null;

/** @param {Window} window for the schedule, which is the next screen */
export const keepSaved = (window) => { saved = window; };

/**
 * The key of the heading of a window's card.
 * @param {Window} window
 */
export const headingKey = ({ id }) => `window ${id}`;

/**
 * Says what was just saved, once; empty if nothing was.
 * @param {HTMLElement} cards where the focus goes then
 */
export function savedStatus(cards) {
  const status = el("p", { role: "status" });
  const window = saved;
  saved = null;
  // Once the screen is there: what a status says at its birth is not announced, and the screen itself puts the focus on its title.
  if (window) queueMicrotask(() => {
    status.textContent = newWindowStrings.scheduled(sayTargets(window.targets), saidSpan(window.start, window.end));
    const heading = cards.querySelector(`[data-key="${headingKey(window)}"]`);
    if (!(heading instanceof HTMLElement)) return;
    const card = heading.closest("li");
    heading.focus();
    card?.scrollIntoView({ block: "nearest" });
    card?.classList.add("flash");
    setTimeout(() => card?.classList.remove("flash"), OUTLINED_FOR);
  });
  return status;
}
