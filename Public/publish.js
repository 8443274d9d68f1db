// @ts-check
/**
 * One write, from the press of a button to a known result. Only what was observed is reported: after a lost answer the target
 * is read back until the server says what became of the write.
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
 *   | { kind: "notMade" }} Result
 */

/**
 * Whether an error leaves open if the change was made.
 * @param {unknown} error
 */
export const isUncertain = (error) => error instanceof api.NoAnswer || (error instanceof api.APIError && UNCERTAIN.has(error.status));

/** Statuses that leave open whether the change was made: a proxy or the process failed on the way. */
const UNCERTAIN = new Set([500, 502, 504]);
const READ_BACK_INTERVAL = 2000;
/** How many feeds are read back at a time: a browser asks no more of one server at once, and the rest would wait while its time runs. */
const AT_ONCE = 6;

/**
 * @typedef {(key: string) => Promise<{ changed?: boolean, change: import("./documents.js").Change | null,
 *   refused?: import("./documents.js").Refused[] }>} Send
 */
/**
 * @typedef {{ key: string, targets: Target[], uncertain: () => void, signal: AbortSignal, namesRevisions?: boolean }} Publishing
 *   `targets` as they were when the change was composed; `uncertain` is called when the answer is lost; `namesRevisions`: the write names
 *   the targets' revisions and is refused if any of them has moved, so sending it again is safe
 */

/** @param {Send} send @param {Publishing} options @returns {Promise<Result>} */
export async function publish(send, options) {
  const result = await attempt(send, options.key);
  if (result) return result;
  options.uncertain();
  return readBack(send, options);
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

/** @param {Send} send @param {Publishing} options @returns {Promise<Result>} */
async function readBack(send, { key, targets, signal, namesRevisions = true }) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, READ_BACK_INTERVAL));
    signal.throwIfAborted();
    try {
      if (targets.length === 0) return { kind: "notMade" };
      const fresh = await store.refresh(targets);
      const stands = targets.every((target) => fresh.some((one) => nameOf(one) === nameOf(target) && one.revision <= target.revision));
      if (stands || !namesRevisions) return { kind: "notMade" };
      // A target has moved, but who moved it? The server knows: the same request with the same key gets the lost answer, or is refused
      // because somebody else came first.
      const result = await attempt(send, key);
      if (result && !(result.kind === "refused" && isForLater(result.problem.status))) return result;
    } catch (error) {
      // Still no answer: keep asking. Anything else (such as signed out) is a real result, which the caller shows.
      if (!(error instanceof api.NoAnswer) && !(error instanceof api.APIError && isForLater(error.status))) throw error;
    }
  }
}

/** @param {number} status of a refusal; true if it says nothing about the write itself */
const isForLater = (status) => status === 429 || status >= 500;

/**
 * Shows a change that the server has confirmed.
 * @param {import("./documents.js").Change} change
 */
async function made(change) {
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
