// @ts-check
/** Changes several targets in one dialog: one message, one reason, one phrase. Either all of them are changed, or none. */
import { el } from "../dom.js";
import { messageText, sayTarget, sayTargets } from "../gate.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { blockFields } from "./block-dialog.js";
import { blockedByShort } from "./blocked-by.js";
import { openChangeDialog } from "./change-dialog.js";
import { whoChanged } from "./conflict.js";
import { overField, overOf } from "./over-field.js";
import { takingBack } from "./revert-dialog.js";
import { folded, targetsByApp } from "./target-list.js";

/** @typedef {import("../documents.js").Target} Target */
/** @typedef {import("./actions.js").Options} Options */

/** @param {Target[]} targets as they are now @param {Options} options */
export function openBlockAllDialog(targets, { closed, done, seen } = {}) {
  const title = dialogStrings.many.block(targets.length, store.environment);
  const { message, messageField, until, ...block } = blockFields("");
  openChangeDialog({
    title, action: title, tone: "restrict", restricts: true, targets, seen, closed, done, wide: true,
    draft: `block ${targets.map(nameOf).sort().join(" ")}`,
    fields: { message: messageField, until: until.field },
    body: [targetsByApp(targets), messageField.element, until.element],
    focus: message,
    compose(probe) {
      const missing = block.missing(probe);
      if (missing.length > 0) return missing;
      const lifts = until.value();
      return { set: { killSwitch: { message: block.written(), ...(lifts ? { until: lifts } : {}) } } };
    },
  });
}

/** @param {Target[]} targets as they are now @param {Options} options */
export function openOpenAllDialog(targets, { closed, done, seen } = {}) {
  const title = dialogStrings.many.open(targets.length, store.environment);
  const over = overField();
  openChangeDialog({
    title, action: title, tone: "release", targets, seen, closed, done, opens: true, wide: true, fields: { over },
    body: [
      el("p", null, dialogStrings.many.openIntro),
      folded(targets.map((target) => el("li", null,
        el("strong", null, sayTarget(target)), blockedByShort(target), " ",
        el("q", { dir: "auto" }, messageText(target.gate.killSwitch?.message))))),
      over.element,
    ],
    compose: () => ({ set: { killSwitch: null }, ...overOf(over, targets) }),
  });
}

/**
 * @param {Target[]} targets as they are now @param {import("../documents.js").Change} change the one to undo
 * @param {Options} options
 */
export function openUndoAllDialog(targets, change, { seen } = {}) {
  const title = dialogStrings.many.undo(targets.length, store.environment);
  const before = new Map(change.targets.map((changed) => [nameOf(changed), changed]));
  const gone = change.targets.filter((changed) => !targets.some((target) => nameOf(target) === nameOf(changed)));
  const moved = targets.filter((target) => target.revision > (before.get(nameOf(target))?.revision ?? 0));
  openChangeDialog({
    title, action: title, tone: "neutral", targets, seen, diff: true, wide: true,
    body: [
      el("p", null, dialogStrings.many.undoIntro), targetsByApp(targets),
      gone.length > 0 ? el("p", { class: "callout" }, dialogStrings.many.gone(sayTargets(gone))) : null,
      moved.map((now) => el("p", { class: "callout" }, `${sayTarget(now)}: ${whoChanged(now.lastChange, now.revision)}`)),
    ],
    compose: () => ({ each: (target) => takingBack(before.get(nameOf(target))) }),
  });
}
