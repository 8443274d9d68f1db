// @ts-check
/** The part of the admin API that is about windows, which are changes for a span of time. It asks through api.js. */
import { request } from "./api.js";

/** @typedef {{ at: string, wallTime: string, zone: string, offset: string }} ZonedTime */
/** @typedef {{ wallTime: string, zone: string, fold?: "earlier" | "later" }} AskedTime */
/**
 * @typedef {{ at: string, what: "made" | "started" | "ended" | "missed" | "cancelled" | "failed" | "edited" | "overtaken",
 *   actor: import("./documents.js").Actor, detail: string | null, sequence: number | null, times?: number }} WindowEvent
 */
/** @typedef {"pending" | "running" | "done" | "missed" | "cancelled" | "failed"} WindowState */
/**
 * @typedef {{ app: string, platform: string, expected?: Record<string, any> | null, before?: Record<string, any> | null,
 *   made?: Record<string, any> }} WindowTarget
 *   `expected`: what its rules must still be for its next step, or else a person's change stays; `made`: what will do as well;
 *   `before`: what was there, once it runs
 */
/**
 * @typedef {{ id: number, revision: number, state: WindowState, due: string | null, targets: WindowTarget[], omitted?: number,
 *   set: Record<string, import("./documents.js").Rule | null>, start: ZonedTime, end: ZonedTime | null, then: "open" | "restore",
 *   actor: import("./documents.js").Actor, reason: string | null, events: WindowEvent[] }} Window
 */
/** @typedef {{ window: Window, change?: import("./documents.js").Change | null, plan?: import("./documents.js").Plan }} WindowOutcome */

/**
 * Windows that are over, newest first.
 * @param {number} limit
 * @param {string | null} [cursor] of the page before
 * @returns {Promise<{ items: Window[], next: string | null }>}
 */
export const pastWindows = (limit, cursor) =>
  request("GET", `/windows?state=done,cancelled,failed&limit=${limit}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`);
/** @param {string} id @returns {Promise<Window>} */
export const window = (id) => request("GET", `/windows/${encodeURIComponent(id)}`);
/**
 * What a window would do, and when. Nothing is written.
 * @param {object} body
 * @returns {Promise<WindowOutcome>}
 */
export const planWindow = (body) => request("POST", "/windows", { body: { ...body, dryRun: true } });
/** @param {object} body @param {string} key @returns {Promise<WindowOutcome>} */
export const makeWindow = (body, key) => request("POST", "/windows", { body, key });
/**
 * What a window would do in place of an existing one. Nothing is written.
 * @param {number} id @param {object} body with the `revision` that was seen
 * @returns {Promise<WindowOutcome>}
 */
export const planEdit = (id, body) => request("PUT", `/windows/${id}`, { body: { ...body, dryRun: true } });
/** @param {number} id @param {object} body @param {string} key @returns {Promise<WindowOutcome>} */
export const editWindow = (id, body, key) => request("PUT", `/windows/${id}`, { body, key });
/** @param {number} id @param {number} revision as it was seen */
export const cancelWindow = (id, revision) => request("DELETE", `/windows/${id}`, { body: { revision } });
/** @param {number} id @param {object} body @param {string} key @returns {Promise<WindowOutcome>} */
export const runWindow = (id, body, key) => request("POST", `/windows/${id}/run`, { body, key });
