// @ts-check
/** What the schedule's form can say of a window. */

/** @typedef {import("./api-schedule.js").Window} Window */
/**
 * @typedef {{ target: string, action: string, version: string, message: string, zone: string, start: string, end: string, ending: string,
 *   reason: string }} Draft
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
 * A waiting window as the form would have made it; null for one that says more than the form can.
 * @param {Window} window
 * @returns {Draft | null}
 */
export function draftOf(window) {
  const rules = Object.entries(window.set);
  if (window.state !== "pending" || window.targets.length !== 1 || rules.length !== 1) return null;
  if (window.end && window.end.zone !== window.start.zone) return null;
  const [[rule, value]] = rules;
  const [action, { version }] = Object.entries(ACTIONS).find(([, known]) => known.rule === rule) ?? ["", {}];
  if (!action || !value || typeof value.message !== "string" || value.blocking) return null;
  if (Object.keys(value).some((member) => !["message", "blocking", version].includes(member))) return null;
  const [{ app, platform }] = window.targets;
  return {
    target: `${app}/${platform}`, action, message: value.message, version: version ? value[version] ?? "" : "", zone: window.start.zone,
    start: wall(window.start.wallTime), end: window.end ? wall(window.end.wallTime) : "", ending: window.end ? window.then : "none",
    reason: window.reason ?? "",
  };
}

/**
 * As the input writes it: the seconds only where there are some.
 * @param {string} wallTime
 */
const wall = (wallTime) => wallTime.replace(/:00$/, "");
