// @ts-check
/**
 * Dialogs that only the page itself closes. A browser lets a page refuse one Esc, or one Back on a phone, but a second one in a row closes
 * the dialog regardless, and its message would be lost. Then the dialog is shown again, with the focus where it was.
 */

/**
 * @param {HTMLDialogElement} dialog
 * @param {{ leave?: () => void, closed?: () => void }} options `leave`: called for Esc, may close it; `closed`: called after closing
 * @returns {() => void} closes the dialog
 */
export function heldDialog(dialog, { leave, closed } = {}) {
  let isOver = false;
  /** @type {HTMLElement | null} */
  let focused = null;
  dialog.addEventListener("focusin", ({ target }) => { if (target instanceof HTMLElement) focused = target; });
  dialog.addEventListener("cancel", (event) => { event.preventDefault(); leave?.(); });
  dialog.addEventListener("close", () => {
    if (isOver) return closed?.();
    const last = focused;
    dialog.showModal();
    last?.focus();
  });
  return () => { isOver = true; dialog.close(); };
}

/**
 * Ctrl or ⌘ with Enter submits a dialog from wherever the focus is in it, such as a list of choices.
 * @param {HTMLFormElement} form
 */
export const submitKeys = (form) => (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (!event.repeat) form.requestSubmit();
};
