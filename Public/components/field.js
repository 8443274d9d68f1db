// @ts-check
/** A form field with its label, hint and error, tied together for assistive technology. */
import { el, show, uniqueId } from "../dom.js";
import { strings } from "../strings/shared.js";

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Control */
/**
 * @typedef {{ element: HTMLElement, control: Control, label: HTMLLabelElement, error: (text: string | null) => void,
 *   hint: (content: import("../dom.js").Child) => void }} Field
 */

/**
 * @param {Control} control gets an id and its descriptions
 * @param {{ label: import("../dom.js").Child, hint?: string, note?: string, after?: import("../dom.js").Child, counter?: number }} options
 *   `note` stands beside the label; `counter`: the maximum number of characters, shown with the count
 * @returns {Field}
 */
export function field(control, { label, hint, note, after = [], counter }) {
  const id = control.id || uniqueId("field");
  control.id = id;
  const hintElement = el("p", { class: "hint", id: `${id}-hint`, hidden: !hint }, hint ?? "");
  const errorElement = el("p", { class: "error", id: `${id}-error` });
  const counterElement = counter ? el("span", { class: "counter", "aria-hidden": "true" }) : null;

  if (counterElement && counter) {
    // Unicode scalars, as the server counts them.
    const count = () => {
      const length = [...control.value.trim()].length;
      counterElement.textContent = `${length}/${counter}`;
      counterElement.toggleAttribute("data-over", length > counter);
    };
    control.addEventListener("input", count);
    control.addEventListener("gh-restored", count);
    count();
  }
  control.addEventListener("input", () => error(null));

  /** @param {string | null} text */
  function error(text) {
    errorElement.textContent = text ?? "";
    errorElement.hidden = text === null;
    const described = [hintElement.hidden ? null : hintElement.id, text === null ? null : errorElement.id].filter(Boolean).join(" ");
    if (described) control.setAttribute("aria-describedby", described);
    else control.removeAttribute("aria-describedby");
    if (text === null) control.removeAttribute("aria-invalid");
    else control.setAttribute("aria-invalid", "true");
  }

  /** @param {import("../dom.js").Child} content */
  function setHint(content) {
    show(hintElement, content);
  }

  error(null);
  const labelElement = el("label", { for: id }, label);
  const element = el("div", { class: "field" },
    el("div", { class: "field-head" }, labelElement, note ? el("span", { class: "note" }, note) : null, counterElement),
    control, hintElement, errorElement, after);
  return { element, control, label: labelElement, error, hint: setHint };
}

/**
 * Goes to where a press has shown that something is wrong, with its error in view.
 * @param {HTMLElement} control
 */
export function goTo(control) {
  control.focus();
  (control.closest(".field") ?? control).scrollIntoView({ block: "nearest" });
}

/**
 * Whether nothing that a form requires is empty.
 * @param {HTMLFormElement} form
 */
export const isFilled = (form) => [...form.elements].every((control) =>
  !(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)
  || !control.required
  || (control.type === "checkbox" ? /** @type {HTMLInputElement} */ (control).checked : control.value.trim() !== ""));

/**
 * If the user has not edited the control since the draft began, gives it the value that somebody else has set meanwhile.
 * @param {Control} control
 * @param {string} was the control's value when the draft began
 * @param {string} is
 */
export function follow(control, was, is) {
  if (control.value !== was || was === is) return;
  control.value = is;
  control.dispatchEvent(new CustomEvent("gh-restored"));
}

/**
 * Offers these choices in a select; what was chosen stays so if it is still among them.
 * @param {Control} control
 * @param {[string, string][]} offered value and text of each
 */
export function choices(control, offered) {
  const was = control.value;
  show(control, offered.map(([value, text]) => el("option", { value }, text)));
  control.value = offered.some(([value]) => value === was) ? was : offered[0]?.[0] ?? "";
}

/**
 * A password field with a way to see what was typed.
 * @param {{ name: string, label: string, hint?: string, autocomplete: string }} options
 */
export function passwordField({ name, label, hint, autocomplete }) {
  const control = el("input", { type: "password", name, autocomplete, required: true, spellcheck: "false", autocapitalize: "none" });
  const toggle = el("input", { type: "checkbox", on: { change: () => { control.type = toggle.checked ? "text" : "password"; } } });
  return field(control, { label, hint, after: [el("label", { class: "check" }, toggle, strings.showPassword)] });
}
