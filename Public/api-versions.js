// @ts-check
/** The part of the admin API that says which app versions poll. It asks through api.js. */
import { request, targetPath } from "./api.js";

/**
 * @typedef {{ items: { version: string, polls: number, share: number }[], polls: number, since: string }} PolledVersions  the most polled
 *   first
 */

/**
 * Which versions poll a target.
 * @param {string} app
 * @param {string} platform
 * @param {"hour" | "day"} within
 * @returns {Promise<PolledVersions>}
 */
export const polledVersions = (app, platform, within) => request("GET", `${targetPath(app, platform)}/versions?within=${within}`);
