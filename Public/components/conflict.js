// @ts-check
/** Somebody else was faster: shows the old gate, the gate now and the draft side by side, and offers a choice. */
import { fieldsOf, sayField, saySource, sayValue } from "../difference.js";
import { el } from "../dom.js";
import { same, sayActor } from "../gate.js";
import { dialogStrings } from "../strings/dialogs.js";
import { ago } from "../time.js";

/** @typedef {import("../documents.js").Gate} Gate */

/**
 * Who changed it, how and when.
 * @param {import("../documents.js").Change | null} change
 * @param {number} revision
 */
export function whoChanged(change, revision) {
  return change
    ? dialogStrings.conflict.who(sayActor(change.actor), saySource(change.source), ago(change.at), revision)
    : dialogStrings.conflict.unknown(revision);
}

/**
 * @param {{ base: Gate, theirs: Gate, yours: Gate, change: import("../documents.js").Change | null, revision: number, hint: string,
 *   useTheirs: () => void, review: () => void }} options
 */
export function conflictPanel({ base, theirs, yours, change, revision, hint, useTheirs, review }) {
  const [was, is, draft] = [base, theirs, yours].map(fieldsOf);
  const fields = [...new Set([...was.keys(), ...is.keys(), ...draft.keys()])]
    .filter((field) => !same(was.get(field), is.get(field)) || !same(was.get(field), draft.get(field)));
  const heads = [
    [dialogStrings.conflict.base, dialogStrings.conflict.baseHint],
    [dialogStrings.conflict.theirs, dialogStrings.conflict.theirsHint],
    [dialogStrings.conflict.yours, dialogStrings.conflict.yoursHint],
  ];
  const title = el("h3", { tabindex: "-1" }, dialogStrings.conflict.title);
  const element = el("section", { class: "conflict" },
    title,
    el("p", null, whoChanged(change, revision), " ", hint),
    el("div", { class: "diff diff-three", role: "table", "aria-label": dialogStrings.conflict.title },
      el("div", { class: "diff-row diff-head", role: "row" }, el("span", { role: "columnheader" }, dialogStrings.conflict.field),
        heads.map(([name, hint]) => el("span", { role: "columnheader" }, name, el("small", null, ` ${hint}`)))),
      fields.map((field) => el("div", { class: "diff-row", role: "row" },
        el("span", { class: "diff-field", role: "rowheader" }, sayField(field)),
        [was, is, draft].map((side, index) => el("span", {
          class: "diff-value", role: "cell", dir: "auto", "data-label": heads[index][0],
        }, sayValue(field.split(".")[1], side.get(field)) || "–"))))),
    el("div", { class: "actions" },
      el("button", { type: "button", class: "button", on: { click: useTheirs } }, dialogStrings.conflict.useTheirs),
      el("button", { type: "button", class: "button primary", on: { click: review } }, dialogStrings.conflict.review)));
  return { element, focus: () => {
    element.scrollIntoView({ block: "start" });
    title.focus({ preventScroll: true });
  } };
}
