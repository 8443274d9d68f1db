// @ts-check
/**
 * How gates differ, and what a change did, in words. The overview tells only what is in force, so this comes with whatever compares: the
 * dialogs, the history and the receipt.
 */
import { RULES, same } from "./gate.js";
import { planStrings } from "./strings/plan.js";
import { strings } from "./strings/shared.js";
import { absolute } from "./time.js";

/** @typedef {import("./documents.js").Gate} Gate */

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
 * @param {import("./documents.js").Difference[]} rows those of this target
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
 * The gate after a `set`: only for showing yours beside theirs, never for decisions.
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

/**
 * What one change did to one of its targets, as a phrase that goes before the target's name.
 * @param {import("./documents.js").Change} change
 * @param {import("./documents.js").ChangedTarget} target
 */
export function phrase(change, target) {
  const kinds = /** @type {Record<string, string>} */ ({
    create: strings.did.create, delete: strings.did.delete, revert: strings.did.revert, import: strings.did.import,
    apply: strings.did.apply, restore: strings.did.restore,
  });
  // An applied file can also add or delete a whole platform.
  if (change.kind === "apply" && target.settings?.after === null) return strings.did.delete;
  if (change.kind === "apply" && target.settings?.before === null) return strings.did.create;
  if (kinds[change.kind]) return kinds[change.kind];
  const { before, after } = target;
  if (!before.killSwitch && after.killSwitch) return strings.did.blocked;
  if (before.killSwitch && !after.killSwitch) return strings.did.opened;
  const touched = RULES.filter((rule) => !same(before[rule], after[rule]));
  if (touched.length === 0) return change.kind === "settings" ? strings.did.settings : strings.did.nothing;
  if (touched[0] === "killSwitch") {
    if (after.killSwitch?.opening && after.killSwitch.opening !== before.killSwitch?.opening) return strings.did.opening;
    return before.killSwitch?.opening && !after.killSwitch?.opening ? strings.did.blocked : strings.did.changedBlock;
  }
  const rule = touched[0];
  const name = strings.did.ruleName[rule];
  if (!before[rule]) return strings.did.set(name);
  if (!after[rule]) return strings.did.cleared(name);
  const versions = difference(before, after).find((field) =>
    field.field === `${rule}.minimumVersion` || field.field === `${rule}.optionalVersion`);
  return versions ? strings.did.version(name, String(versions.before), String(versions.after)) : strings.did.changed(name);
}

/**
 * A member's value as text.
 * @param {string} member
 * @param {unknown} value
 */
export function sayValue(member, value) {
  if (value === undefined || value === null) return "";
  if (member === "message") {
    return typeof value === "string" ? value : Object.entries(value).map(([tag, text]) => `${tag}: ${text}`).join("\n");
  }
  if (member === "until" || member === "opening") return absolute(String(value));
  if (member === "retryInterval" || member === "defaultRetryInterval") return `${value} ${strings.seconds}`;
  if (typeof value === "boolean") return value ? strings.yes : strings.no;
  if (member === "clients" && Array.isArray(value)) {
    return value.map((library) => /** @type {Record<string, string>} */ (strings.library)[library] ?? library).join(", ");
  }
  if (Array.isArray(value)) return value.join(", ") || strings.none;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * `killSwitch.message` → `Kill switch: Message`.
 * @param {string} field
 */
export function sayField(field) {
  const [rule, member] = field.split(".");
  const ruleName = /** @type {Record<string, string>} */ (strings.rule)[rule] ?? rule;
  const memberName = /** @type {Record<string, string>} */ (planStrings.member)[member] ?? member;
  return member && memberName !== ruleName ? `${ruleName}: ${memberName}` : ruleName;
}

/**
 * Where a change came from.
 * @param {string} source
 */
export const saySource = (source) => /** @type {Record<string, string>} */ (strings.source)[source] ?? source;
