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

/** @typedef {{ app?: string, platform?: string }} Here  what a list is about; empty: it is about everything */

/** @param {import("../documents.js").Change} change @param {Here} [here] */
export function changeSummary(change, here) {
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
          el("strong", null, sayActor(change.actor)), " ", sentence(change, here))),
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

/** The most targets that a line names; the others are counted, and told on the change's own page. */
const NAMED = 6;

/**
 * `blocked Shop on iOS`; targets changed in the same way share a phrase. Of many, those are named first that the list is about.
 * @param {import("../documents.js").Change} change @param {Here} [here]
 */
export function sentence(change, here = {}) {
  const { targets, omitted = 0 } = change;
  if (targets.length === 0) {
    const did = /** @type {Record<string, string>} */ (/** @type {unknown} */ (strings.did))[change.kind] ?? change.kind;
    return change.app ? `${did} ${store.appName(change.app)}` : did;
  }
  /** @param {{ app: string, platform: string }} target */
  const isHere = ({ app, platform }) => (!here.app || app === here.app) && (!here.platform || platform === here.platform);
  /** @type {Map<string, typeof targets>} */
  const phrases = new Map();
  for (const target of [...targets.filter(isHere), ...targets.filter((one) => !isHere(one))]) {
    const did = phrase(change, target);
    phrases.set(did, [...(phrases.get(did) ?? []), target]);
  }
  // With many targets, the phrases share the names, and each of them has one. Where not even a phrase has a place, one count tells of all.
  const share = Math.max(1, Math.floor(NAMED / phrases.size));
  const isWhole = omitted === 0 && phrases.size <= NAMED;
  let left = targets.length + omitted;
  const said = [...phrases].slice(0, NAMED).map(([did, alike]) => {
    const most = targets.length > NAMED ? Math.min(share, alike.filter(isHere).length || 1) : NAMED;
    const names = alike.slice(0, most).map(sayTarget);
    left -= names.length;
    const more = isWhole && alike.length > most ? ` ${historyStrings.moreTargets(alike.length - most)}` : "";
    return `${did} ${names.join(", ")}${more}`;
  }).join("; ");
  return isWhole ? said : `${said} ${historyStrings.omitted(left)}`;
}
