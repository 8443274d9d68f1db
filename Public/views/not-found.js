// @ts-check
import { el } from "../dom.js";
import { shellStrings } from "../strings/shell.js";

export function notFoundView() {
  return {
    title: shellStrings.notFound.title,
    element: el("section", { class: "panel" },
      el("h1", { tabindex: "-1" }, shellStrings.notFound.title),
      el("p", null, shellStrings.notFound.text),
      el("div", { class: "actions" }, el("a", { class: "button", href: "#/" }, shellStrings.notFound.home))),
  };
}
