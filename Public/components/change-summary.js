// @ts-check
/** One change as a line of a timeline: who did what to which target, why, and where to read more. */
import { phrase, sayActor, saySource, sayTarget } from "../describe.js";
import { el } from "../dom.js";
import { messageText } from "../gate.js";
import { store } from "../store.js";
import { historyStrings } from "../strings/history.js";
import { strings } from "../strings/shared.js";
import { agoElement } from "./ago.js";

/** @param {import("../api.js").Change} change */
export function changeSummary(change) {
  const killed = change.targets
    .map((target) => (target.after.killSwitch && !target.before.killSwitch ? messageText(target.after.killSwitch.message) : ""))
    .find(Boolean);
  return el("li", { class: "change" },
    el("div", { class: "change-when" }, agoElement(change.at)),
    el("div", { class: "change-what" },
      el("p", { class: "change-line" },
        el("a", { href: `#/history/${change.sequence}` }, el("strong", null, sayActor(change.actor)), " ", sentence(change))),
      killed ? el("blockquote", { class: "said", dir: "auto" }, killed) : null,
      el("p", { class: "facts" },
        el("span", null, saySource(change.source)),
        change.reason ? el("span", { dir: "auto" }, change.reason) : null,
        change.targets.length === 1 ? el("span", null, strings.revision(change.targets[0].revision)) : null)));
}

/**
 * `blocked Shop on iOS`; targets that had the same done to them share a phrase.
 * @param {import("../api.js").Change} change
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
