// @ts-check
/** One change as a line of a timeline: who did what to which target, why, and where to read more. */
import { difference, phrase, sayField, saySource, sayValue } from "../difference.js";
import { el } from "../dom.js";
import { messageText, same, sayActor, sayTarget, stateOf, STATES } from "../gate.js";
import { stateShape } from "../icons.js";
import { store } from "../store.js";
import { historyStrings } from "../strings/history.js";
import { strings } from "../strings/shared.js";
import { absolute, timeOfDayShort } from "../time.js";
import { agoElement } from "./targets.js";

/** @param {import("../documents.js").Change} change */
export function changeSummary(change) {
  const killed = change.targets
    .map((target) => (target.after.killSwitch && !target.before.killSwitch ? messageText(target.after.killSwitch.message) : ""))
    .find(Boolean);
  const state = stateAfter(change);
  return el("li", { class: "change", "data-state": state },
    el("div", { class: "change-when" },
      el("time", { datetime: change.at, title: absolute(change.at) }, timeOfDayShort(Date.parse(change.at))), agoElement(change.at)),
    el("div", { class: "change-glyph", title: state ? strings.state[state] : null }, state
      ? [stateShape(state), el("span", { class: "visually-hidden" }, strings.state[state])]
      : null),
    el("div", { class: "change-what" },
      el("p", { class: "change-line" },
        el("a", { href: `#/history/${change.sequence}`, "data-key": `change ${change.sequence}` },
          el("strong", null, sayActor(change.actor)), " ", sentence(change))),
      killed ? el("blockquote", { class: "said", dir: "auto" }, killed) : null,
      values(change, Boolean(killed)),
      el("p", { class: "facts" },
        el("span", null, saySource(change.source)),
        change.reason ? el("span", null, el("bdi", null, change.reason)) : null,
        change.targets.length === 1 ? el("span", null, strings.revision(change.targets[0].revision)) : null)));
}

/** How many values are shown in the line; the rest is on the change's own page. */
const MOST = 3;

/**
 * The state that the change led to; the worst one for several targets, and none for a deletion or a change without targets.
 * @param {import("../documents.js").Change} change
 */
function stateAfter({ kind, targets }) {
  if (kind === "delete" || targets.length === 0) return undefined;
  const states = targets.map((target) => stateOf(target.after));
  return STATES.find((state) => states.includes(state));
}

/**
 * The values before and after, if they are the same for every target.
 * @param {import("../documents.js").Change} change
 * @param {boolean} isQuoted the block's message is already shown above
 */
function values(change, isQuoted) {
  const [first, ...others] = change.targets;
  if (!first || others.some((other) => !same(other.before, first.before) || !same(other.after, first.after))) return null;
  const rows = difference(first.before, first.after)
    .filter(({ field }) => !(isQuoted && field === "killSwitch.message"));
  if (rows.length === 0) return null;
  return el("ul", { class: "change-values" },
    rows.slice(0, MOST).map(({ field, before, after }) => {
      const [, member] = field.split(".");
      const [was, is] = [before, after].map((value) => sayValue(member, value));
      return el("li", null, el("span", { class: "change-field" }, sayField(field)), " ",
        was ? el("del", { dir: "auto" }, was) : null, was && is ? " → " : null, is ? el("ins", { dir: "auto" }, is) : null);
    }),
    rows.length > MOST ? el("li", { class: "hint" }, historyStrings.moreValues(rows.length - MOST)) : null);
}

/**
 * `blocked Shop on iOS`; targets changed in the same way share a phrase.
 * @param {import("../documents.js").Change} change
 */
export function sentence(change) {
  if (change.targets.length === 0) {
    const did = /** @type {Record<string, string>} */ (/** @type {unknown} */ (strings.did))[change.kind] ?? change.kind;
    return change.app ? `${did} ${store.appName(change.app)}` : did;
  }
  /** @type {Map<string, string[]>} */
  const phrases = new Map();
  for (const target of change.targets) {
    const did = phrase(change, target);
    phrases.set(did, [...(phrases.get(did) ?? []), sayTarget(target)]);
  }
  const said = [...phrases].map(([did, targets]) => `${did} ${targets.join(", ")}`).join("; ");
  return change.omitted ? `${said} ${historyStrings.omitted(change.omitted)}` : said;
}
