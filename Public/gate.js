// @ts-check
/** Reading gates for display: flattening, comparing, naming. Nothing here decides; what is in force, and plans, are the server's. */

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
 * The gate after the differences of a plan.
 * @param {Gate} gate
 * @param {import("./api.js").Difference[]} rows of its target
 * @returns {Gate}
 */
export function afterDifference(gate, rows) {
  const fields = fieldsOf(gate);
  for (const { field, after } of rows) {
    if (after === undefined || after === null) fields.delete(field);
    else fields.set(field, after);
  }
  /** @type {Record<string, Record<string, unknown>>} */
  const result = {};
  for (const [field, value] of fields) {
    const [rule, member] = field.split(".");
    result[rule] = { ...result[rule], [member]: value };
  }
  return /** @type {Gate} */ (result);
}

/**
 * What a planned gate will be called, by the server's words for states: for one in force there is the server's own answer.
 * @param {Gate} gate
 * @returns {import("./api.js").State}
 */
export function stateOf(gate) {
  if (gate.killSwitch || gate.forceUpdate || gate.alert?.blocking) return "blocked";
  if (gate.requiredUpdate) return "updateRequired";
  return gate.optionalUpdate || gate.alert ? "notice" : "open";
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
