// @ts-check
/** The part of the admin API that is about apps, their platforms and the files they polled before. It asks through api.js. */
import { newKey, request } from "./api.js";

/** @typedef {import("./documents.js").Alias} Alias */
/** @typedef {import("./documents.js").App} App */
/** @typedef {import("./documents.js").Change} Change */
/** @typedef {import("./documents.js").Outcome} Outcome */
/** @typedef {import("./documents.js").Plan} Plan */
/** @typedef {import("./documents.js").Refused} Refused */
/** @typedef {import("./documents.js").Settings} Settings */
/** @typedef {{ reason?: string, confirm?: string, accept?: string[], dryRun?: true }} Terms  with `dryRun` the answer is a plan */

/** @typedef {{ path: string, before?: string, after?: string }} TakeoverDifference  values as JSON, cut where they are long */
/**
 * @typedef {{ name: string, platform?: string, path: string, map: string[], template: string, document: string,
 *   match: "identical" | "equal" | "different", differences: TakeoverDifference[], omitted?: number,
 *   flips: { platform: string, killed: boolean, differences: TakeoverDifference[], omitted?: number }[] }} Takeover  what a file in an
 *   app's own shape becomes; `omitted`: how many more differences there are
 */

/** @param {object} body @returns {Promise<{ plan: Plan, refused?: Refused[], takeover?: Takeover }>} */
export const planImport = (body) => request("POST", "/import", { body: { ...body, dryRun: true } });
/** @param {object} body @param {string} key @returns {Promise<Outcome>} */
export const commitImport = (body, key) => request("POST", "/import", { body, key });

/** @param {{ key: string, name: string }} body @returns {Promise<App>} */
export const addApp = (body) => request("POST", "/apps", { body, key: newKey() });
/**
 * @param {string} app
 * @param {{ name?: string, aliases?: Alias[], seen?: { name?: string, aliases?: Alias[] } } & Terms} body  `seen`: as shown before the
 *   edit; refused as `stale_values` if it is something else by now
 * @param {string} [key]
 * @returns {Promise<any>} the app
 */
export const changeApp = (app, body, key = newKey()) => request("PATCH", `/apps/${encodeURIComponent(app)}`, { body, key });
/**
 * @param {string} app
 * @param {string} platform
 * @param {Partial<Settings> & { seen?: Partial<Settings> } & Terms} body  `seen`: as with an app
 * @param {string} [key]
 * @returns {Promise<any>} the target
 */
export const putPlatform = (app, platform, body, key = newKey()) =>
  request("PUT", `/apps/${encodeURIComponent(app)}/platforms/${encodeURIComponent(platform)}`, { body, key });
/**
 * The path of a whole app, or of one of its platforms.
 * @param {{ app: string, platform?: string }} name
 */
const removable = ({ app, platform }) => `/apps/${encodeURIComponent(app)}${platform ? `/platforms/${encodeURIComponent(platform)}` : ""}`;
/**
 * What deleting it would take away. Nothing is written.
 * @param {{ app: string, platform?: string }} name
 * @returns {Promise<Plan>}
 */
export const planRemoval = async (name) => (await request("DELETE", removable(name), { body: { dryRun: true } })).plan;
/**
 * @param {{ app: string, platform?: string }} name
 * @param {{ reason?: string, confirm?: string }} body
 * @param {string} key
 * @returns {Promise<{ change: Change, plan: Plan }>}
 */
export const remove = (name, body, key) => request("DELETE", removable(name), { body, key });
