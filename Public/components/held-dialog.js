// @ts-check
/**
 * Dialogs that only the page itself closes. A browser lets a page refuse one Esc, or one Back of a phone: the next one in a row closes the
 * dialog whatever the page says, and with it would go what is still to be said in it. It is shown again then, with the focus where it was.
 */

/**
 * @param {HTMLDialogElement} dialog
 * @param {{ leave?: () => void, closed?: () => void }} options `leave`: what Esc asks for, which may close it; `closed`: it is
 * @returns {() => void} closes it
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
