// @ts-check
/** The screen of an address that no screen has, and of an app or a target that does not exist. */
import { el } from "../dom.js";
import { store } from "../store.js";
import { notFoundStrings } from "../strings/not-found.js";

/** @param {{ isThere: () => boolean, again: () => void, signal: AbortSignal }} [awaited] what may come yet, and then has a screen */
export function notFoundView(awaited) {
  if (awaited) {
    const { isThere, again, signal } = awaited;
    for (const topic of /** @type {const} */ (["apps", "targets"])) store.on(topic, () => { if (isThere()) again(); }, signal);
  }
  return {
    title: notFoundStrings.title,
    element: el("section", { class: "panel" },
      el("h1", { tabindex: "-1" }, notFoundStrings.title),
      el("p", null, notFoundStrings.text),
      el("div", { class: "actions" }, el("a", { class: "button", href: "#/" }, notFoundStrings.home))),
  };
}
