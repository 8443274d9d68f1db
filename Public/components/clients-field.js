// @ts-check
/** Which client libraries are in an app. While that is not known, plans consider all libraries that may read its feeds. */
import { el, uniqueId } from "../dom.js";
import { appStrings } from "../strings/app.js";
import { strings } from "../strings/shared.js";

/** @typedef {import("../documents.js").Library} Library */

const LIBRARIES = /** @type {Library[]} */ (Object.keys(strings.library));

/**
 * Libraries in the order in which they are offered.
 * @param {Library[] | null} libraries
 */
export const inOrder = (libraries) => libraries && LIBRARIES.filter((library) => libraries.includes(library));

/** @param {Library[] | null} start @param {boolean} allowed */
export function clientsField(start, allowed) {
  const group = uniqueId("clients");
  const unknown = el("input", { type: "radio", name: group, checked: start === null, disabled: !allowed });
  const known = el("input", { type: "radio", name: group, checked: start !== null, disabled: !allowed });
  const boxes = LIBRARIES.map((library) => el("input", {
    type: "checkbox", name: "clients", value: library, checked: start?.includes(library) ?? false, disabled: !allowed,
  }));
  const list = el("div", { class: "checks columns" }, boxes.map((box) =>
    el("label", { class: "check" }, box, strings.library[/** @type {Library} */ (box.value)])));
  const hint = el("p", { class: "hint", id: `${group}-hint` }, appStrings.clientsHint);
  const error = el("p", { class: "error", role: "alert" });
  const follow = () => { list.hidden = !known.checked; error.textContent = ""; };
  for (const control of [unknown, known, ...boxes]) control.addEventListener("change", follow);
  follow();
  return {
    element: el("fieldset", { "aria-describedby": hint.id },
      el("legend", null, appStrings.clients),
      el("div", { class: "checks" },
        el("label", { class: "check" }, unknown, appStrings.clientsUnknown),
        el("label", { class: "check" }, known, appStrings.clientsKnown)),
      list, hint, error),
    /** @returns {{ clients: Library[] | null } | null} null if nothing is chosen, with the error shown */
    value() {
      if (unknown.checked) return { clients: null };
      const clients = LIBRARIES.filter((_, number) => boxes[number].checked);
      if (clients.length > 0) return { clients };
      error.textContent = appStrings.clientsMissing;
      boxes[0].focus();
      return null;
    },
  };
}
