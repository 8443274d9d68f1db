// @ts-check
/**
 * Finds the change that put a target into its state, and the one that blocked it. That is the last change only while nobody has changed
 * anything else since; after that the history is asked, once for each state and each block.
 */
import { changes } from "./api-history.js";
import * as api from "./api.js";
import { nameOf } from "./store.js";

/** @typedef {import("./documents.js").Target} Target */
/** @typedef {import("./documents.js").Change} Change */
/** @typedef {(change: Change | null, isTheOne: boolean) => void} Tell `isTheOne`: this change began it, and is not merely the last one */

/** How many changes to search for a block that began after the state did: a kill switch can be set on a target that was already blocked. */
const FAR = 100;
/**
 * What was found, or null if the history does not have it.
 * @type {Map<string, Change | null>}
 */
const found = new Map();
/** @type {Map<string, Promise<void>>} */
const asked = new Map();

/**
 * Tells which change put the target into its state: at once if that is known; otherwise the last change first and the right one later.
 * @param {Target} target
 * @param {Tell} tell
 */
export const whoBegan = (target, tell) =>
  ask(target, `state ${nameOf(target)} ${target.since}`, (change) => change.at === target.since, () => stateOf(target), tell);

/**
 * Tells in the same way which change blocked the target. A change to the block's message or end does not count.
 * @param {Target} target with a kill switch
 * @param {Tell} tell
 */
export const whoBlocked = (target, tell) =>
  ask(target, `block ${nameOf(target)} ${target.revision}`, (change) => isBlockOf(target, change), () => blockOf(target), tell);

/**
 * @param {Target} target
 * @param {string} key
 * @param {(change: Change) => boolean} isTheOne
 * @param {() => Promise<Change | null>} look
 * @param {Tell} tell
 */
function ask(target, key, isTheOne, look, tell) {
  const last = target.lastChange;
  if (last && isTheOne(last)) return tell(last, true);
  const known = found.get(key);
  if (known) return tell(known, true);
  tell(last, false);
  if (known === null) return;
  const coming = asked.get(key) ?? look().then((change) => void found.set(key, change)).catch((error) => {
    // Without an answer it stays labelled as the last change; the next look asks again.
    if (!(error instanceof api.APIError) && !(error instanceof api.NoAnswer)) throw error;
  }).finally(() => asked.delete(key));
  asked.set(key, coming);
  void coming.then(() => {
    const change = found.get(key);
    if (change) tell(change, true);
  });
}

/** @param {Target} target */
async function stateOf({ app, platform, since }) {
  // `until` is exclusive.
  const until = new Date(Date.parse(since) + 1).toISOString();
  const { items: [change] } = await changes({ app, platform, until, limit: 1 });
  // If a repair or a copy of the database has set `since`, there is no change at that time.
  return change?.at === since ? change : null;
}

/** @param {Target} target */
async function blockOf(target) {
  const { app, platform, since } = target;
  const { items, next } = await changes({ app, platform, since, limit: FAR });
  const block = items.find((change) => isBlockOf(target, change));
  if (block || !next) return block ?? null;
  // There were more changes since than one page holds, so look at the first one as well.
  const beginning = await stateOf(target);
  return beginning && isBlockOf(target, beginning) ? beginning : null;
}

/** @param {Target} target @param {Change} change */
function isBlockOf(target, change) {
  const mine = change.targets.find((changed) => nameOf(changed) === nameOf(target));
  return Boolean(mine?.after.killSwitch && !mine.before.killSwitch);
}
