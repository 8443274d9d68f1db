// @ts-check
/** The part of the admin API that is about what was changed. It asks through api.js. */
import { request } from "./api.js";

/** @typedef {import("./documents.js").Change} Change */

/** @param {number} sequence @returns {Promise<Change>} */
export const change = (sequence) => request("GET", `/changes/${sequence}`);

/** @param {Record<string, string | number | null | undefined>} filter @returns {Promise<{ items: Change[], next: string | null }>} */
export function changes(filter) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value != null && value !== "") query.set(name, String(value));
  return request("GET", `/changes?${query}`);
}
