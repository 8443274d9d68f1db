// @ts-check
/** Gates and changes in words. */
import { difference, RULES, same } from "./gate.js";
import { strings } from "./strings/shared.js";
import { absolute } from "./time.js";
import { store } from "./store.js";

/** @typedef {import("./api.js").Gate} Gate */
/** @typedef {import("./api.js").RuleName} RuleName */

/**
 * `Shop on iOS`.
 * @param {{ app: string, platform: string }} target
 */
export const sayTarget = (target) => strings.target(store.appName(target.app), target.platform);

/** More apps than this are counted in place of named. */
const NAMED = 3;

/**
 * `Shop on iOS and Android, Bank on iOS`.
 * @param {{ app: string, platform: string }[]} targets
 */
export function sayTargets(targets) {
  const apps = [...new Set(targets.map(({ app }) => app))];
  if (apps.length > NAMED) return strings.targets(targets.length);
  return apps
    .map((app) => strings.platformsOf(store.appName(app), targets.filter((target) => target.app === app).map(({ platform }) => platform)))
    .join(", ");
}

/**
 * `Shop · iOS`: as a heading in a list.
 * @param {{ app: string, platform: string }} target
 */
export const titleTarget = (target) => strings.targetShort(store.appName(target.app), target.platform);

/**
 * Who did something: `ann`, or `ann (laptop)` when ann's token called laptop did it.
 * @param {import("./api.js").Actor} actor
 */
export const sayActor = (actor) => (actor.user ? strings.actorOfToken(actor.user, actor.name) : actor.name);

/**
 * Whether it was whoever looks at this page, and no token of theirs.
 * @param {import("./api.js").Actor} actor
 */
export const isSelf = (actor) => actor.kind === "user" && actor.name === store.session?.user.username;

/**
 * Whom a rule reaches, in a few words.
 * @param {RuleName} rule
 * @param {Gate} gate
 */
export function reach(rule, gate) {
  const value = gate[rule];
  switch (rule) {
    case "killSwitch": return strings.allVersions;
    case "forceUpdate": return strings.everyoneMustUpdate;
    case "requiredUpdate": return strings.mustUpdate(value?.minimumVersion ?? "");
    case "optionalUpdate": return strings.suggested(value?.optionalVersion ?? "");
    case "alert": return value?.blocking ? strings.alertBlocks : strings.alertShown;
  }
}

/**
 * The rule that makes the target's state, for showing its text first: the worst one by the server's order of states.
 * @param {Gate} gate
 * @returns {RuleName | null}
 */
export function leadingRule(gate) {
  if (gate.killSwitch) return "killSwitch";
  if (gate.forceUpdate) return "forceUpdate";
  if (gate.alert?.blocking) return "alert";
  return RULES.find((rule) => gate[rule]) ?? null;
}

/**
 * What one change did to one of its targets, as a phrase that goes before the target's name.
 * @param {import("./api.js").Change} change
 * @param {import("./api.js").ChangedTarget} target
 */
export function phrase(change, target) {
  const kinds = /** @type {Record<string, string>} */ ({
    create: strings.did.create, delete: strings.did.delete, revert: strings.did.revert, import: strings.did.import,
    apply: strings.did.apply, restore: strings.did.restore,
  });
  // A platform that a file brings or takes away is more than its rules.
  if (change.kind === "apply" && target.settings?.after === null) return strings.did.delete;
  if (change.kind === "apply" && target.settings?.before === null) return strings.did.create;
  if (kinds[change.kind]) return kinds[change.kind];
  const { before, after } = target;
  if (!before.killSwitch && after.killSwitch) return strings.did.blocked;
  if (before.killSwitch && !after.killSwitch) return strings.did.opened;
  const touched = RULES.filter((rule) => !same(before[rule], after[rule]));
  if (touched.length === 0) return change.kind === "settings" ? strings.did.settings : strings.did.nothing;
  if (touched[0] === "killSwitch") return strings.did.changedBlock;
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
  if (member === "until") return absolute(String(value));
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
  const memberName = /** @type {Record<string, string>} */ (strings.member)[member] ?? member;
  return member && memberName !== ruleName ? `${ruleName}: ${memberName}` : ruleName;
}

/**
 * The seconds after which blocked phones ask again.
 * @param {Gate} gate
 * @param {number} fallback the platform's
 */
export const retryOf = (gate, fallback) => gate.killSwitch?.retryInterval ?? fallback;

/**
 * Where a change came from.
 * @param {string} source
 */
export const saySource = (source) => /** @type {Record<string, string>} */ (strings.source)[source] ?? source;

