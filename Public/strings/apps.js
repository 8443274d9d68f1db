// @ts-check
/** The visible strings of the list of apps. */
import { counted } from "./shared.js";

export const appsStrings = {
  title: "Apps", none: "No apps yet.", aliases: (/** @type {number} */ count) => counted(count, "alias", "aliases"),
  state: (/** @type {string} */ target, /** @type {string} */ state) => `${target}: ${state}`,
};
