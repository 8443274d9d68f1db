// @ts-check
/** Facts, as a list shows them: a name with its value. */
import { el } from "../dom.js";

/** @param {string} name @param {...import("../dom.js").Child} value */
export const factParts = (name, ...value) => [el("dt", null, name), el("dd", null, value)];

/** @param {string} name @param {...import("../dom.js").Child} value */
export const fact = (name, ...value) => el("div", null, factParts(name, value));
