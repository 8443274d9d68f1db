// @ts-check
/**
 * The receipt of this window's last change, with the way back from it: in full on the page of its target, in one line elsewhere, and there
 * always in view. It stays until it is dismissed or the next one replaces it.
 */
import { phrase } from "../difference.js";
import { el, focusRow, isAt, show } from "../dom.js";
import { retryOf, sayActor, sayTarget, stateOf } from "../gate.js";
import { checkMark, icon, stateShape } from "../icons.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { strings } from "../strings/shared.js";
import { timeOfDay } from "../time.js";
import { askToUndo } from "./actions.js";
import { copyButton } from "./copy-button.js";
import { reachText } from "./reach.js";

/** @typedef {import("../documents.js").Change} Change */

/** From this width on, the bar at the top is one line and may have room for the receipt; in a low window it does not stay in view. */
const roomy = matchMedia("(min-width: 64rem) and (min-height: 30.01rem)");

/**
 * @param {{ page: HTMLElement, bar: HTMLElement, foot: HTMLElement, signal: AbortSignal }} options the receipt's places: at the top of the
 *   page, in the top bar, and at the lower edge of the window
 */
export function receiptRegion({ page, bar, foot, signal }) {
  const text = el("div", { role: "status", class: "receipt-text" });
  const actions = el("div", { class: "actions" });
  const region = el("section", { class: "receipt", "aria-label": dialogStrings.receipt.region, hidden: true }, text, actions);
  let counting = new AbortController();
  signal.addEventListener("abort", () => counting.abort());
  /** @type {{ sequence: number, element: HTMLElement } | null} one count for as long as the receipt is shown */
  let reach = null;
  /** The sequence of a change that did not fit into the bar: it does not go back there, even if its text becomes shorter. */
  let tooLong = 0;
  /** The first target of the change that was shown last. */
  let target = "";
  /** Who has changed its targets since, as it is told now. */
  let since = "";

  /** @param {HTMLElement} wanted */
  function moveTo(wanted) {
    if (region.parentElement === wanted) return;
    const focused = region.contains(document.activeElement) ? document.activeElement : null;
    wanted.prepend(region);
    // Moving the element makes it lose the focus.
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }

  /**
   * Puts it where it can be seen: in the bar if everything that matters can be read there; else at the top of the page, as long as that is
   * in view. When it is scrolled away, the bar may still have room for what was done and for undoing it. What is left is the lower edge.
   */
  function place() {
    const { receipt } = store;
    if (!receipt) return void (page.style.minHeight = "");
    if (isAtHome()) return stand(page);
    if (!roomy.matches) return stand(foot);
    if (tooLong !== receipt.change.sequence) {
      stand(bar);
      if (!isCut(text)) return;
      tooLong = receipt.change.sequence;
    }
    const covered = Math.max(0, bar.closest("header")?.getBoundingClientRect().bottom ?? 0);
    if (page.getBoundingClientRect().top >= covered) return stand(page);
    if (region.hasAttribute("data-brief") || region.parentElement === foot) return;
    // Its place on the page is kept, so that nothing moves there when it comes back.
    stand(page);
    page.style.minHeight = `${page.offsetHeight}px`;
    region.toggleAttribute("data-brief", true);
    moveTo(bar);
    if (!isCut(text)) return;
    region.toggleAttribute("data-brief", false);
    moveTo(foot);
  }

  /** @param {HTMLElement} wanted */
  function stand(wanted) {
    region.toggleAttribute("data-brief", false);
    moveTo(wanted);
    page.style.minHeight = "";
  }

  function paint() {
    const { receipt } = store;
    const isLeft = !receipt && region.contains(document.activeElement);
    region.hidden = receipt === null;
    if (isLeft) focusRow(target);
    if (!receipt) {
      counting.abort();
      reach = null;
      place();
      return show(text);
    }
    const whole = isAtHome();
    region.toggleAttribute("data-whole", whole);
    const { change, published } = receipt;
    const [first] = change.targets;
    target = nameOf(first);
    const isGone = change.kind === "delete";
    const single = change.targets.length === 1 && !isGone;
    if (reach?.sequence !== change.sequence) {
      counting.abort();
      counting = new AbortController();
      reach = single ? { sequence: change.sequence, element: reachText(first, first.revision, counting.signal) } : null;
    }
    // What the change led to, and not what somebody else has made of it since: that is said.
    const state = stateOf(first.after);
    region.dataset.state = state;
    since = sinceText(change);
    region.toggleAttribute("data-superseded", since !== "");
    const told = published === null
      ? dialogStrings.receipt.publishing
      : published ? [checkMark(), dialogStrings.receipt.published] : dialogStrings.receipt.unpublished;
    const said = `${verb(change)} ${dialogStrings.receipt.targets(change.targets.map(sayTarget), change.omitted ?? 0)}`;
    show(text,
      el("span", { class: "receipt-what" }, stateShape(state), " ",
        whole ? el("strong", null, said) : el("a", { href: homeOf(change), "data-key": "receipt" }, said),
        since ? ` · ${since}` : null),
      el("span", { class: "receipt-when" },
        el("time", { datetime: change.at }, timeOfDay(change.at)),
        single ? el("span", { class: "receipt-revision" }, ` · ${strings.revision(first.revision)}`) : null),
      el("span", { class: "ticks" },
        el("span", { class: "whole-only" }, checkMark(), dialogStrings.receipt.saved),
        isGone ? null : el("span", { class: "receipt-told" }, told),
        published ? el("span", { class: "whole-only" }, checkMark(), dialogStrings.receipt.caches) : null,
        reach?.element),
      whole && !since && first.before.killSwitch && !first.after.killSwitch && !isGone
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

  store.on("receipt", paint, signal);
  store.on("targets", () => { if (store.receipt && sinceText(store.receipt.change) !== since) paint(); }, signal);
  addEventListener("hashchange", paint, { signal });
  addEventListener("scroll", () => { if (tooLong === store.receipt?.change.sequence) place(); }, { signal, passive: true });
  roomy.addEventListener("change", place, { signal });
  // The bar's width depends on the screen shown, so watch it.
  let width = 0;
  const sizes = new ResizeObserver(([{ contentRect }]) => {
    if (contentRect.width === width) return;
    width = contentRect.width;
    tooLong = 0;
    // Wait for the next frame, because moving the receipt changes the sizes being observed.
    requestAnimationFrame(place);
  });
  sizes.observe(/** @type {HTMLElement} */ (bar.parentElement));
  // What else sticks to the lower edge stands above it.
  const heights = new ResizeObserver(() => document.documentElement.style.setProperty("--receipt", `${foot.offsetHeight}px`));
  heights.observe(foot);
  signal.addEventListener("abort", () => { sizes.disconnect(); heights.disconnect(); });
  paint();
}

/**
 * The targets of a change that are still there; those that it has deleted count as well, because nobody needs to be told of them.
 * @param {Change} change
 */
const remaining = ({ targets, kind }) => (kind === "delete" ? targets : targets.filter((mine) => store.targets.has(nameOf(mine))));

/**
 * Who has changed the targets of a change since, and to what, and how many are gone; empty while it is the last one.
 * @param {Change} change
 */
function sinceText(change) {
  const { targets } = change;
  const moved = targets.flatMap((mine) => {
    const now = store.targets.get(nameOf(mine));
    return now && now.revision > mine.revision ? [now] : [];
  });
  const gone = targets.length - remaining(change).length;
  if (moved.length + gone === 0) return "";
  if (targets.length > 1) return dialogStrings.receipt.someSince(moved.length, gone);
  if (gone > 0) return dialogStrings.receipt.gone;
  const [{ lastChange, state }] = moved;
  return dialogStrings.receipt.since(lastChange ? sayActor(lastChange.actor) : "", strings.state[state]);
}

/**
 * Whether part of what was done, when, or what became of the feed is cut off. The count of fetches may be.
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
 * The page that shows a change in full: its target's page, or for several targets the change's own.
 * @param {Change} change
 */
const homeOf = ({ targets, sequence, kind }) =>
  (targets.length === 1 && kind !== "delete" ? `#/t/${nameOf(targets[0])}` : `#/history/${sequence}`);

function isAtHome() {
  const { receipt } = store;
  return receipt !== null && isAt(homeOf(receipt.change));
}

/** @param {Change} change @param {boolean} whole @param {string} about */
function undoButton(change, whole, about) {
  // A deleted target has no revision to go back to, and targets left out of the answer are not known here.
  if (change.kind === "delete" || change.omitted || remaining(change).length === 0) return null;
  return el("button", {
    type: "button", class: whole ? "button small" : "button quiet small", "data-key": "undo",
    "aria-label": strings.about(dialogStrings.receipt.undo, dialogStrings.receipt.changeOf(about)),
    on: { click: () => void askToUndo(change) },
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
