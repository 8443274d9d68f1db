// @ts-check
/** Parts of a plan: the differences field by field, notes and warnings. */
import { sayField, sayValue } from "../difference.js";
import { el } from "../dom.js";
import { endingOf, sayTarget } from "../gate.js";
import { sayServer } from "../server-words.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { planStrings } from "../strings/plan.js";
import { strings } from "../strings/shared.js";
import { saidElement, saidTime } from "../time.js";

/** @param {unknown} value */
const absent = (value) => value === undefined || value === null;

/**
 * @param {{ field: string, before?: unknown, after?: unknown, app?: string, platform?: string }[]} rows
 * @param {{ caption: string, targets?: boolean, before?: string, after?: string, none?: string }} options `targets`: name the target in
 *   each row; `before` and `after` are the headings of the two sides; `none`: what to say in place of a table without rows
 */
export function differenceTable(rows, {
  caption, targets = false, before = planStrings.difference.before, after = planStrings.difference.after, none,
}) {
  // A setting absent both before and after is no difference.
  const shown = rows.filter((row) => !absent(row.before) || !absent(row.after));
  if (shown.length === 0) return none ? el("p", { class: "hint" }, none) : null;
  return el("div", { class: "diff", role: "table", "aria-label": caption },
    el("div", { class: "diff-row diff-head", role: "row" },
      [planStrings.difference.field, planStrings.difference.kind, before, after]
        .map((text) => el("span", { role: "columnheader" }, text))),
    shown.map((row) => {
      const member = row.field.split(".").pop() ?? "";
      const kind = absent(row.before)
        ? planStrings.difference.added
        : absent(row.after) ? planStrings.difference.removed : planStrings.difference.changed;
      return el("div", { class: "diff-row", role: "row" },
        el("span", { class: "diff-field", role: "rowheader" },
          targets && row.app ? el("code", null, `${row.app}/${row.platform} `) : null,
          sayField(row.field)),
        el("span", { class: "diff-kind", role: "cell" }, kind),
        el("span", { class: "diff-value", role: "cell", "data-label": before },
          absent(row.before) ? "–" : el("del", { dir: "auto" }, sayValue(member, row.before))),
        el("span", { class: "diff-value", role: "cell", "data-label": after },
          absent(row.after) ? "–" : el("ins", { dir: "auto" }, sayValue(member, row.after))));
    }));
}

/**
 * A note that the plan has more rows than fit in the answer.
 * @param {import("../documents.js").Plan} plan
 */
export function omittedNote({ omitted }) {
  const count = omitted ? omitted.diff + omitted.apps + omitted.warnings : 0;
  return count > 0 ? el("p", { class: "hint" }, strings.dialog.omitted(count)) : null;
}

/**
 * The documents of feeds in own shapes, before and after; nothing if the plan changes none.
 * @param {import("../documents.js").Plan} plan
 */
export function documentChanges({ apps = [] }) {
  const documents = apps.filter(({ field }) => /^ownFeeds\..+\.document$/.test(field));
  return documents.map(({ app, field, before, after }) => el("section", { class: "document-change" },
    el("h3", null, el("code", null, `${app} own/${field.split(".")[1]}.json`)),
    [[planStrings.difference.before, before], [planStrings.difference.after, after]].map(([title, value]) => (absent(value)
      ? null
      : el("figure", null, el("figcaption", null, String(title)),
        el("pre", { class: "mono", tabindex: "0" }, JSON.stringify(value, null, 2)))))));
}

/**
 * Warnings; those that say the same of several targets are said once, for the first of them.
 * @param {import("../documents.js").Warning[]} warnings
 */
export function warningList(warnings) {
  if (warnings.length === 0) return null;
  /** @type {Map<string, { warning: import("../documents.js").Warning, also: string[] }>} */
  const groups = new Map();
  for (const warning of warnings) {
    const { targets, key } = aboutTargets(warning);
    const known = groups.get(key);
    if (known) known.also.push(...targets);
    else groups.set(key, { warning, also: [] });
  }
  return el("div", { class: "warnings" },
    el("h3", null, strings.dialog.warnings),
    el("ul", null, [...groups.values()].map(({ warning, also }) =>
      el("li", null, sayServer(warning.detail), also.length > 0 ? ` ${planStrings.same(also)}` : null,
        (warning.versions ?? []).length > 0 ? el("code", null, ` ${warning.versions.join(", ")}`) : null))));
}

/** A target as the server's sentences name it. */
const TARGET = /\b[a-z0-9][a-z0-9-]*\/[a-z0-9-]+\b/g;

/**
 * The targets that a warning names, and what is left of it without them.
 * @param {import("../documents.js").Warning} warning
 */
function aboutTargets({ code, detail, versions }) {
  /** @type {string[]} */
  const targets = [];
  const rest = detail.replace(TARGET, (name) => {
    const target = store.targets.get(name);
    if (!target) return name;
    targets.push(sayTarget(target));
    return "/";
  });
  return { targets, key: JSON.stringify([code, rest, versions]) };
}

/**
 * How often the phones that the plan blocks will poll, if the counted polls give an estimate.
 * @param {import("../documents.js").Plan} plan
 */
export function loadNote({ load }) {
  return load ? el("p", { class: "hint" }, dialogStrings.block.load(load)) : null;
}

/**
 * Notes that a plan gives a block in force an end, changes it or removes it: nobody should learn that from an unexpected opening, or from
 * none. The end may also be that of a window, which leaves a block that is changed as it is.
 * @param {import("../documents.js").Plan} plan
 * @param {import("../documents.js").Target[]} targets as they are now
 */
export function untilNotes({ diff }, targets) {
  return targets.flatMap((target) => {
    const { killSwitch } = target.gate;
    const rows = diff.filter((row) => nameOf(row) === nameOf(target) && row.field.startsWith("killSwitch."));
    const of = (/** @type {string} */ member) => rows.find(({ field }) => field === `killSwitch.${member}`);
    const isGone = of("message") && absent(of("message")?.after);
    // A gradual opening was asked for; the warnings say when it ends.
    if (!killSwitch || rows.length === 0 || isGone || !absent(of("opening")?.after)) return [];
    const { leftShut, opensItself, opensOtherwise, staysShut } = dialogStrings.conflict;
    const { before, after } = of("until") ?? { before: killSwitch.until, after: killSwitch.until };
    const ending = absent(before) ? endingOf(target) : null;
    const name = sayTarget(target);
    const [was, is] = [ending?.opens ? ending.end.at : before, after].map((one) => (absent(one) ? "" : String(one)));
    if (ending && !ending.opens) return saidElement(() => leftShut(name, saidTime(ending.end.at)));
    if (was === is || Date.parse(was) === Date.parse(is)) return [];
    return saidElement(() => (!is
      ? staysShut(name, saidTime(was))
      : !was ? opensItself(name, saidTime(is)) : opensOtherwise(name, saidTime(is), saidTime(was))));
  });
}
