// @ts-check
/**
 * The receipt of this window's last change: whole on the page of its target, one line elsewhere. It goes once it was read there, by hand,
 * after a while, or when the next one takes its place.
 */
import { el, show } from "../dom.js";
import { phrase, retryOf, sayTarget } from "../gate.js";
import { checkMark, icon, stateShape } from "../icons.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { strings } from "../strings/shared.js";
import { timeOfDay } from "../time.js";
import { askToRevert, askToUndoAll } from "./actions.js";
import { copyButton } from "./copy-button.js";
import { reachText } from "./reach.js";

/** @typedef {import("../api.js").Change} Change */

/** How long it stays where nobody goes to read it. */
const WHILE = 10 * 60_000;
/** From here on the bar at the top is one line, and may have room for another. */
const roomy = matchMedia("(min-width: 64rem)");

/**
 * @param {{ page: HTMLElement, bar: HTMLElement, signal: AbortSignal }} options where it stands in the page, and in the bar at the top
 */
export function receiptRegion({ page, bar, signal }) {
  const text = el("div", { role: "status", class: "receipt-text" });
  const actions = el("div", { class: "actions" });
  const region = el("section", { class: "receipt", "aria-label": dialogStrings.receipt.region, hidden: true }, text, actions);
  let counting = new AbortController();
  signal.addEventListener("abort", () => { counting.abort(); clearTimeout(leaving); });
  /** @type {{ sequence: number, element: HTMLElement } | null} one count for as long as the receipt stands */
  let reach = null;
  let wasRead = false;
  /** The change that was found too long for the bar: with a shorter word it does not go back there. */
  let tooLong = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let leaving;

  /** @param {HTMLElement} wanted */
  function moveTo(wanted) {
    if (region.parentElement === wanted) return;
    const focused = region.contains(document.activeElement) ? document.activeElement : null;
    wanted.prepend(region);
    // Moving it takes the focus away from it.
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }

  /** In the bar it is at hand wherever the page was scrolled to; but only where all that matters can be read there. */
  function place() {
    const { receipt } = store;
    if (!receipt) return;
    if (isAtHome() || !roomy.matches || tooLong === receipt.change.sequence) return moveTo(page);
    moveTo(bar);
    if (!isCut(text)) return;
    tooLong = receipt.change.sequence;
    moveTo(page);
  }

  function paint() {
    const { receipt } = store;
    region.hidden = receipt === null;
    if (!receipt) {
      counting.abort();
      reach = null;
      wasRead = false;
      return show(text);
    }
    const whole = isAtHome();
    region.toggleAttribute("data-whole", whole);
    wasRead ||= whole;
    const { change, published } = receipt;
    const [first] = change.targets;
    const isGone = change.kind === "delete";
    const single = change.targets.length === 1 && !isGone;
    if (reach?.sequence !== change.sequence) {
      counting.abort();
      counting = new AbortController();
      reach = single ? { sequence: change.sequence, element: reachText(first, first.revision, counting.signal) } : null;
    }
    const state = store.targets.get(nameOf(first))?.state ?? "open";
    region.dataset.state = state;
    const told = published === null
      ? dialogStrings.receipt.publishing
      : published ? [checkMark(), dialogStrings.receipt.published] : dialogStrings.receipt.unpublished;
    const said = `${verb(change)} ${dialogStrings.receipt.targets(change.targets.map(sayTarget), change.omitted ?? 0)}`;
    show(text,
      el("span", { class: "receipt-what" }, stateShape(state), " ",
        whole ? el("strong", null, said) : el("a", { href: homeOf(change), "data-key": "receipt" }, said)),
      el("span", { class: "receipt-when" },
        el("time", { datetime: change.at }, timeOfDay(change.at)),
        single ? el("span", { class: "receipt-revision" }, ` · ${strings.revision(first.revision)}`) : null),
      el("span", { class: "ticks" },
        el("span", { class: "whole-only" }, checkMark(), dialogStrings.receipt.saved),
        isGone ? null : el("span", { class: "receipt-told" }, told),
        published ? el("span", { class: "whole-only" }, checkMark(), dialogStrings.receipt.caches) : null,
        reach?.element),
      whole && first.before.killSwitch && !first.after.killSwitch && !isGone
        ? el("span", { class: "hint" },
          dialogStrings.receipt.returning(retryOf(first.before, store.targets.get(nameOf(first))?.settings.defaultRetryInterval ?? 15)))
        : null);
    const about = dialogStrings.receipt.targets(change.targets.map(sayTarget), change.omitted ?? 0);
    show(actions, undoButton(change, whole, about), whole ? wholeActions(receipt, about) : null,
      el("button", {
        type: "button", class: whole ? "button quiet small" : "icon-button", "data-key": "dismiss",
        "aria-label": strings.about(dialogStrings.receipt.dismiss, dialogStrings.receipt.told(said)),
        on: { click: () => store.setReceipt(null) },
      }, whole ? dialogStrings.receipt.dismiss : icon("close")));
    place();
  }

  function renew() {
    wasRead = false;
    clearTimeout(leaving);
    if (store.receipt) leaving = setTimeout(() => store.setReceipt(null), WHILE);
    paint();
  }

  store.on("receipt", renew, signal);
  addEventListener("hashchange", () => {
    if (wasRead && !isAtHome()) store.setReceipt(null);
    else paint();
  }, { signal });
  // Screens are of several widths, and so is the bar above them.
  let width = 0;
  const sizes = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === width) return;
    width = contentRect.width;
    tooLong = 0;
    // What it moves changes the very sizes that are being told of.
    requestAnimationFrame(place);
  });
  sizes.observe(/** @type {HTMLElement} */ (bar.parentElement));
  signal.addEventListener("abort", () => sizes.disconnect());
  renew();
}

