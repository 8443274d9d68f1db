// @ts-check
/**
 * Runs the next step of a window, as it was read. What the step does is asked once more just before it is sent, and the request names the
 * window's revision: one that somebody has edited since is planned again instead of being run unread.
 */
import { runWindow } from "../api-schedule.js";
import * as api from "../api.js";
import { afterwards, store } from "../store.js";
import { isOvertaken, saysTheSame } from "./plan-dialog.js";
import { plannedBodies } from "./planned-bodies.js";

/** @typedef {import("../documents.js").Plan} Plan */
/** @typedef {import("../api-apps.js").Terms} Terms */

/**
 * Reads the windows again if the server refuses to write because the seen state is no longer current: the next plan is of what they are
 * then. Only while a dialog sends, and so hears of nothing; after the refusal of a plan, the dialog itself has them read.
 * @template Answer
 * @param {() => Promise<Answer>} work
 */
export async function lookingAgain(work) {
  try {
    return await work();
  } catch (error) {
    if (isOvertaken(error)) await afterwards(store.reloadWindows());
    throw error;
  }
}

/**
 * How a plan dialog asks for a step and sends it.
 * @param {import("../api-schedule.js").Window} window
 * @param {object} step the members of the request that say which step is meant
 * @param {() => Promise<unknown>} done called afterwards
 */
export function windowRun(window, step, done) {
  /** @type {ReturnType<typeof plannedBodies<number>>} */
  const revisions = plannedBodies();
  /** @param {Terms} terms */
  const look = (terms) => runWindow(window.id, { ...step, ...terms, dryRun: true }, api.newKey());
  return {
    /** @param {Terms} terms */
    async ask(terms) {
      const { plan, window: { revision } } = await look(terms);
      return revisions.keep(plan, revision);
    },
    /** @param {Terms} terms @param {import("./plan-dialog.js").Sending} sending @returns {Promise<true | "renewed">} */
    async send(terms, { keyFor, plan }) {
      const { plan: now, window: { revision } } = await lookingAgain(() => look(terms));
      if (revision !== revisions.of(plan) || !now || !saysTheSame(plan, now)) {
        await store.reloadWindows();
        return "renewed";
      }
      const body = { ...step, ...terms, revision };
      await lookingAgain(() => runWindow(window.id, body, keyFor(body)));
      await done();
      return true;
    },
  };
}
