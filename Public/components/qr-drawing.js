// @ts-check
/** A text as a QR code, drawn in the page, so that the text is sent to nobody. */
import { el, show, svg } from "../dom.js";

/** The margin required around a code, in modules. */
const QUIET = 4;

/**
 * @param {string} text must also be shown beside the drawing, in case that cannot be made
 * @param {string} label
 */
export function qrDrawing(text, label) {
  const holder = el("div", { class: "qr" });
  void draw(holder, text, label);
  return holder;
}

/** @param {HTMLElement} holder @param {string} text @param {string} label */
async function draw(holder, text, label) {
  try {
    const { qrCode } = await import("../qr.js");
    const rows = qrCode(text);
    const side = rows.length + 2 * QUIET;
    const path = rows
      .flatMap((row, top) => runs(row).map(([left, width]) => `M${left + QUIET} ${top + QUIET}h${width}v1h-${width}z`))
      .join("");
    const look = { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" };
    show(holder, svg("svg", look, svg("path", { d: path, fill: "#000000" })));
  } catch (error) {
    // The file could not be fetched, or the text is too long; the text is shown beside it anyway.
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
  }
}

/**
 * Runs of dark modules in a row: where each begins and how long it is.
 * @param {boolean[]} row
 * @returns {[number, number][]}
 */
function runs(row) {
  /** @type {[number, number][]} */
  const found = [];
  row.forEach((isDark, place) => {
    if (isDark && !row[place - 1]) found.push([place, 1]);
    else if (isDark) found[found.length - 1][1] += 1;
  });
  return found;
}