/**
 * Whether anything of what was done, when, and what became of the feed is out of sight. How many have fetched it may be.
 * @param {HTMLElement} text
 */
function isCut(text) {
  const room = text.getBoundingClientRect();
  return [...text.querySelectorAll(".receipt-what, .receipt-when, .receipt-told")].some((part) => {
    const { right, bottom } = part.getBoundingClientRect();
    return right > room.right + 1 || bottom > room.bottom + 1;
  });
}

/**
 * The page on which a change is told of whole: its target's, or for several the change's own.
 * @param {Change} change
 */
const homeOf = ({ targets, sequence, kind }) =>
  (targets.length === 1 && kind !== "delete" ? `#/t/${nameOf(targets[0])}` : `#/history/${sequence}`);

function isAtHome() {
  const { receipt } = store;
  if (!receipt) return false;
  const home = homeOf(receipt.change);
  return location.hash === home || location.hash.startsWith(`${home}/`);
}

/** @param {Change} change @param {boolean} whole @param {string} about */
function undoButton(change, whole, about) {
  const [first] = change.targets;
  // What is deleted has no revision to go back to, and what was left out of an answer is not known here.
  if (change.kind === "delete" || change.omitted) return null;
  return el("button", {
    type: "button", class: whole ? "button small" : "button quiet small", "data-key": "undo",
    "aria-label": strings.about(dialogStrings.receipt.undo, dialogStrings.receipt.changeOf(about)),
    on: {
      click: () => void (change.targets.length === 1 ? askToRevert(first, first.previous, { undo: true }) : askToUndoAll(change)),
    },
  }, icon("undo"), dialogStrings.receipt.undo);
}

/** @param {import("../store.js").Receipt} receipt @param {string} about */
function wholeActions({ change, gatectl }, about) {
  const page = `#/history/${change.sequence}`;
  /** @param {string} text */
  const called = (text) => ({ class: "button quiet small", name: strings.about(text, dialogStrings.receipt.ofChange(about)) });
  return [
    el("a", {
      class: "button quiet small", "data-key": "details", href: page,
      "aria-label": strings.about(strings.details, dialogStrings.receipt.ofChange(about)),
    }, strings.details),
    copyButton(dialogStrings.receipt.link, () => new URL(page, location.href).href, called(dialogStrings.receipt.link)),
    gatectl ? copyButton(strings.gatectl, () => gatectl, called(strings.gatectl)) : null,
  ];
}

/** @param {Change} change */
function verb(change) {
  if (change.kind === "revert") return dialogStrings.receipt.reverted;
  if (change.kind === "import") return dialogStrings.receipt.imported;
  if (change.kind === "delete") return dialogStrings.receipt.deleted;
  const did = phrase(change, change.targets[0]);
  if (did === strings.did.blocked) return dialogStrings.receipt.blocked;
  if (did === strings.did.opening) return dialogStrings.receipt.opening;
  return did === strings.did.opened ? dialogStrings.receipt.opened : dialogStrings.receipt.changed;
}
