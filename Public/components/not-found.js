// @ts-check
/** The screen of an address that no screen has, and of an app or a target that does not exist. */
import { el } from "../dom.js";
import { notFoundStrings } from "../strings/not-found.js";

export function notFoundView() {
  return {
    title: notFoundStrings.title,
    element: el("section", { class: "panel" },
      el("h1", { tabindex: "-1" }, notFoundStrings.title),
      el("p", null, notFoundStrings.text),
      el("div", { class: "actions" }, el("a", { class: "button", href: "#/" }, notFoundStrings.home))),
  };
}
