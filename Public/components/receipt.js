// @ts-check
/** The lasting receipt of this window's last change: it stays until it is dismissed or the next one takes its place. */
import { phrase, retryOf, sayTarget } from "../describe.js";
import { el, show } from "../dom.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { strings } from "../strings/shared.js";
import { timeOfDay } from "../time.js";
import { askToRevert } from "./ask.js";
import { reachText } from "./reach.js";
import { copyButton } from "./copy-button.js";
import { stateShape } from "./state-badge.js";

/** @param {AbortSignal} signal */
export function receiptRegion(signal) {
  const text = el("div", { role: "status", class: "receipt-text" });
  const actions = el("div", { class: "actions" });
  const region = el("section", { class: "receipt", "aria-label": dialogStrings.receipt.region, hidden: true }, text, actions);

  let seen = 0;
  let counting = new AbortController();
  signal.addEventListener("abort", () => counting.abort());
  /** @type {{ sequence: number, element: HTMLElement } | null} one count for as long as the receipt stands */
  let reach = null;

  function paint() {
    const receipt = store.receipt;
    region.hidden = receipt === null;
    if (!receipt) {
      counting.abort();
      reach = null;
      return show(text);
    }
    const { change, published } = receipt;
    const [first] = change.targets;
    const isGone = change.kind === "delete";
    if (reach?.sequence !== change.sequence) {
      counting.abort();
      counting = new AbortController();
      reach = change.targets.length === 1 && !isGone
        ? { sequence: change.sequence, element: reachText(first, first.revision, counting.signal) }
        : null;
    }
    const state = store.targets.get(nameOf(first))?.state ?? "open";
    region.dataset.state = state;
    const published_ = published === null
      ? dialogStrings.receipt.publishing
      : published ? `✓ ${dialogStrings.receipt.published}` : dialogStrings.receipt.unpublished;
    show(text,
      el("span", null, stateShape(state), " ", el("strong", null, `${verb(change)} ${change.targets.map(sayTarget).join(", ")}`), " ",
        el("time", { datetime: change.at }, timeOfDay(change.at)),
        change.targets.length === 1 && !isGone ? ` · ${strings.revision(first.revision)}` : ""),
      el("span", { class: "ticks" },
        el("span", null, `✓ ${dialogStrings.receipt.saved}`),
        isGone ? null : el("span", null, published_),
        published ? el("span", null, `✓ ${dialogStrings.receipt.caches}`) : null,
        reach?.element),
      first.before.killSwitch && !first.after.killSwitch && !isGone
        ? el("span", { class: "hint" },
          dialogStrings.receipt.returning(retryOf(first.before, store.targets.get(nameOf(first))?.settings.defaultRetryInterval ?? 15)))
        : null);
    show(actions,
      change.targets.length === 1 && !isGone
        ? el("button", {
          type: "button", class: "button small", "data-key": "undo",
          on: { click: () => void askToRevert(first, first.previous, { undo: true }) },
        }, dialogStrings.receipt.undo)
        : null,
      el("a", { class: "button quiet small", "data-key": "details", href: `#/history/${change.sequence}` }, strings.details),
      copyButton(
        dialogStrings.receipt.link,
        () => new URL(`#/history/${change.sequence}`, location.href).href,
        { class: "button quiet small" },
      ),
      receipt.gatectl ? copyButton(strings.gatectl, () => receipt.gatectl ?? "", { class: "button quiet small" }) : null,
      el("button", {
        type: "button", class: "button quiet small", "data-key": "dismiss", on: { click: () => store.setReceipt(null) },
      }, dialogStrings.receipt.dismiss));
  }
  store.on("receipt", () => {
    paint();
    // A new receipt is brought into view once the dialog that made it has given the focus back.
    const sequence = store.receipt?.change.sequence ?? 0;
    if (sequence > seen) setTimeout(() => region.scrollIntoView({ block: "nearest" }));
    seen = sequence;
  }, signal);
  paint();
  return region;
}

/** @param {import("../api.js").Change} change */
function verb(change) {
  if (change.kind === "revert") return dialogStrings.receipt.reverted;
  if (change.kind === "import") return dialogStrings.receipt.imported;
  if (change.kind === "delete") return dialogStrings.receipt.deleted;
  const did = phrase(change, change.targets[0]);
  if (did === strings.did.blocked) return dialogStrings.receipt.blocked;
  return did === strings.did.opened ? dialogStrings.receipt.opened : dialogStrings.receipt.changed;
}
