// @ts-check
/** What the schedule's form can say of a window. */

import { nameOf } from "./store.js";
import { newWindowStrings } from "./strings/new-window.js";
import { serverNow } from "./time.js";
import { addDays, daysBetween, wallAt } from "./zones.js";

/** @typedef {import("./api-schedule.js").Window} Window */
/**
 * @typedef {{ targets: string[], action: string, version: string, message: string, others: Record<string, string>, retry: string,
 *   zone: string, start: string, end: string, ending: string, reason: string }} Draft
 *   `others`: the message in other languages, by their tags; `retry`: empty where it is the platform's
 */

/**
 * The rule behind each action, and the member its version is written in.
 * @type {Record<string, { rule: string, version?: "minimumVersion" | "optionalVersion" }>}
 */
export const ACTIONS = {
  kill: { rule: "killSwitch" }, alert: { rule: "alert" }, min: { rule: "requiredUpdate", version: "minimumVersion" },
  optional: { rule: "optionalUpdate", version: "optionalVersion" },
};

/**
 * A window as the form would have made it; null for one that says more than the form can.
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
 * Whether it can be replaced: it waits, or was missed before it began and waits for a person.
 * @param {Window} window
 */
export const isEditable = (window) =>
  (window.state === "pending" || window.state === "missed")
  && !window.events.some(({ what }) => what === "started")
  && draftOf(window) !== null;

/**
 * The same window once more: at the same times of the day, on the first day that is after both now and the day of the old one.
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
 * As the input writes it: the seconds only where there are some.
 * @param {string} wallTime
 */
const wall = (wallTime) => wallTime.replace(/:00$/, "");

/** Times that are often meant: `days` from the start to the end. One whose start is past moves on a day. */
const PRESETS = [
  { start: "20:00", end: "09:00", days: 1 }, { start: "22:00", end: "06:00", days: 1 }, { start: "08:30", end: "09:00", days: 0 },
];
/** From then on it is tonight and no longer today. */
const EVENING = "17:00";

/**
 * `Tonight 20:00 → Tomorrow 09:00`, as of now in a zone.
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
