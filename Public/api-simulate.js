// @ts-check
/** The part of the admin API that says what a phone shows. It asks through api.js. */
import { request } from "./api.js";

/** @typedef {"bellerophon" | "launchgate" | "gandalf" | "prince-of-versions"} Client */
/**
 * @typedef {{ app: string, platform: string, revision: number, client: Client, clients: Client[], version: string, at: string,
 *   seen: boolean, outcome: "open" | "notice" | "updateOffered" | "updateRequired" | "blocked" | "failed" | "broken", letsIn: boolean,
 *   rule: import("./api.js").RuleName | null, presentation: "none" | "screen" | "dialog" | "app", title: string | null,
 *   message: string | null, buttons: string[], retryInterval: number | null, detail: string,
 *   hidden: { rule: import("./api.js").RuleName, detail: string }[], feed: string }} Simulation
 */
/**
 * @typedef {{ app: string, platform: string, client?: string, version: string, set?: Record<string, unknown>, locale?: string,
 *   seen?: boolean }} Question
 */

/**
 * What one phone shows. Nothing is written.
 * @param {Question} question
 * @returns {Promise<Simulation>}
 */
export const simulate = (question) => request("POST", "/simulate", { body: question });
