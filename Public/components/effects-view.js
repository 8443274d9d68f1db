// @ts-check
/** What a plan does to people: the state it leads to, and what each client library shows, worst first. */
import { afterDifference } from "../difference.js";
import { el } from "../dom.js";
import { RULES, same, sayTarget, stateOf, STATES } from "../gate.js";
import { stateBadge } from "../icons.js";
import { nameOf, store } from "../store.js";
import { planStrings } from "../strings/plan.js";
import { strings } from "../strings/shared.js";

/** @typedef {import("../documents.js").Effect} Effect */
/** @typedef {import("../documents.js").Plan} Plan */
/** @typedef {keyof typeof planStrings.grade} Grade */

/** How many rows are shown; the rest is folded. */
const MOST = 12;
/** How many versions a row names. */
const MOST_VERSIONS = 5;
/** With more targets than this, no links to the simulation are shown. */
const MOST_LOOKUPS = 4;

/** @type {Set<import("../documents.js").Shown>} */
const SHUTS_OUT = new Set(["blocked", "forced", "required", "crash", "stuck"]);

/** @param {Effect} effect @param {boolean} removal @returns {Grade} */
function gradeOf({ before, after, meant }, removal) {
  // A deleted gate has no meaning any more; what matters is whom it kept out.
  if (removal) return SHUTS_OUT.has(before) && !SHUTS_OUT.has(after) ? "letsIn" : "asMeant";
  if (SHUTS_OUT.has(meant) !== SHUTS_OUT.has(after)) return SHUTS_OUT.has(meant) ? "letsIn" : "shutsOut";
  return after === meant ? "asMeant" : "differs";
}

/**
 * @param {Plan} plan
 * @param {{ comparison?: boolean, removal?: boolean }} options
 *   `comparison`: “before” is a file hosted elsewhere, not a state of this server; `removal`: there are no feeds afterwards
 */
export function effectsView(plan, { comparison = false, removal = false } = {}) {
  // Older servers send no effects.
  const effects = plan.effects ?? [];
  const several = new Set([...plan.diff, ...effects].map(nameOf)).size > 1;
  const omitted = plan.omitted?.effects ?? 0;
  const grades = /** @type {Grade[]} */ (Object.keys(planStrings.grade));
  const names = { ...planStrings.grade, ...(removal ? planStrings.removalGrade : {}) };
  const content = [
    removal ? farewells(plan) : headlines(plan, comparison),
    comparison && effects.length > 0 ? el("p", { class: "hint" }, planStrings.comparison) : null,
    grades.map((grade) => {
      const rows = effects.filter((effect) => gradeOf(effect, removal) === grade);
      const items = alike(rows).map((group) => effectRow(group, { several, comparison, removal }));
      return items.length === 0 ? null
        : el("div", { class: "outcome", "data-grade": grade }, el("h3", null, names[grade]), folded(items, "outcome-rows"));
    }),
    omitted > 0 ? el("p", { class: "hint" }, planStrings.omitted(omitted)) : null,
    removal ? null : lookups(plan),
  ].flat().filter((part) => part !== null);
  return content.length > 0 ? el("section", { class: "outcomes", "aria-label": planStrings.region }, content) : null;
}

/**
 * Groups effects that are the same on several targets. Rows of the same target differ in their versions and are not merged.
 * @param {Effect[]} effects
 * @returns {Effect[][]}
 */
function alike(effects) {
  /** @type {Map<string, Effect[]>} */
  const groups = new Map();
  /** @type {Map<string, number>} */
  const turns = new Map();
  for (const effect of effects) {
    const told = JSON.stringify([effect.client, effect.before, effect.after, effect.meant, effect.detail]);
    const turn = turns.get(told + nameOf(effect)) ?? 0;
    turns.set(told + nameOf(effect), turn + 1);
    const group = groups.get(told + turn);
    if (group) group.push(effect);
    else groups.set(told + turn, [effect]);
  }
  return [...groups.values()];
}

/**
 * @param {Effect[]} group alike except for target and versions
 * @param {{ several: boolean, comparison: boolean, removal: boolean }} options
 */
function effectRow(group, { several, comparison, removal }) {
  const { client, before, after, meant, detail } = group[0];
  const targets = [...new Set(group.map(sayTarget))];
  const versions = targets.length === 1 ? inOrder(group).slice(0, MOST_VERSIONS) : [];
  const labels = comparison ? { before: planStrings.today, after: planStrings.tomorrow } : planStrings.difference;
  const told = before === after && !removal
    ? planStrings.stays(labels, planStrings.shown[before])
    : planStrings.turns(labels, planStrings.shown[before], removal ? planStrings.noFeed : planStrings.shown[after]);
  // For people who are shown nothing and lose the feed, naming the library and versions is enough.
  const isPlain = removal && before === "nothing";
  return el("li", null,
    el("p", { class: "facts" },
      el("strong", null, strings.library[client]),
      several ? el("span", null, planStrings.onTargets(targets)) : null,
      targets.length > 1 ? null : el("span", null, versions.length > 0 ? planStrings.alike(versions) : strings.allVersions)),
    isPlain ? null : el("p", null, told,
      after === meant || removal ? null : [" ", el("strong", null, planStrings.meant(planStrings.shown[meant]))]),
    detail && !isPlain ? el("p", null, detail) : null);
}

