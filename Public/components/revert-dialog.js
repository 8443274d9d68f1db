// @ts-check
/** Goes back to an earlier revision, as a new one. The differences shown are against what is in force now. */
import { el } from "../dom.js";
import { retryOf, RULES, same, sayTarget } from "../gate.js";
import { store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { blockedBy } from "./blocked-by.js";
import { openChangeDialog } from "./change-dialog.js";
import { whoChanged } from "./conflict.js";

/** @typedef {import("../documents.js").Target} Target */
/** @typedef {import("../documents.js").ChangedTarget} ChangedTarget */

/** @param {Target} target as it is now @param {number} revision @param {import("./actions.js").Options} options */
export function openRevertDialog(target, revision, { seen } = {}) {
  const title = dialogStrings.revert.title(sayTarget(target), revision, store.environment);
  openChangeDialog({
    title, action: title, tone: "neutral", targets: [target], seen, diff: true,
    body: [el("p", null, dialogStrings.revert.intro(revision))],
    compose: () => ({ revertTo: revision }),
  });
}

/**
 * Takes back a change of one target. What others have done to the target since stays: then only what the change touched is written back,
 * and the dialog says who was there in between.
 * @param {Target} target as it is now @param {ChangedTarget} changed @param {import("./actions.js").Options} options
 */
export function openUndoDialog(target, changed, { seen } = {}) {
  const title = dialogStrings.revert.undoTitle(sayTarget(target), store.environment);
  let current = target;
  const isLast = () => current.revision <= changed.revision;
  const body = () => {
    const { killSwitch } = current.gate;
    // What it leads to counts: a block whose text or way of opening was changed is there afterwards, too.
    const earlier = changed.before.killSwitch;
    const isTouched = killSwitch && "killSwitch" in takingBack(changed);
    const lifts = isTouched && !earlier;
    return [
      el("p", null, isLast() ? dialogStrings.revert.intro(changed.previous) : dialogStrings.many.undoIntro),
      isLast() ? null : el("p", { class: "callout" }, whoChanged(current.lastChange, current.revision)),
      lifts && !isLast() ? blockedBy(current) : null,
      lifts ? el("p", null, dialogStrings.receipt.returning(retryOf(current.gate, current.settings.defaultRetryInterval))) : null,
      isTouched && killSwitch.opening && earlier && !earlier.opening ? el("p", null, dialogStrings.receipt.shutsOutAgain) : null,
    ];
  };
  openChangeDialog({
    title, action: title, tone: "neutral", targets: [target], seen, diff: true, body: body(),
    rebase(now) {
      current = now;
      return { body: body() };
    },
    compose: () => (isLast() ? { revertTo: changed.previous } : { set: takingBack(changed) }),
  });
}

/**
 * The rules that a change has touched, as they were before it.
 * @param {ChangedTarget | undefined} changed
 * @returns {Record<string, unknown>}
 */
export const takingBack = (changed) => Object.fromEntries(RULES
  .filter((rule) => !same(changed?.before[rule], changed?.after[rule]))
  .map((rule) => [rule, changed?.before[rule] ?? null]));
