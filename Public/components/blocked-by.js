// @ts-check
/** "Blocked by bob 3 min ago": who blocked a target. Until that is known, the last change is shown, and labelled so. */
import { whoBlocked } from "../began.js";
import { el, show } from "../dom.js";
import { isSelf, sayActor } from "../gate.js";
import { dialogStrings } from "../strings/dialogs.js";
import { ago, secondsSince } from "../time.js";

/** @typedef {import("../documents.js").Target} Target */

/** Seconds: a block by somebody else that is younger may still be needed. */
const RECENT = 15 * 60;

/**
 * As a paragraph, with the reason; emphasised if the block is recent and somebody else's.
 * @param {Target} target with a kill switch
 */
export function blockedBy(target) {
  const element = el("p");
  whoBlocked(target, (change, isTheOne) => {
    if (!change) return show(element, dialogStrings.open.unknown);
    const isRecent = isTheOne && !isSelf(change.actor) && secondsSince(change.at) < RECENT;
    element.classList.toggle("callout", isRecent);
    const words = isRecent ? dialogStrings.open.recent : isTheOne ? dialogStrings.open.who : dialogStrings.open.last;
    show(element, words(sayActor(change.actor), ago(change.at)), change.reason ? ` ${dialogStrings.open.reason(change.reason)}` : "");
  });
  return element;
}

/**
 * As part of a line about one of several targets.
 * @param {Target} target with a kill switch
 */
export function blockedByShort(target) {
  const element = el("span");
  whoBlocked(target, (change, isTheOne) => {
    if (!change) return show(element, dialogStrings.many.unknown);
    const actor = isSelf(change.actor) ? dialogStrings.many.you : sayActor(change.actor);
    show(element, (isTheOne ? dialogStrings.many.blockedBy : dialogStrings.many.last)(actor, ago(change.at)));
  });
  return element;
}
