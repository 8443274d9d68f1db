// @ts-check
/** What was typed into a form that was left, kept until the page is: nobody writes the same message twice in an incident. */

/** @typedef {Record<string, string | boolean>} Draft */

/** @type {Map<string, Draft>} */
const drafts = new Map();

/**
 * The named fields of a form that can be written into. A confirmation is never one of them: it answers for one plan only.
 * @param {HTMLFormElement} form
 */
function fieldsOf(form) {
  return [...form.elements].flatMap((control) =>
    (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement)
      && control.name
      && !["confirm", "override"].includes(control.name)
      ? [control]
      : []);
}

/** @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} control */
const isBox = (control) => control instanceof HTMLInputElement && control.type === "checkbox";

/**
 * @param {string} key
 * @param {HTMLFormElement} form
 */
export function keepDraft(key, form) {
  drafts.set(key, Object.fromEntries(fieldsOf(form).map((control) =>
    [control.name, isBox(control) ? /** @type {HTMLInputElement} */ (control).checked : control.value])));
}

/**
 * Writes a kept draft back and tells each field by a `gh-restored` event.
 * @param {string} key
 * @param {HTMLFormElement} form
 */
export function restoreDraft(key, form) {
  const draft = drafts.get(key);
  if (!draft) return;
  for (const control of fieldsOf(form)) {
    const value = draft[control.name];
    if (value === undefined) continue;
    if (isBox(control)) /** @type {HTMLInputElement} */ (control).checked = value === true;
    else control.value = String(value);
    control.dispatchEvent(new CustomEvent("gh-restored"));
  }
}

/** @param {string} key */
export const forgetDraft = (key) => void drafts.delete(key);
