// @ts-check
/** Time zones and their wall times, by the browser's own calendar. The server has the last word on which instant is meant. */

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

/** @type {Map<string, Intl.DateTimeFormat>} */
const clocks = new Map();

/** @param {string} zone */
function clockOf(zone) {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit",
  });
  clocks.set(zone, clock);
  return clock;
}

/**
 * A wall time as if it were UTC's, in milliseconds; NaN if it is none. Somebody who means "for ever" writes the last day of the year 9999,
 * which ends in a year of five digits: a date takes those only with a sign.
 * @param {string} wall
 */
const asUTC = (wall) => Date.parse(`${wall.replace(/^\d{5}-/, "+0$&")}Z`);

/** @param {string} wall @returns {string} its date */
export const dateOf = (wall) => wall.split("T")[0];

/**
 * `2026-03-30T09:00`: an instant as wall time in a zone, as an input writes it.
 * @param {number} instant
 * @param {string} zone
 */
export function wallAt(instant, zone) {
  const parts = Object.fromEntries(clockOf(zone).formatToParts(instant).map(({ type, value }) => [type, value]));
  // While somebody types 2026, the year is 2 for a moment.
  return `${parts.year.padStart(4, "0")}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

/**
 * Minutes that a zone is ahead of UTC.
 * @param {number} instant
 * @param {string} zone
 */
export const offsetAt = (instant, zone) =>
  Math.round((asUTC(wallAt(instant, zone)) - Math.floor(instant / MINUTE) * MINUTE) / MINUTE);

/**
 * The instant of a wall time in a zone; null if the clocks skip it.
 * @param {string} wall
 * @param {string} zone
 * @param {"earlier" | "later"} [fold] which one, if the time comes twice
 */
export function instantOf(wall, zone, fold = "earlier") {
  const plain = asUTC(wall);
  if (Number.isNaN(plain)) return null;
  const found = [plain - DAY, plain + DAY]
    .map((near) => plain - offsetAt(near, zone) * MINUTE)
    .filter((instant) => wallAt(instant, zone) === wall.replace(/(T\d\d:\d\d).*/, "$1"));
  if (found.length === 0) return null;
  return fold === "later" ? Math.max(...found) : Math.min(...found);
}

/**
 * The same time of day, some days later.
 * @param {string} wall
 * @param {number} days
 */
export const addDays = (wall, days) =>
  dateOf(wallAt(asUTC(`${dateOf(wall)}T00:00`) + days * DAY, "UTC")) + wall.slice(dateOf(wall).length);

/**
 * How many days there are from one wall time's date to another's.
 * @param {string} from
 * @param {string} to
 */
export const daysBetween = (from, to) =>
  Math.round((asUTC(`${dateOf(to)}T00:00`) - asUTC(`${dateOf(from)}T00:00`)) / DAY);

/** @param {number} offset in minutes */
export function sayOffset(offset) {
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) => String(part).padStart(2, "0"));
  return `UTC${offset < 0 ? "−" : "+"}${hours}:${minutes}`;
}

/** Every zone the browser knows by name. */
export const allZones = () => [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

/** @param {string} text */
const plainly = (text) => text.trim().toLowerCase().replace(/\s+/g, "_");

/**
 * The zone of exactly this name, older names included.
 * @param {string} text
 */
export function zoneNamed(text) {
  const wanted = plainly(text);
  const listed = allZones().find((zone) => zone.toLowerCase() === wanted);
  if (listed) return listed;
  if (!/^[a-z]+\/[a-z0-9_/+-]+$/i.test(wanted)) return null;
  try {
    new Intl.DateTimeFormat("en-GB", { timeZone: text.trim() });
    return text.trim();
  } catch {
    // The browser knows no zone of this name.
    return null;
  }
}

/** Fewer letters than this mean no zone: too many zones have some word that begins with them. */
const LETTERS = 4;

/**
 * The zones meant by somebody who types a city or the beginning of a word of a zone's name. Abbreviations such as EST mean none: they are
 * used for several zones, and taking one of them would move a window by hours.
 * @param {string} text
 * @returns {string[]} empty if none is meant; several if it is not clear which one
 */
export function zonesMeant(text) {
  const wanted = plainly(text);
  const named = zoneNamed(text);
  if (named) return [named];
  const zones = allZones().map((zone) => /** @type {const} */ ([zone, `/${zone.toLowerCase()}`]));
  const cities = zones.filter(([, name]) => name.endsWith(`/${wanted}`));
  const begun = wanted.length < LETTERS ? [] : zones.filter(([, name]) => ["/", "_", "-"].some((before) => name.includes(before + wanted)));
  return (wanted === "" || cities.length > 0 ? cities : begun).map(([zone]) => zone);
}
