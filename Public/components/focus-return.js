// @ts-check
/** Where the focus goes when a dialog has closed: never to nowhere, and never out of sight. */

/** What takes back what it has just done, when it is pressed again. */
const TAKES_BACK = ".switch, [data-key^='main'], [data-key='undo']";

/**
 * Remembers who opened the dialog that is about to be shown.
 * @returns {(done?: boolean) => void} called when it has closed; `done`: something was published, so that there is a receipt
 */
export function focusReturn() {
  const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  const key = opener?.dataset.key;
  return (done = false) => {
    const focused = document.activeElement;
    // Another screen, or another dialog, has taken it meanwhile.
    if (focused && focused !== document.body && focused !== opener && !opener?.contains(focused) && isThere(focused)) return;
    // A live update may have put another element in its place.
    const heir = key ? document.querySelector(`[data-key="${CSS.escape(key)}"]`) : null;
    const inReceipt = (/** @type {string} */ what) => (done ? document.querySelector(`.receipt:not([hidden]) ${what}`) : null);
    const receipt = inReceipt("[data-key='undo']") ?? inReceipt(":is(a, button)");
    const own = [opener, heir].filter((one) => !done || !receipt || one?.matches(TAKES_BACK));
    const next = [...own, receipt, document.querySelector("main h1")].find((one) => one && isThere(one));
    if (!(next instanceof HTMLElement)) return;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };
}

/** @param {Element} element */
const isThere = (element) => element.isConnected && element.getClientRects().length > 0;
