// @ts-check
/** Opening a dialog about a target: its state is read again first, so that nobody decides on old facts. */
import * as api from "../api.js";
import { store, nameOf } from "../store.js";
import { openBlockDialog } from "./block-dialog.js";
import { openOpenDialog } from "./open-dialog.js";
import { openRevertDialog } from "./revert-dialog.js";

/** How long the press of a button waits for fresh facts before it goes on with the known ones. */
const PATIENCE = 1500;
let asking = false;

/**
 * @param {{ app: string, platform: string }} name
 * @param {(target: api.Target) => void} open
 */
export async function withFresh(name, open) {
  if (asking) return;
  asking = true;
  try {
    const known = store.targets.get(nameOf(name));
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
    // A failed read leaves the known state; the plan and the commit are checked against the server's revision anyway.
    const fresh = store.refresh([name]).catch(() => null);
    await (known ? Promise.race([fresh, late]) : fresh);
    const target = store.targets.get(nameOf(name));
    if (target) open(target);
  } finally {
    asking = false;
  }
}

/**
 * The kill switch's switch: asks to open what is killed, and to block what is not.
 * @param {{ app: string, platform: string }} name
 * @param {{ closed?: () => void }} [options]
 */
export const askToFlip = (name, options) =>
  withFresh(name, (target) => (target.gate.killSwitch ? openOpenDialog(target, options) : openBlockDialog(target, options)));

/** @param {{ app: string, platform: string }} name @param {{ closed?: () => void }} [options] */
export const askToBlock = (name, options) => withFresh(name, (target) => openBlockDialog(target, options));

/** @param {{ app: string, platform: string }} name @param {{ closed?: () => void }} [options] */
export const askToOpen = (name, options) => withFresh(name, (target) => openOpenDialog(target, options));

/** @param {{ app: string, platform: string }} name @param {number} revision @param {{ undo?: boolean }} [options] */
export const askToRevert = (name, revision, options) => withFresh(name, (target) => openRevertDialog(target, revision, options));
