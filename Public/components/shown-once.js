// @ts-check
/** Secrets that the server tells only once, such as a new token: whoever has gone to another screen before the answer gets them there. */
import { el, show, uniqueId } from "../dom.js";
import { store } from "../store.js";
import { strings } from "../strings/shared.js";
import { focusReturn } from "./focus-return.js";
import { heldDialog } from "./held-dialog.js";

/**
 * @typedef {{ title: string, heading: "h2" | "h3", content: import("../dom.js").Child[], actions: HTMLElement[] }} Secret
 *   `heading`: the element of the title where the screen shows it
 */

/**
 * Call it before the secret is asked for.
 * @param {HTMLElement} place where the screen shows it
 * @returns {(secret: Secret) => void} shows it there, or in a dialog over another screen; to nobody but the person who asked for it
 */
export function shownOnce(place) {
  const person = store.session?.user.username;
  const address = location.hash;
  return (secret) => {
    // A screen may still stand while the next one is being fetched, but not for long.
    if (place.isConnected && location.hash === address) showAt(place, secret);
    else if (store.session?.user.username === person) openDialog(secret);
  };
}

/** @param {HTMLElement} place @param {Secret} secret */
function showAt(place, { title, heading, content, actions }) {
  const head = el(heading, { tabindex: "-1" }, title);
  show(place, el("section", { class: "panel" }, head, content, el("div", { class: "actions" }, actions)));
  head.focus();
  place.scrollIntoView({ block: "nearest" });
}

/** @param {Secret} secret */
function openDialog({ title, content, actions }) {
  const titleId = uniqueId("once");
  const head = el("h2", { id: titleId, tabindex: "-1" }, title);
  const giveBack = focusReturn();
  const dialog = el("dialog", { class: "change-dialog", "aria-labelledby": titleId },
    el("form", { on: { submit: (event) => { event.preventDefault(); end(); } } },
      el("header", { class: "dialog-head" }, head),
      el("div", { class: "dialog-body" }, content),
      el("footer", { class: "dialog-foot" },
        el("div", { class: "actions" }, el("button", { type: "submit", class: "button" }, strings.close), actions))));
  // It comes unasked, so an Esc that was meant for something else must not take it away.
  const end = heldDialog(dialog, { closed: () => { dialog.remove(); giveBack(); } });
  document.body.append(dialog);
  dialog.showModal();
  head.focus();
}
