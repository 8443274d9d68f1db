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
 * The named fields of a form that can be written into. What somebody vouches for is never one of them: it answers for one plan only.
 * @param {HTMLFormElement} form
 */
function fieldsOf(form) {
  return [...form.elements].flatMap((control) =>
    (control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement || control instanceof HTMLSelectElement)
      && control.name
      && !["confirm", "override", "storeChecked"].includes(control.name)
      ? [control]
      : []);
}

/** @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} control */
const isBox = (control) => control instanceof HTMLInputElement && control.type === "checkbox";

/** @typedef {Record<string, string | boolean>} Written by the fields' names */

/** @param {HTMLFormElement} form @returns {Written} */
export const readFields = (form) => Object.fromEntries(fieldsOf(form).map((control) =>
  [control.name, isBox(control) ? /** @type {HTMLInputElement} */ (control).checked : control.value]));

/**
 * @param {HTMLFormElement} form
 * @param {Written} values
 */
function writeFields(form, values) {
  for (const control of fieldsOf(form)) {
    const value = values[control.name];
    if (value === undefined) continue;
    if (isBox(control)) /** @type {HTMLInputElement} */ (control).checked = value === true;
    else control.value = String(value);
    control.dispatchEvent(new CustomEvent("gh-restored"));
  }
}

/**
 * The fields that somebody has written into. Those that say one thing together are written together.
 * @param {HTMLFormElement} form
 * @param {Written} began
 */
function edited(form, began) {
  const now = readFields(form);
  const controls = fieldsOf(form);
  const differ = new Set(controls.filter(({ name }) => now[name] !== began[name]));
  const groups = new Set([...differ].flatMap((control) => control.closest("[data-together]") ?? []));
  return Object.fromEntries(controls
    .filter((control) => differ.has(control) || groups.has(/** @type {Element} */ (control.closest("[data-together]"))))
    .map(({ name }) => [name, now[name]]));
}

/** @typedef {{ app: string, platform: string, revision: number }} Base what a draft is about, as it was when it was written */

/**
 * Keeps what was written, and against what: fields that were not touched are as the targets are whenever it comes back.
 * @param {string} key
 * @param {HTMLFormElement} form
 * @param {{ began: Written, bases: readonly Base[] }} options `began`: the fields before anybody wrote into them
 */
export function keepDraft(key, form, { began, bases }) {
  const written = edited(form, began);
  if (Object.keys(written).length === 0) return forgetDraft(key);
  putDraft(key, { written, bases: bases.map(({ app, platform, revision }) => ({ app, platform, revision })) });
}

/**
 * Writes a kept draft back and tells each field by a `gh-restored` event.
 * @param {string} key
 * @param {HTMLFormElement} form
 * @returns {Base[] | null} what it was written against; null where there is none
 */
export function restoreDraft(key, form) {
  const draft = draftAt(key);
  if (!draft?.written) return null;
  writeFields(form, /** @type {Written} */ (draft.written));
  return /** @type {Base[]} */ (draft.bases);
}

/**
 * Empties a form of what was written into it.
 * @param {string} key
 * @param {HTMLFormElement} form
 * @param {Written} began
 */
export function beginAfresh(key, form, began) {
  forgetDraft(key);
  writeFields(form, began);
}

/** @param {string} key */
export function forgetDraft(key) {
  if (mine().delete(key)) write();
}
