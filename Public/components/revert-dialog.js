// @ts-check
/** Goes back to an earlier revision, as a new one. The differences shown are against what is in force now. */
import { el } from "../dom.js";
import { retryOf, sayTarget } from "../gate.js";
import { store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { openChangeDialog } from "./change-dialog.js";

/** @typedef {import("../documents.js").Target} Target */

/**
 * @param {Target} target as it is now @param {number} revision
 * @param {{ undo?: boolean, seen?: Target[] }} options `seen`: the target as the page showed it at the press
 */
export function openRevertDialog(target, revision, { undo = false, seen } = {}) {
  const name = sayTarget(target);
  const title = undo
    ? dialogStrings.revert.undoTitle(name, store.environment)
    : dialogStrings.revert.title(name, revision, store.environment);
  openChangeDialog({
    title,
    action: title,
    tone: "neutral",
    targets: [target], seen,
    diff: true,
    body: [
      el("p", null, dialogStrings.revert.intro(revision)),
      undo && target.gate.killSwitch
        ? el("p", null, dialogStrings.receipt.returning(retryOf(target.gate, target.settings.defaultRetryInterval)))
        : null,
    ],
    compose: () => ({ revertTo: revision }),
  });
}
