// @ts-check
/** Reading gates for display: flattening, comparing, naming. Nothing here decides; states and plans are the server's. */

/** @typedef {import("./api.js").Gate} Gate */
/** @typedef {import("./api.js").RuleName} RuleName */

/**
 * The rules in the order in which they win.
 * @type {RuleName[]}
 */
export const RULES = ["killSwitch", "forceUpdate", "requiredUpdate", "optionalUpdate", "alert"];

/**
 * The states, worst first.
 * @type {import("./api.js").State[]}
 */
export const STATES = ["blocked", "updateRequired", "notice", "open"];

/**
 * The text of a message for people who are asked in no particular language.
 * @param {import("./api.js").Message | undefined} message
 */
export function messageText(message) {
  if (message === undefined || message === null) return "";
  return typeof message === "string" ? message : (message.default ?? "");
}

/**
 * `killSwitch.message` → value, for every field of a gate.
 * @param {Gate} gate
 * @returns {Map<string, unknown>}
 */
export function fieldsOf(gate) {
  /** @type {Map<string, unknown>} */
  const fields = new Map();
  for (const rule of RULES) {
    for (const [member, value] of Object.entries(gate[rule] ?? {})) fields.set(`${rule}.${member}`, value);
  }
  return fields;
}

/** @param {unknown} one @param {unknown} other */
export const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * What differs between two gates, field by field, in the order of the rules.
 * @param {Gate} before
 * @param {Gate} after
 * @returns {{ field: string, before: unknown, after: unknown }[]}
 */
export function difference(before, after) {
  const old = fieldsOf(before);
  const now = fieldsOf(after);
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((field) => !same(old.get(field), now.get(field)))
    .map((field) => ({ field, before: old.get(field), after: now.get(field) }));
}

/**
 * The gate after a `set`: for showing yours beside theirs, not for deciding anything.
 * @param {Gate} gate
 * @param {Record<string, unknown>} set
 * @returns {Gate}
 */
export function withSet(gate, set) {
  const result = /** @type {Record<string, unknown>} */ ({ ...gate });
  for (const [rule, value] of Object.entries(set)) {
    if (value === null) delete result[rule];
    else result[rule] = value;
  }
  return /** @type {Gate} */ (result);
}
