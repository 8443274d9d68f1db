// @ts-check
/**
 * Every drawing of the dashboard, 16 units wide and high, in the colour of the text beside it. No drawing carries a meaning alone: it
 * stands beside a word, or in a button that has a name. A state is always shape, word and colour together.
 */
import { el, svg } from "./dom.js";
import { strings } from "./strings/shared.js";

/** @typedef {import("./documents.js").State} State */

const DISC = "M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 1 0 0-12.5z";

/** The filled ones; all others are drawn as lines. */
const SOLID = new Set(["blocked", "updateRequired", "notice", "more", "shield", "run"]);

const drawings = {
  // States
  blocked: "M2.5 2.5h11v11h-11z", updateRequired: "M8 1.8 15 14H1z", notice: "M8 1 15 8 8 15 1 8z",
  open: "M8 2.4a5.6 5.6 0 1 0 0 11.2 5.6 5.6 0 1 0 0-11.2z",
  // Rules
  killSwitch: "M8 2v5.5M4.5 4.25a5.25 5.25 0 1 0 7 0", forceUpdate: "m4 8.25 4-4 4 4m-8 4.5 4-4 4 4",
  requiredUpdate: "M3 2.5h10M8 14V6M4.5 9.5 8 6l3.5 3.5", optionalUpdate: "M8 13.5V3.25M4 7.25l4-4 4 4",
  alert: "M4 11.5V7a4 4 0 0 1 8 0v4.5l1 1.25H3zM6.75 14.5h2.5",
  // Windows
  pending: `${DISC}M8 4.5V8l2.5 1.75`, running: `${DISC}M6.75 5.5v5L11 8z`, missed: "M8 2.25 14.5 13.5h-13zM8 6.5v3.25m0 1.75v.4",
  failed: "M5.4 1.75h5.2l3.65 3.65v5.2l-3.65 3.65H5.4L1.75 10.6V5.4zM5.75 5.75l4.5 4.5m0-4.5-4.5 4.5",
  cancelled: `${DISC}M5.75 5.75l4.5 4.5m0-4.5-4.5 4.5`, done: `${DISC}m5 8.25 2.1 2.1 4-4.3`,
  // Actions
  undo: "M5.5 2.75 2.25 6 5.5 9.25M2.5 6h7.25a3.75 3.75 0 0 1 0 7.5H7", copy: "M5.75 5.75h7.5v7.5h-7.5zM10.25 5.5V2.75h-7.5v7.5H5.5",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9zm3.25 7.75L14 14",
  settings: "M2 4.5h5.5m3.5 0h3M9.25 2.5v4M2 11.5h3m3.5 0H14M6.75 9.5v4",
  calendar: "M2.5 3.5h11v10h-11zm0 3.25h11m-8-5v3.5m5-3.5v3.5", edit: "m3 13 .75-3L11 2.75 13.25 5 6 12.25zm6.5-8.75 2.25 2.25",
  run: "M4.5 2.75v10.5l8.5-5.25z", close: "m4 4 8 8m0-8-8 8", check: "M3 8.5 6.5 12 13 4.5",
  more: "M3.25 6.75a1.25 1.25 0 1 0 0 2.5 1.25 1.25 0 1 0 0-2.5zm4.75 0a1.25 1.25 0 1 0 0 2.5 1.25 1.25 0 1 0 0-2.5zm4.75 0"
    + "a1.25 1.25 0 1 0 0 2.5 1.25 1.25 0 1 0 0-2.5z",
  back: "M13.5 8h-11m4-4-4 4 4 4", forward: "M2.5 8h11m-4-4 4 4-4 4", next: "m6 3.5 4.5 4.5L6 12.5",
  warning: "M8 2.25 14.5 13.5h-13zM8 6.5v3.25m0 1.75v.4", shield: "M8 1 2.5 3v4.6c0 3.4 2.3 6 5.5 7.4 3.2-1.4 5.5-4 5.5-7.4V3z",
};
/** @typedef {keyof typeof drawings} Icon */

/** @param {Icon} name @param {string} [kind] a class of its own */
export const icon = (name, kind = "") =>
  svg("svg", { class: `icon ${kind}`.trim(), viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false", "data-icon": name },
    svg("path", SOLID.has(name)
      ? { d: drawings[name], fill: "currentColor" }
      : {
        d: drawings[name], fill: "none", stroke: "currentColor", "stroke-width": name === "open" ? 2.4 : 1.5, "stroke-linecap": "round",
        "stroke-linejoin": "round",
      }));

/** Says that a rule is set which a library in the app never shows. */
export const maskedBadge = () => el("strong", { class: "badge masked" }, icon("warning"), strings.masking.word);

/** Marks something as seen to be done: a drawing on the screen, and the character ✓ for screen readers and for copied text. */
export const checkMark = () => [icon("check", "check-mark"), el("span", { class: "visually-hidden" }, "✓ ")];

/** @param {State} state */
export const stateShape = (state) => icon(state, "shape");

/**
 * @param {State} state
 * @param {number} [count]
 * @param {readonly [string, string]} [word] for small spaces: the part that is visible, and the part that is only read out
 */
export function stateBadge(state, count, word = [strings.state[state], ""]) {
  const [seen, more] = word;
  return el("span", { class: "badge", "data-state": state },
    stateShape(state),
    el("span", { class: "badge-word" }, count === undefined ? "" : `${count} `, seen,
      more ? el("span", { class: "visually-hidden" }, more) : null),
    // How old the state is, while nothing is heard: the age is the same for all, and the styles write it.
    el("span", { class: "stale-mark" }, icon("warning"), el("span", { class: "stale-age" })));
}
