// @ts-check
/**
 * Times as people read them. Everything is counted on the server's clock: a phone whose clock is off must not tell an
 * on-call engineer that a block is younger than it is.
 */
import { strings } from "./strings/shared.js";

let offset = 0;

/**
 * Takes the server's clock from an answer.
 * @param {string} serverTime RFC 3339
 */
export function setServerTime(serverTime) {
  const parsed = Date.parse(serverTime);
  if (!Number.isNaN(parsed)) offset = parsed - Date.now();
}

/** Milliseconds since 1970 on the server's clock. */
export function serverNow() {
  return Date.now() + offset;
}

/**
 * A typed time as an instant for the server. Without an offset it is in the reader's zone. Null if not valid, such as a five-digit year.
 * @param {string} text a date, a date with a time, or RFC 3339
 * @returns {string | null}
 */
export function instantOf(text) {
  const written = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/i.exec(text);
  const at = new Date(written?.[1] ? text : `${text}T00:00`);
  return written && !Number.isNaN(at.getTime()) ? at.toISOString() : null;
}

/**
 * An instant in the reader's zone, as a time field writes it.
 * @param {string} time
 */
export function wallOf(time) {
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/**
 * Seconds since a server time, never negative.
 * @param {string} time
 */
export function secondsSince(time) {
  return Math.max(0, (serverNow() - Date.parse(time)) / 1000);
}

/**
 * `14 min`, `3 d`: how long something has lasted.
 * @param {string} time
 */
export function lasting(time) {
  return strings.duration(Math.floor(secondsSince(time)));
}

/**
 * `14 min ago`.
 * @param {string} time
 * @param {boolean} [rough] leaves out minutes from an hour on, and hours from a day on
 */
export function ago(time, rough = false) {
  const exact = Math.floor(secondsSince(time));
  const seconds = rough && exact > 3600 ? exact - exact % (exact < 86_400 ? 3600 : 86_400) : exact;
  return seconds < 5 ? strings.justNow : strings.ago(strings.duration(seconds));
}

/**
 * `in 27 min`: how long until a time, on the server's clock.
 * @param {string | number | Date} time
 */
export function within(time) {
  const seconds = Math.round((new Date(time).getTime() - serverNow()) / 1000);
  return seconds > 0 ? strings.within(strings.duration(seconds)) : strings.due;
}

/** @param {Date} date */
const aheadOrPast = (date) => (date.getTime() > serverNow() ? within(date) : ago(date.toISOString()));

/**
 * A time with its zone, the same in UTC, and how far ahead or past it is. The zone is always named, because an unnamed one is misread.
 * @param {string | number | Date} time
 */
export function saidTime(time) {
  const date = new Date(time);
  return strings.saidTime(
    wall(ownZone, date, { timeZoneName: "short" }), `${beside(date, "UTC", ownZone)} UTC`, aheadOrPast(date),
  );
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const clockUTC = new Intl.DateTimeFormat(undefined, { timeStyle: "medium", timeZone: "UTC" });
const dateOnly = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/**
 * A format, kept: making one costs far more than using it, and times are said every second.
 * @param {string | undefined} locale @param {Intl.DateTimeFormatOptions} options
 */
function formatOf(locale, options) {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/** @param {string} zone */
const yearIn = (zone) => formatOf("en", { year: "numeric", timeZone: zone });

/**
 * Keeps a formatted time from mixing with the English text around it, where the reader's browser writes it from right to left.
 * @param {string} text
 */
const apart = (text) => (/[\u0590-\u08ff]/.test(text) ? `\u2068${text}\u2069` : text);

/**
 * Day and time in a zone, with the year if it is not this one.
 * @param {string} zone @param {Date} date @param {Intl.DateTimeFormatOptions} [more]
 */
function wall(zone, date, more = {}) {
  const isThisYear = yearIn(zone).format(date) === yearIn(zone).format(serverNow());
  /** @type {Intl.DateTimeFormatOptions} */
  const options = {
    weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: zone, ...more,
  };
  if (isThisYear) return apart(formatOf(undefined, options).format(date));
  // Some languages part the weekday from the rest only where there is a year; two ends of one span would be written in two ways.
  const [, after] = formatOf(undefined, options).formatToParts(date);
  const parts = formatOf(undefined, { ...options, year: "numeric" }).formatToParts(date);
  if (parts[0].type === "weekday" && parts[1].type === "literal" && after.type === "literal") parts[1] = after;
  return apart(parts.map(({ value }) => value).join(""));
}

/** @param {string} zone */
const wallTime = (zone) => formatOf(undefined, { hour: "2-digit", minute: "2-digit", timeZone: zone });

/** @typedef {{ at: string, zone: string }} Moment an instant, and the zone to show it in */

/** The reader's own zone. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const dayOf = new Intl.DateTimeFormat(undefined, { weekday: "long", year: "numeric", month: "long", day: "numeric" });

/**
 * Date, time and zone in the reader's own way.
 * @param {string} time
 */
export function absolute(time) {
  return apart(full.format(new Date(time)));
}

/**
 * The time of day, to the second, in the reader's zone.
 * @param {string | number} time
 */
export function timeOfDay(time) {
  return apart(clock.format(new Date(time)));
}

/**
 * The hour and minute, in the reader's zone.
 * @param {number} time
 */
export function timeOfDayShort(time) {
  return apart(wallTime(ownZone).format(time));
}

/**
 * The date alone, in the reader's zone.
 * @param {string} time
 */
export function date(time) {
  return apart(dateOnly.format(new Date(time)));
}

/**
 * The day as a heading, in the reader's zone.
 * @param {string} time
 */
export function day(time) {
  return dayOf.format(new Date(time));
}

/** The clock in the header: UTC first, for a call between several countries, then the reader's own. */
export function clocks() {
  const now = serverNow();
  const utc = `${apart(clockUTC.format(now))} UTC`;
  if (["UTC", "Etc/UTC", "GMT"].includes(ownZone)) return utc;
  return `${utc} / ${apart(clock.format(now))} ${cityOf(ownZone)}`;
}

/**
 * `+02:00`: how far a zone is ahead of UTC at a time.
 * @param {string} at
 * @param {string} zone
 */
const offsetAt = (at, zone) => formatOf("en", { timeZone: zone, timeZoneName: "longOffset" })
  .formatToParts(new Date(at)).find(({ type }) => type === "timeZoneName")?.value.replace("GMT", "") || "+00:00";

/**
 * A time in full: in its zone, in UTC, for the reader, and how far ahead or past it is.
 * @param {Moment} time
 */
export function saidZoned({ at, zone }) {
  const date = new Date(at);
  const offset = offsetAt(at, zone);
  const far = aheadOrPast(date);
  const here = beside(date, ownZone, zone);
  const own = here === apart(wallTime(zone).format(date)) ? "" : here;
  if (zone === "UTC") return strings.saidZoned(wall(zone, date), "UTC", own, far);
  // A minus, unlike a hyphen, ends no line.
  return strings.saidZoned(`${wall(zone, date)} ${zone} (UTC${offset.replace("-", "−")})`, `${beside(date, "UTC", zone)} UTC`, own, far);
}

/** @param {string} zone */
const cityOf = (zone) => zone.split("/").pop()?.replaceAll("_", " ") ?? zone;

/** @param {string} zone */
const dayIn = (zone) => formatOf("en-CA", { timeZone: zone });

/**
 * The time of day in a zone, beside the same time in another one: with its weekday if it is another day there.
 * @param {Date} date @param {string} zone @param {string} other
 */
function beside(date, zone, other) {
  const isSameDay = dayIn(zone).format(date) === dayIn(other).format(date);
  return apart(formatOf(undefined, {
    hour: "2-digit", minute: "2-digit", timeZone: zone, ...(isSameDay ? {} : { weekday: "short" }),
  }).format(date));
}

/**
 * Start and end, in the start's zone.
 * @param {Moment} start
 * @param {Moment | null} end
 */
export function saidSpan(start, end) {
  const city = cityOf(start.zone);
  const from = wall(start.zone, new Date(start.at));
  if (!end) return strings.from(from, city);
  const day = dayIn(start.zone);
  const sameDay = day.format(new Date(start.at)) === day.format(new Date(end.at));
  const to = new Date(end.at);
  return strings.span(from, sameDay ? apart(wallTime(start.zone).format(to)) : wall(start.zone, to), city);
}

/**
 * `22:48 Berlin`, with the day if it is not today.
 * @param {Moment} time
 */
export function saidMoment({ at, zone }) {
  const day = dayIn(zone);
  const date = new Date(at);
  const isToday = day.format(date) === day.format(serverNow());
  return `${isToday ? apart(wallTime(zone).format(date)) : wall(zone, date)} ${cityOf(zone)}`;
}

/** @type {Set<() => void>} */
const everySecond = new Set();

/**
 * Calls back once a second while the tab is visible, until `signal` aborts.
 * @param {() => void} action
 * @param {AbortSignal} signal
 */
export function tick(action, signal) {
  if (signal.aborted) return;
  everySecond.add(action);
  signal.addEventListener("abort", () => everySecond.delete(action), { once: true });
}

setInterval(() => {
  if (document.visibilityState === "visible") for (const action of [...everySecond]) action();
}, 1000);

/** `<gh-said>`: a text that stays true while it is shown. It is said again every second, and hidden while there is nothing to say. */
class Said extends HTMLElement {
  /** @type {() => string} */
  say = () => "";
  #stop = new AbortController();

  connectedCallback() {
    /** @type {string | null} */
    let said = null;
    const write = () => {
      const text = this.say();
      if (text === said) return;
      said = text;
      this.replaceChildren(text);
      this.toggleAttribute("hidden", text === "");
    };
    write();
    this.#stop = new AbortController();
    tick(write, this.#stop.signal);
  }

  disconnectedCallback() {
    this.#stop.abort();
  }
}
customElements.define("gh-said", Said);

/** @param {() => string} say called every second while the text is shown; empty: there is nothing to say */
export function saidElement(say) {
  const element = /** @type {Said} */ (document.createElement("gh-said"));
  element.say = say;
  return element;
}
