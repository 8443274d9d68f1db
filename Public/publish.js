// @ts-check
/**
 * One write, from the press of a button to a truth. Only what was observed is ever reported: after a lost answer the target
 * is read back until the server says what became of it.
 */
import * as api from "./api.js";
import { isSelf } from "./gate.js";
import { gatectlFor } from "./gatectl.js";
import { holdLive, nameOf, store } from "./store.js";

/** @typedef {import("./api.js").Target} Target */
/**
 * @typedef {{ kind: "done", changed: boolean, change: api.Change | null, refused?: api.Refused[] }
 *   | { kind: "refused", problem: api.Problem, retryAfter: number | null }
 *   | { kind: "conflict", current: Target, change: api.Change | null }
 *   | { kind: "notMade" }} Result
 */

/** Answers after which it is open whether the change was made: a proxy or the process died on the way. */
const UNCERTAIN = new Set([500, 502, 504]);
const READ_BACK_INTERVAL = 2000;
/** More changed targets than this are read as one list. */
const MANY = 5;

/**
 * @param {(key: string) => Promise<{ changed?: boolean, change: api.Change | null, refused?: api.Refused[] }>} send
 * @param {{ key: string, targets: Target[], uncertain: () => void, signal: AbortSignal }} options
 *   `targets` as they were when the change was composed; `uncertain` is called when the answer is lost
 * @returns {Promise<Result>}
 */
export async function publish(send, { key, targets, uncertain, signal }) {
  try {
    const outcome = await holdLive(send(key));
    const changed = outcome.changed ?? outcome.change !== null;
    if (changed && outcome.change) await made(outcome.change);
    return { kind: "done", changed, change: outcome.change, refused: outcome.refused };
  } catch (error) {
    if (error instanceof api.APIError && error.status === 412 && error.problem.current) {
      const current = error.problem.current;
      store.put([current]);
      return { kind: "conflict", current, change: current.lastChange };
    }
    if (error instanceof api.APIError && !UNCERTAIN.has(error.status)) {
      return { kind: "refused", problem: error.problem, retryAfter: error.retryAfter };
    }
    if (!(error instanceof api.APIError) && !(error instanceof api.NoAnswer)) throw error;
  }
  uncertain();
  return readBack(targets, signal);
}

/** @param {Target[]} targets @param {AbortSignal} signal @returns {Promise<Result>} */
async function readBack(targets, signal) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, READ_BACK_INTERVAL));
    signal.throwIfAborted();
    try {
      if (targets.length === 0) return { kind: "notMade" };
      const fresh = await store.refresh(targets);
      const known = new Map(targets.map((target) => [nameOf(target), target]));
      const moved = fresh.filter((target) => target.revision > (known.get(nameOf(target))?.revision ?? 0));
      if (moved.length === 0) return { kind: "notMade" };
      const change = await following(known.get(nameOf(moved[0])) ?? moved[0]);
      if (change && change.source === "dashboard" && isSelf(change.actor)) {
        await made(change);
        return { kind: "done", changed: true, change };
      }
      return { kind: "conflict", current: moved[0], change };
    } catch (error) {
      // Still no answer: go on asking. Anything else (signed out, deleted) is the truth, and the caller's to show.
      if (!(error instanceof api.NoAnswer) && !(error instanceof api.APIError && error.status >= 500)) throw error;
    }
  }
}

/**
 * The change that came right after what we knew.
 * @param {Target} known
 * @returns {Promise<api.Change | null>}
 */
async function following(known) {
  const { items } = await api.changes({ app: known.app, platform: known.platform, limit: 50 });
  return items.find((change) => change.targets.some((target) => nameOf(target) === nameOf(known) && target.previous === known.revision))
    ?? null;
}

/**
 * Shows a change that the server has confirmed.
 * @param {api.Change} change
 */
async function made(change) {
  store.own.add(change.sequence);
  try {
    const isMuch = change.targets.length > MANY || change.omitted;
    if (change.targets.length === 0 || isMuch || ["create", "delete", "settings"].includes(change.kind)) await store.reload();
    else await store.refresh(change.targets);
  } catch {
    // The change stands; the next poll brings what this read could not.
  }
  if (change.targets.length === 0) return;
  store.setReceipt({ change, published: null, gatectl: gatectlFor(change) });
  // What is deleted has no feed to read back.
  if (change.kind !== "delete") void observe(change);
}

/**
 * Reads the native feeds back, so that "feed published" is something we saw.
 * @param {api.Change} change
 */
async function observe(change) {
  const seen = await Promise.all(change.targets.map(async (target) => {
    const path = store.targets.get(nameOf(target))?.feeds?.gate;
    const document = path ? await api.feed(path) : null;
    return document !== null && document.revision >= target.revision;
  }));
  if (store.receipt?.change === change) store.setReceipt({ ...store.receipt, published: seen.every(Boolean) });
}
