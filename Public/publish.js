// @ts-check
/**
 * One write, from the press of a button to a known result. Only what was observed is reported: after a lost answer the same is sent again,
 * which the server carries out once, until it says what became of the write.
 */
import * as api from "./api.js";
import { gatectlFor } from "./gatectl.js";
import { holdLive } from "./live.js";
import { afterwards, isOfShape, nameOf, store } from "./store.js";

/** @typedef {import("./documents.js").Target} Target */
/**
 * @typedef {{ kind: "done", changed: boolean, change: import("./documents.js").Change | null,
 *     refused?: import("./documents.js").Refused[] }
 *   | { kind: "refused", problem: import("./documents.js").Problem, retryAfter: number | null }
 *   | { kind: "conflict", current: Target, change: import("./documents.js").Change | null }
 *   | { kind: "unsettled", made: Promise<Result> }} Result  `made`: fulfilled if it is seen later that it was made after all
 */

/**
 * Whether an error leaves open if the change was made.
 * @param {unknown} error
 */
export const isUncertain = (error) => error instanceof api.NoAnswer || (error instanceof api.APIError && UNCERTAIN.has(error.status));

/** Statuses that leave open whether the change was made: a proxy or the process failed on the way. */
const UNCERTAIN = new Set([500, 502, 504]);
/** Milliseconds after which a write whose answer was lost is sent again. */
const SEND_AGAIN_AFTER = 2000;
/** For how long, in milliseconds: whoever comes back to the page after that would not expect it to be made then. */
const SEND_AGAIN_FOR = 60_000;
const SLOWEST = 30_000;
/** The changes that were shown, by their sequences and times: a restored server counts on from before. */
const told = new Set();
/** How many feeds are read back at a time: a browser asks no more of one server at once, and the rest would wait while its time runs. */
const AT_ONCE = 6;

/**
 * @typedef {(key: string) => Promise<{ changed?: boolean, change: import("./documents.js").Change | null,
 *   refused?: import("./documents.js").Refused[] }>} Send
 */
/**
 * @typedef {{ key: string, targets: Target[], uncertain: () => void, signal: AbortSignal, namesRevisions?: boolean,
 *   isSeen?: () => Promise<boolean> }} Publishing
 *   `targets` as they were when the change was composed; `uncertain` is called when the answer is lost; `namesRevisions`: the write names
 *   the targets' revisions and is refused if any of them has moved, so sending it again then does nothing; `isSeen`: whether what the write
 *   is for can be seen on the server, where every answer to the write itself is lost
 */

/** @param {Send} send @param {Publishing} options @returns {Promise<Result>} */
export async function publish(send, options) {
  const result = await attempt(send, options.key);
  if (result) return result;
  options.uncertain();
  const settled = await sendAgain(send, options);
  if (settled) return settled;
  const made = options.namesRevisions === false ? never() : watch(send, options);
  options.signal.throwIfAborted();
  return { kind: "unsettled", made };
}

/**
 * Sends the write and returns its result; null if the answer is lost.
 * @param {Send} send @param {string} key
 * @returns {Promise<Result | null>}
 */
async function attempt(send, key) {
  try {
    const outcome = await holdLive(send(key));
    const changed = outcome.changed ?? outcome.change !== null;
    if (changed && outcome.change) await made(outcome.change);
    return { kind: "done", changed, change: outcome.change, refused: outcome.refused };
  } catch (error) {
    if (isUncertain(error)) return null;
    if (!(error instanceof api.APIError)) throw error;
    if (error.status === 412 && error.problem.current) {
      const current = error.problem.current;
      store.put([current]);
      return { kind: "conflict", current, change: current.lastChange };
    }
    return { kind: "refused", problem: error.problem, retryAfter: error.retryAfter };
  }
}

/**
 * Sends a write whose answer was lost again, with the same key: the server carries it out once, whichever of the two arrives, and answers.
 * @param {Send} send @param {Publishing} options
 * @returns {Promise<Result | null>} null if there was no answer for as long as somebody may be waiting for one
 */
async function sendAgain(send, { key, signal, isSeen }) {
  const until = Date.now() + SEND_AGAIN_FOR;
  for (;;) {
    await pause(SEND_AGAIN_AFTER);
    if (signal.aborted || Date.now() > until) return null;
    const result = await attempt(send, key);
    if (result && tells(result)) return result;
    if (await isSeen?.()) return { kind: "done", changed: true, change: null };
  }
}

/**
 * Looks out for a write that may still arrive, also when nobody waits for it any more. Nothing is sent before its targets have moved: then
 * it can no longer be carried out, and the server only says whether it was.
 * @param {Send} send @param {Publishing} options
 * @returns {Promise<Result>} fulfilled once it is known to be made
 */
async function watch(send, { key, targets }) {
  const isMoved = () => targets.some((target) => (store.targets.get(nameOf(target))?.revision ?? 0) > target.revision);
  while (!isMoved()) await new Promise((resolve) => store.addEventListener("targets", resolve, { once: true }));
  for (let wait = SEND_AGAIN_AFTER; ; wait = Math.min(2 * wait, SLOWEST)) {
    const result = await attempt(send, key);
    if (result && tells(result)) return result.kind === "done" ? result : never();
    await pause(wait);
  }
}

/** @param {number} milliseconds */
const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** @returns {Promise<never>} */
const never = () => new Promise(() => undefined);

/**
 * Whether the answer to a repetition also tells what became of the write: not where it only put the repetition off, or never got it.
 * @param {Result} result
 */
const tells = (result) => result.kind !== "refused"
  || !(result.problem.status === 429 || result.problem.status >= 500 || result.problem.code.startsWith("http_"));

/**
 * Shows a change that the server has confirmed.
 * @param {import("./documents.js").Change} change
 */
async function made(change) {
  // A second answer to the same write is no news, and must not take the place of a later receipt.
  const name = `${change.sequence} ${change.at}`;
  if (told.has(name)) return;
  told.add(name);
  store.own.add(change.sequence);
  await afterwards(isOfShape(change) ? store.reload() : store.refresh(change.targets));
  if (change.targets.length === 0) return;
  store.setReceipt({ change, published: null, gatectl: gatectlFor(change) });
  // What is deleted has no feed to read back.
  if (change.kind !== "delete") void observe(change);
}

/**
 * Reads the native feeds back, so that "feed published" is something we have seen.
 * @param {import("./documents.js").Change} change
 */
async function observe(change) {
  const left = [...change.targets];
  let isPublished = true;
  const readBackEach = async () => {
    for (let target = left.shift(); target; target = left.shift()) {
      const path = store.targets.get(nameOf(target))?.feeds?.gate;
      const document = path ? await api.feed(path) : null;
      if (document === null || document.revision < target.revision) isPublished = false;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, readBackEach));
  if (store.receipt?.change === change) store.setReceipt({ ...store.receipt, published: isPublished });
}
