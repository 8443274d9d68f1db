// @ts-check
/** Opening a dialog about targets: their state is read again first, so that nobody decides on old facts. */
import { store, nameOf } from "../store.js";

/** @typedef {import("../api.js").Target} Target */
/** @typedef {{ app: string, platform: string }} Name */
/** @typedef {{ closed?: () => void, done?: () => void }} Options `done`: it was published */

/** How long the press of a button waits for fresh facts before it goes on with the known ones. */
const PATIENCE = 1500;
/** More targets than this are read as one list. */
const MANY = 5;
let asking = false;

/** What dialogs are made of is no part of the first screen; it comes with the first sign of somebody there, ahead of any press. */
const dialogs = () => import("./dialogs.js");
const early = new AbortController();
for (const event of ["pointermove", "pointerdown", "keydown"]) {
  addEventListener(event, () => {
    early.abort();
    // Whoever presses is told; this one was only ahead of time.
    dialogs().catch(() => {});
  }, { signal: early.signal, passive: true });
}

/**
 * @param {Name[]} names
 * @param {(targets: Target[]) => unknown} open
 */
async function withAllFresh(names, open) {
  if (asking) return;
  asking = true;
  try {
    const isKnown = names.every((name) => store.targets.has(nameOf(name)));
    const late = new Promise((resolve) => setTimeout(resolve, PATIENCE, null));
    // A failed read leaves the known state; the plan and the commit are checked against the server's revision anyway.
    const fresh = (names.length > MANY ? store.reload() : store.refresh(names)).catch(() => null);
    await (isKnown ? Promise.race([fresh, late]) : fresh);
    const targets = names.flatMap((name) => store.targets.get(nameOf(name)) ?? []);
    if (targets.length > 0) await open(targets);
  } finally {
    asking = false;
  }
}

/** @param {Name} name @param {(target: Target) => unknown} open */
export const withFresh = (name, open) => withAllFresh([name], ([target]) => open(target));

/**
 * @param {Name[]} names
 * @param {(dialogs: typeof import("./dialogs.js"), targets: Target[]) => void} open
 */
const ask = (names, open) => withAllFresh(names, async (targets) => {
  let code;
  try {
    code = await dialogs();
  } catch (error) {
    // The files did not come; anything else is a fault of ours and belongs into the console.
    if (!(error instanceof TypeError)) throw error;
    return store.setLive({ codeMissing: true });
  }
  store.setLive({ codeMissing: false });
  open(code, targets);
});

/**
 * The kill switch's switch: asks to open what is killed, and to block what is not.
 * @param {Name} name
 * @param {Options} [options]
 */
export const askToFlip = (name, options) => ask([name], (code, [target]) =>
  (target.gate.killSwitch ? code.openOpenDialog : code.openBlockDialog)(target, options));

/** @param {Name} name @param {Options} [options] */
export const askToBlock = (name, options) => ask([name], (code, [target]) => code.openBlockDialog(target, options));

/** @param {Name} name @param {Options} [options] */
export const askToOpen = (name, options) => ask([name], (code, [target]) => code.openOpenDialog(target, options));

/** @param {Name[]} names @param {Options} [options] */
export const askToBlockAll = (names, options) => ask(names, (code, targets) => code.openBlockAllDialog(targets, options));

/** @param {Name[]} names @param {Options} [options] */
export const askToOpenAll = (names, options) => ask(names, (code, targets) => code.openOpenAllDialog(targets, options));

/** @param {Name} name @param {number} revision @param {{ undo?: boolean }} [options] */
export const askToRevert = (name, revision, options) =>
  ask([name], (code, [target]) => code.openRevertDialog(target, revision, options));

/**
 * Takes back what one change did to several targets.
 * @param {import("../api.js").Change} change
 */
export const askToUndoAll = (change) => ask(change.targets, (code, targets) => code.openUndoAllDialog(targets, change));
