// @ts-check
/** Puts the focus somewhere visible when a dialog has closed. */

/** Controls that undo what they did when they are pressed again, and rows, where the key beside the one that was pressed does. */
const TAKES_BACK = ".switch, [data-key^='main'], [data-key='undo'], [data-row]";
/** What sticks to an edge of the window and is always in view: scrolling to it would only move the page under it. */
const PINNED = ".bottom-bar, .pick-bar, .receipt-slot, .receipt-foot";

/**
 * Remembers who opened the dialog that is about to be shown.
 * @returns {(done?: boolean) => void} call it when the dialog has closed; `done`: something was published, so there is a receipt
 */
export function focusReturn() {
  const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  const key = opener?.dataset.key;
  const around = opener?.closest("main [tabindex='-1']") ?? null;
  return (done = false) => {
    const focused = document.activeElement;
    // Another screen or dialog has taken the focus meanwhile.
    if (focused && focused !== document.body && focused !== opener && !opener?.contains(focused) && isThere(focused)) return;
    // A live update may have replaced the opener with another element.
    const heir = key ? document.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
    const inReceipt = (/** @type {string} */ what) => (done ? document.querySelector(`.receipt:not([hidden]) ${what}`) : null);
    const receipt = inReceipt("[data-key='undo']") ?? inReceipt(":is(a, button)");
    const own = [opener, heir].filter((one) => !done || !receipt || one?.matches(TAKES_BACK));
    const next = [...own, receipt, around, document.querySelector("main h1")].find((one) => one && isThere(one));
    if (!(next instanceof HTMLElement)) return;
    next.focus({ preventScroll: true });
    // Of a receipt, what it says is as much the answer as the button that takes it back.
    if (!next.closest(PINNED)) (next.closest(".receipt") ?? next).scrollIntoView({ block: "nearest" });
  };
}

/** @param {Element} element */
const isThere = (element) => element.isConnected && element.getClientRects().length > 0;