/** @param {string} one @param {string} other */
const byNumber = (one, other) => one.localeCompare(other, "en", { numeric: true });

/**
 * The versions of rows of one target, each once: the known releases first, because the server adds versions that nobody may have; then by
 * number.
 * @param {Effect[]} group
 */
function inOrder(group) {
  const releases = new Set(store.targets.get(nameOf(group[0]))?.settings.releases ?? []);
  const versions = [...new Set(group.flatMap((effect) => effect.versions))].sort(byNumber);
  return [...versions.filter((version) => releases.has(version)), ...versions.filter((version) => !releases.has(version))];
}

/**
 * `○ OPEN → ■ BLOCKED · Music on iOS · everyone`, for each target whose gate changes.
 * @param {Plan} plan
 * @param {boolean} comparison
 */
function headlines(plan, comparison) {
  // A diff that was cut short does not show what state it leads to.
  if (plan.omitted?.diff) return null;
  const rules = plan.diff.filter(({ field }) => RULES.some((rule) => field.startsWith(`${rule}.`)));
  const turns = [...new Set(rules.map(nameOf))].flatMap((name) => {
    const target = store.targets.get(name);
    if (!target) return [];
    const gate = afterDifference(target.gate, rules.filter((row) => nameOf(row) === name));
    return [{ target, gate, state: stateOf(gate) }];
  });
  if (turns.length === 0) return null;
  turns.sort((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state));
  const lines = turns.map(({ target, gate, state }) => [
    comparison ? `${planStrings.tomorrow}: ` : [stateBadge(target.state), " → "],
    stateBadge(state), planStrings.headline(sayTarget(target), whom(gate)),
  ]);
  return lines.length === 1
    ? el("p", { class: "headline" }, lines)
    : el("div", null, folded(lines.map((line) => el("li", { class: "headline" }, line)), "headlines"));
}

/**
 * Links to the simulation of the plan for every version and library; in a new tab, so that the form here is not left.
 * @param {Plan} plan
 */
function lookups(plan) {
  if (plan.omitted?.diff) return null;
  const targets = [...new Set(plan.diff.map(nameOf))].flatMap((name) => store.targets.get(name) ?? []);
  if (targets.length === 0 || targets.length > MOST_LOOKUPS) return null;
  return el("p", { class: "facts" }, targets.map((target) => {
    const rows = plan.diff.filter((row) => nameOf(row) === nameOf(target) && RULES.some((rule) => row.field.startsWith(`${rule}.`)));
    const after = afterDifference(target.gate, rows);
    const changed = RULES.filter((rule) => !same(after[rule], target.gate[rule]));
    const set = Object.fromEntries(changed.map((rule) => [rule, after[rule] ?? null]));
    const query = new URLSearchParams({ t: nameOf(target), ...(Object.keys(set).length > 0 ? { set: JSON.stringify(set) } : {}) });
    return el("a", { class: "button quiet small", href: `#/simulate?${query}`, target: "_blank", rel: "noopener" },
      targets.length > 1 ? planStrings.whoSeesWhatOn(sayTarget(target)) : planStrings.whoSeesWhat,
      el("span", { class: "visually-hidden" }, planStrings.newTab));
  }));
}

/**
 * `■ BLOCKED → no feed · Music on iOS`, for each target that is deleted.
 * @param {Plan} plan
 */
function farewells({ diff }) {
  const going = [...new Set(diff.map(nameOf))].flatMap((name) => store.targets.get(name) ?? []);
  going.sort((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state));
  const lines = going.map((target) => [stateBadge(target.state), planStrings.farewell(sayTarget(target))]);
  return lines.length > 0 ? el("div", null, folded(lines.map((line) => el("li", { class: "headline" }, line)), "headlines")) : null;
}

/**
 * Who is affected by a gate's worst rule.
 * @param {import("../documents.js").Gate} gate
 */
function whom({ killSwitch, forceUpdate, requiredUpdate, optionalUpdate, alert }) {
  if (killSwitch || forceUpdate || alert?.blocking) return planStrings.everyone;
  if (requiredUpdate) return planStrings.below(requiredUpdate.minimumVersion ?? "", requiredUpdate.blockedVersions ?? []);
  return optionalUpdate && !alert ? planStrings.below(optionalUpdate.optionalVersion ?? "", []) : planStrings.everyone;
}

/** @param {HTMLElement[]} items @param {string} style */
function folded(items, style) {
  const rest = items.slice(MOST);
  return [
    el("ul", { class: style }, items.slice(0, MOST)),
    rest.length === 0 ? null
      : el("details", { class: "rest" }, el("summary", null, planStrings.more(rest.length)), el("ul", { class: style }, rest)),
  ];
}
