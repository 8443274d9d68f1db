// @ts-check
/**
 * The first moment of a dialog. A second tap, an impatient press or a held key was meant for the page; it must not press the button that
 * has just appeared at the same place.
 */

/** Milliseconds: longer than a double tap, shorter than it takes to read a title. */
const MOMENT = 600;

/**
 * Begins as the dialog is shown; ends early when somebody writes into it, because then they have seen it, and with Ctrl or ⌘ and Enter,
 * which open no dialog and so were meant for this one.
 * @param {HTMLFormElement} form the dialog's
 * @param {() => void} over called when the moment is over
 * @param {AbortSignal} signal of the dialog's end
 * @returns {(event?: Event) => boolean} whether the event was of the first moment; without one, whether the moment lasts
 */
export function firstMoment(form, over, signal) {
  const began = performance.now();
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    over();
  };
  const timer = setTimeout(end, MOMENT);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  form.addEventListener("input", end, { once: true, signal });
  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat && (event.ctrlKey || event.metaKey)) end();
    const writes = event.target instanceof HTMLTextAreaElement && !event.ctrlKey && !event.metaKey;
    if (event.key === "Enter" && event.repeat && !writes) {
      event.preventDefault();
      event.stopPropagation();
    }
  }, { capture: true, signal });
  return (event) => !isOver && (event?.timeStamp ?? performance.now()) - began < MOMENT;
}
