// @ts-check
/** The part of the admin API that is about feeds in an app's own shape. It asks through api.js. */
import { newKey, request } from "./api.js";

/** @typedef {import("./api-apps.js").Terms} Terms */
/**
 * @typedef {{ name: string, platform?: string, path: string, template: string, accept: string[], document: string }} OwnFeed
 *   `document`: what the template renders now
 */

/** @param {string} app @param {string} name */
const pathOf = (app, name) => `/apps/${encodeURIComponent(app)}/own-feeds/${encodeURIComponent(name)}`;

/** @param {string} app @param {string} name @returns {Promise<OwnFeed>} */
export const ownFeed = (app, name) => request("GET", pathOf(app, name));
/**
 * @param {string} app @param {string} name
 * @param {{ platform?: string, template: string, seen?: { template: string | null } } & Terms} body  `seen`: as with an app; null for
 *   a feed that is not there
 * @param {string} [key]
 * @returns {Promise<any>}
 */
export const putOwnFeed = (app, name, body, key = newKey()) => request("PUT", pathOf(app, name), { body, key });
/**
 * @param {string} app @param {string} name @param {Terms} body @param {string} [key]
 * @returns {Promise<any>}
 */
export const removeOwnFeed = (app, name, body, key = newKey()) => request("DELETE", pathOf(app, name), { body, key });
