// @ts-check
/** The part of the admin API that is about rehearsals: trying gates on phones. It asks through api.js. */
import { newKey, request } from "./api.js";

/** @typedef {{ at: string, feed: string, version: string | null, userAgent: string | null, unchanged: boolean }} RehearsalPoll */
/**
 * @typedef {{ id: string, app: string, platform: string, gate: import("./documents.js").Gate,
 *   actor: import("./documents.js").Actor, at: string,
 *   until: string, feeds: Record<string, string>, ownFeeds: Record<string, string>, pollCount: number,
 *   polls: RehearsalPoll[] }} Rehearsal  `polls`: newest first; `ownFeeds`: by file name
 */

/** @param {string} id */
const path = (id) => `/rehearsals/${encodeURIComponent(id)}`;

/** @returns {Promise<Rehearsal[]>} */
export const rehearsals = async () => (await request("GET", "/rehearsals")).items;
/** @param {string} id @returns {Promise<Rehearsal>} */
export const rehearsal = (id) => request("GET", path(id));
/**
 * @param {{ app: string, platform: string, gate: import("./documents.js").Gate, for: string }} body
 * @returns {Promise<Rehearsal>}
 */
export const begin = (body) => request("POST", "/rehearsals", { body, key: newKey() });
/**
 * @param {string} id
 * @param {{ gate?: import("./documents.js").Gate, for?: string }} body
 * @returns {Promise<Rehearsal>}
 */
export const alter = (id, body) => request("PUT", path(id), { body, key: newKey() });
/** @param {string} id */
export const end = (id) => request("DELETE", path(id), { key: newKey() });
