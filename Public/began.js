// @ts-check
/**
 * Which change began what a target is in: the state, and the block. That is the last change only as long as nobody has touched anything
 * else since; from then on the history is asked, once for each state and each block.
 */
import * as api from "./api.js";
import { nameOf } from "./store.js";

/** @typedef {import("./api.js").Target} Target */
/** @typedef {import("./api.js").Change} Change */
/** @typedef {(change: Change | null, isTheOne: boolean) => void} Tell `isTheOne`: it is the one that began it, and not only the last */

/** How far back a block is looked for that is younger than the state: a blocked target was blocked once more by other means. */
const FAR = 100;
/**
 * What was found, or null where the history says nothing of it.
 * @type {Map<string, Change | null>}
 */
const found = new Map();
/** @type {Map<string, Promise<void>>} */
const asked = new Map();

/**
 * Tells which change brought the target into its state: at once if that is known, else the last one at once and the right one later.
 * @param {Target} target
 * @param {Tell} tell
 */
export const whoBegan = (target, tell) =>
  ask(target, `state ${nameOf(target)} ${target.since}`, (change) => change.at === target.since, () => stateOf(target), tell);

/**
 * Tells which change blocked the target, in the same way. One that altered the words or the end of the block is not it.
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
    // Without an answer the last change goes on being called that; whoever looks again asks again.
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
  // The end of the span is not in it.
  const until = new Date(Date.parse(since) + 1).toISOString();
  const { items: [change] } = await api.changes({ app, platform, until, limit: 1 });
  // Where a repair or a copy of the database has set the time there is no change of that time.
  return change?.at === since ? change : null;
}

/** @param {Target} target */
async function blockOf(target) {
  const { app, platform, since } = target;
  const { items, next } = await api.changes({ app, platform, since, limit: FAR });
  const block = items.find((change) => isBlockOf(target, change));
  if (block || !next) return block ?? null;
  // So much has been done to it since that the beginning is not among it.
  const beginning = await stateOf(target);
  return beginning && isBlockOf(target, beginning) ? beginning : null;
}

/** @param {Target} target @param {Change} change */
function isBlockOf(target, change) {
  const mine = change.targets.find((changed) => nameOf(changed) === nameOf(target));
  return Boolean(mine?.after.killSwitch && !mine.before.killSwitch);
}
