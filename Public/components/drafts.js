// @ts-check
/**
 * What was typed into a form that was then left, kept until the tab is closed or the person signs out: in an incident nobody has to write
 * the same message twice, and nobody finds somebody else's.
 */
import { DRAFTS, store } from "../store.js";

/** @typedef {Record<string, unknown>} Draft */

/** @type {Map<string, Draft>} */
const drafts = new Map();
/** The user whose drafts these are. */
let owner = "";

/** The drafts of the signed-in user; after a reload, those that the tab has kept. */
function mine() {
  const user = store.session?.user.username ?? "";
  if (owner === user) return drafts;
  owner = user;
  drafts.clear();
  try {
    const kept = JSON.parse(sessionStorage.getItem(DRAFTS) ?? "null");
    if (kept?.owner === user) for (const [key, draft] of Object.entries(kept.drafts)) drafts.set(key, draft);
  } catch {
    // Storage may be forbidden, or hold something unreadable: then there are no drafts.
  }
  return drafts;
}

function write() {
  try {
    sessionStorage.setItem(DRAFTS, JSON.stringify({ owner, drafts: Object.fromEntries(drafts) }));
  } catch {
    // Then drafts do not survive a reload.
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
 * Keeps a draft under another key.
 * @param {string} from @param {string} to
 * @returns {string} the new key
 */
export function moveDraft(from, to) {
  const kept = draftAt(from);
  forgetDraft(from);
  if (kept) putDraft(to, kept);
  return to;
}

/**
 * The named fields of a form that a draft keeps. Confirmations and vouching ticks are left out: they hold for one plan only.
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

/** @typedef {Record<string, string | boolean>} Written the values by field name */

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
 * The fields that the user has edited. Fields grouped by `data-together` count as edited together.
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

/** @typedef {{ app: string, platform: string, revision: number }} Base a draft's target, with its revision when the draft was written */

/**
 * Keeps the edited fields and the revisions they were written against. When restored, untouched fields follow the targets as they are then.
 * @param {string} key
 * @param {HTMLFormElement} form
 * @param {{ began: Written, bases: readonly Base[] }} options `began`: the fields before the user wrote into them
 */
export function keepDraft(key, form, { began, bases }) {
  const written = edited(form, began);
  if (Object.keys(written).length === 0) return forgetDraft(key);
  putDraft(key, { written, bases: bases.map(({ app, platform, revision }) => ({ app, platform, revision })) });
}

/**
 * Writes a kept draft back into the form and sends each field a `gh-restored` event.
 * @param {string} key
 * @param {HTMLFormElement} form
 * @returns {Base[] | null} what it was written against; null if there is no draft
 */
export function restoreDraft(key, form) {
  const draft = draftAt(key);
  if (!draft?.written) return null;
  writeFields(form, /** @type {Written} */ (draft.written));
  return /** @type {Base[]} */ (draft.bases);
}

/**
 * Forgets the draft and resets the form.
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
