// @ts-check
/** A state is always shape, word and colour together, so that none of the three alone has to carry it. */
import { el, svg } from "./dom.js";
import { strings } from "./strings/shared.js";

/** @typedef {import("./api.js").State} State */

/** @type {Record<State, () => SVGElement>} */
const shapes = {
  blocked: () => svg("path", { d: "M2.5 2.5h11v11h-11z", fill: "currentColor" }),
  updateRequired: () => svg("path", { d: "M8 1.8 15 14H1z", fill: "currentColor" }),
  notice: () => svg("path", { d: "M8 1 15 8 8 15 1 8z", fill: "currentColor" }),
  open: () => svg("circle", { cx: 8, cy: 8, r: 5.6, fill: "none", stroke: "currentColor", "stroke-width": 2.4 }),
};

/** A clock: something is going to happen by itself. */
export const clockShape = () => svg("svg", { class: "shape clock-shape", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" },
  svg("circle", { cx: 8, cy: 8, r: 6.2, fill: "none", stroke: "currentColor", "stroke-width": 1.8 }),
  svg("path", { d: "M8 4.5V8l2.5 2", fill: "none", stroke: "currentColor", "stroke-width": 1.8, "stroke-linecap": "round" }));

/** A shield: what keeps people out is asked for twice. */
export const shieldShape = () => svg("svg", { class: "shield", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" },
  svg("path", { d: "M8 1 2.5 3v4.6c0 3.4 2.3 6 5.5 7.4 3.2-1.4 5.5-4 5.5-7.4V3z", fill: "currentColor" }));

/** @param {State} state */
export const stateShape = (state) =>
  svg("svg", { class: "shape", viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" }, shapes[state]());

/** @param {State} state @param {number} [count] */
export function stateBadge(state, count) {
  return el("span", { class: "badge", "data-state": state },
    stateShape(state),
    el("span", { class: "badge-word" }, count === undefined ? "" : `${count} `, strings.state[state]));
}
