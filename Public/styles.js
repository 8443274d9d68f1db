// @ts-check
/** Style sheets that are not needed at first, fetched with what they are for. */
import { el } from "./dom.js";

/** @type {Map<string, Promise<void>>} */
const sheets = new Map();

/**
 * Settles when the sheet is there, or has failed: a plain screen is still a screen.
 * @param {string} file
 */
export function styleSheet(file) {
  const known = sheets.get(file);
  if (known) return known;
  const coming = new Promise((done) => {
    document.head.append(el("link", { rel: "stylesheet", href: file, on: { load: done, error: done } }));
  });
  sheets.set(file, coming);
  return coming;
}
