// @ts-check
/** A window as the schedule's form can express it. */

import { nameOf } from "./store.js";
import { newWindowStrings } from "./strings/new-window.js";
import { serverNow } from "./time.js";
import { addDays, daysBetween, wallAt } from "./zones.js";

/** @typedef {import("./api-schedule.js").Window} Window */
/**
 * @typedef {{ targets: string[], action: string, version: string, message: string, others: Record<string, string>, retry: string,
 *   zone: string, start: string, end: string, ending: string, reason: string }} Draft
 *   `others`: the message in other languages, by language tag; `retry`: empty for the platform's setting
 */
/** @typedef {{ body: object, key: string }} Unanswered a window that was sent without an answer, and its Idempotency-Key */

/**
 * The rule behind each action, and the member that holds its version.
 * @type {Record<string, { rule: string, version?: "minimumVersion" | "optionalVersion" }>}
 */
export const ACTIONS = {
  kill: { rule: "killSwitch" }, alert: { rule: "alert" }, min: { rule: "requiredUpdate", version: "minimumVersion" },
  optional: { rule: "optionalUpdate", version: "optionalVersion" },
};

/**
 * The draft from which the form would make this window; null if the window has something that the form cannot express.
 * @param {Window} window
 * @returns {Draft | null}
 */
export function draftOf(window) {
  const rules = Object.entries(window.set);
  if (rules.length !== 1) return null;
  if (window.end && window.end.zone !== window.start.zone) return null;
  const [[rule, value]] = rules;
  const [action, { version }] = Object.entries(ACTIONS).find(([, known]) => known.rule === rule) ?? ["", {}];
  if (!action || !value || value.blocking) return null;
  const known = ["message", "blocking", version, action === "kill" ? "retryInterval" : undefined];
  if (Object.keys(value).some((member) => !known.includes(member))) return null;
  const { default: message, ...others } = typeof value.message === "string" ? { default: value.message } : value.message ?? {};
  if (message === undefined) return null;
  return {
    targets: window.targets.map(nameOf), action, message, others, version: version ? value[version] ?? "" : "",
    retry: value.retryInterval === undefined ? "" : String(value.retryInterval),
    zone: window.start.zone, start: wall(window.start.wallTime), end: window.end ? wall(window.end.wallTime) : "",
    ending: window.end ? window.then : "none", reason: window.reason ?? "",
  };
}

/**
 * Whether the form can replace the window: it has not started, and is pending or missed, and the form can express it.
 * @param {Window} window
 */
export const isEditable = (window) =>
  (window.state === "pending" || window.state === "missed")
  && !window.events.some(({ what }) => what === "started")
  && draftOf(window) !== null;

/**
 * A copy of the window: at the same times of day, on the first day after the old one on which it starts in the future.
 * @param {Draft} draft
 * @returns {Draft}
 */
export function nextOf(draft) {
  const now = wallAt(serverNow(), draft.zone);
  const again = Math.max(1, daysBetween(draft.start, now));
  const days = addDays(draft.start, again) > now ? again : again + 1;
  return { ...draft, start: addDays(draft.start, days), end: draft.end && addDays(draft.end, days) };
}

/**
 * A wall time as an input writes it: with seconds only if there are any.
 * @param {string} wallTime
 */
const wall = (wallTime) => wallTime.replace(/:00$/, "");

/** Commonly used times; `days` is from the start to the end. A preset whose start has passed today moves to tomorrow. */
const PRESETS = [
  { start: "20:00", end: "09:00", days: 1 }, { start: "22:00", end: "06:00", days: 1 }, { start: "08:30", end: "09:00", days: 0 },
];
/** From this time on, it is called tonight instead of today. */
const EVENING = "17:00";

/**
 * The presets, such as `Tonight 20:00 → Tomorrow 09:00`, as of now in a zone.
 * @param {string} zone
 */
export function presets(zone) {
  const now = wallAt(serverNow(), zone);
  const today = now.slice(0, 10);
  /** @param {string} wall */
  const said = (wall) => {
    const ahead = daysBetween(today, wall);
    const day = ahead > 1
      ? new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone: "UTC" }).format(new Date(`${wall}Z`))
      : ahead === 1 ? newWindowStrings.tomorrow : wall.slice(11) >= EVENING ? newWindowStrings.tonight : newWindowStrings.today;
    return `${day} ${wall.slice(11)}`;
  };
  return PRESETS.map((preset) => {
    const first = `${today}T${preset.start}`;
    const start = first > now ? first : addDays(first, 1);
    const end = `${addDays(start, preset.days).slice(0, 10)}T${preset.end}`;
    return { start, end, name: newWindowStrings.preset(said(start), preset.days === 0 ? preset.end : said(end)) };
  });
}
