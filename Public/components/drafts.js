// @ts-check
/**
 * What was typed into a form that was left, kept until the tab is closed or its person signs out: nobody writes the same message twice in
 * an incident, and nobody finds another's.
 */
import { DRAFTS, store } from "../store.js";

/** @typedef {Record<string, unknown>} Draft */

/** @type {Map<string, Draft>} */
const drafts = new Map();
/** Whose they are. */
let owner = "";

/** The drafts of who is signed in: after a reload those that the tab has kept. */
function mine() {
  const user = store.session?.user.username ?? "";
  if (owner === user) return drafts;
  owner = user;
  drafts.clear();
  try {
    const kept = JSON.parse(sessionStorage.getItem(DRAFTS) ?? "null");
    if (kept?.owner === user) for (const [key, draft] of Object.entries(kept.drafts)) drafts.set(key, draft);
  } catch {
    // Storage may be forbidden, or hold what is no longer understood: then there is nothing to come back to.
  }
  return drafts;
}

function write() {
  try {
    sessionStorage.setItem(DRAFTS, JSON.stringify({ owner, drafts: Object.fromEntries(drafts) }));
  } catch {
    // Not kept over a reload then.
  }
}

/** @param {string} key @returns {Draft | undefined} */
export const draftAt = (key) => mine().get(key);

/** @param {string} key @param {Draft} draft */
export function putDraft(key, draft) {
  mine().set(key, draft);
  write();
}

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
  putDraft(key, Object.fromEntries(fieldsOf(form).map((control) =>
    [control.name, isBox(control) ? /** @type {HTMLInputElement} */ (control).checked : control.value])));
}

/**
 * Writes a kept draft back and tells each field by a `gh-restored` event.
 * @param {string} key
 * @param {HTMLFormElement} form
 */
export function restoreDraft(key, form) {
  const draft = draftAt(key);
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
export function forgetDraft(key) {
  if (mine().delete(key)) write();
}
