// @ts-check
/**
 * What the server says in words, as people here read it. Its sentences are the same for every client, so they hold instants as a program
 * writes them, and name members of the request.
 */
import { dialogStrings } from "./strings/dialogs.js";
import { strings } from "./strings/shared.js";
import { ownZone, saidMoment } from "./time.js";

/** `2026-11-27T20:00:00 Europe/Berlin (+01:00)` */
const ZONED = /\b(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d) ([A-Z][A-Za-z0-9_+/-]*) \(([+-]\d\d:\d\d)\)/g;
/** `2026-11-27T19:00:00.000Z` */
const INSTANT = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/**
 * A time as the dashboard says it, or the server's own words where the browser knows no such zone.
 * @param {string} written @param {string} at @param {string} zone
 */
function timeOr(written, at, zone) {
  try {
    return saidMoment({ at, zone });
  } catch {
    return written;
  }
}

/**
 * A sentence of the server.
 * @param {string} text
 * @param {string} [zone] the zone to say instants in
 */
export const sayServer = (text, zone = ownZone) => text
  .replace(ZONED, (written, wall, name, offset) => timeOr(written, `${wall}${offset}`, name))
  .replace(INSTANT, (written) => timeOr(written, written, zone));

/**
 * Why the server refused.
 * @param {import("./documents.js").Problem} problem
 * @param {string} [zone] the zone to say instants in
 */
export function sayRefusal({ code, detail, title, overridable, choices = [] }, zone = ownZone) {
  const { ambiguous_time: twice, skipped_time: never, remedy, between, step, endNow } = dialogStrings.refusal;
  // The server itself always gives a code of its own.
  if (code.startsWith("http_")) return between(title);
  const [choice] = choices;
  if (code === "ambiguous_time" && choice) return twice(choice.zone);
  if (code === "skipped_time" && choice) return never(choice.zone);
  // The box that accepts it stands below.
  const said = overridable ? detail.replace(remedy, "") : detail || title;
  // A person presses what a program would say.
  return sayServer(said.replace(step, endNow), zone);
}

/**
 * The same with the request's id, to quote it.
 * @param {import("./documents.js").Problem} problem
 */
export const sayRefused = (problem) => strings.dialog.refused(sayRefusal(problem), problem.requestId);
