// @ts-check
/** The part of the admin API that says what a phone shows. It asks through api.js. */
import { request } from "./api.js";

/** @typedef {"bellerophon" | "launchgate" | "gandalf" | "prince-of-versions"} Client */
/**
 * @typedef {{ app: string, platform: string, revision: number, client: Client, clients: Client[], version: string, at: string,
 *   seen: boolean, outcome: "open" | "notice" | "updateOffered" | "updateRequired" | "blocked" | "failed" | "broken", letsIn: boolean,
 *   rule: import("./documents.js").RuleName | null, presentation: "none" | "screen" | "dialog" | "app", title: string | null,
 *   message: string | null, buttons: string[], retryInterval: number | null, detail: string,
 *   hidden: { rule: import("./documents.js").RuleName, detail: string }[], feed: string }} Simulation
 */
/**
 * @typedef {{ app: string, platform: string, client?: string, version: string, set?: Record<string, unknown>, locale?: string,
 *   seen?: boolean }} Question
 */

/**
 * @typedef {{ outcome: Simulation["outcome"], letsIn: boolean, rule: import("./documents.js").RuleName | null,
 *   presentation: Simulation["presentation"], title: string | null, message: string | null, buttons: string[],
 *   retryInterval: number | null, detail: string, deviation: "letsIn" | "shutsOut" | "differs" | null }} View
 */
/**
 * @typedef {{ version: string, client: import("./documents.js").Library,
 *   meant: import("./documents.js").Meant, static: View, targeted: View,
 *   hidden: { rule: import("./documents.js").RuleName, detail: string }[], why: string | null, cure: string | null }} Cell
 */
/**
 * @typedef {{ app: string, platform: string, moment: "now" | "future" | "past" | "revision", at: string, revision: number,
 *   change: import("./documents.js").Change | null, until: string | null, gate: import("./documents.js").Gate, draft: boolean,
 *   seen: boolean,
 *   release: "1.3.1" | "1.4.0" | "1.4.1" | null, clients: import("./documents.js").Library[], versions: string[], proposed: boolean,
 *   notes: string[], cells: Cell[] }} Matrix
 */
/**
 * @typedef {{ app: string, platform: string, versions: string[], set?: Record<string, unknown>, at?: string, revision?: number,
 *   seen?: boolean }} Questions  `versions`: omit to get those that the server proposes
 */

/**
 * What one phone shows. Nothing is written.
 * @param {Question} question
 * @returns {Promise<Simulation>}
 */
export const simulate = (question) => request("POST", "/simulate", { body: question });

/**
 * What phones show for many versions and every library. Nothing is written.
 * @param {Questions} question
 * @returns {Promise<Matrix>}
 */
export const simulateMany = (question) => request("POST", "/simulate", { body: question });
