// @ts-check
import { el } from "../dom.js";
import { strings } from "../strings.js";

export function notFoundView() {
  return {
    title: strings.notFound.title,
    element: el("section", { class: "panel" }, el("h1", { tabindex: "-1" }, strings.notFound.title), el("p", null, strings.notFound.text),
      el("div", { class: "actions" }, el("a", { class: "button", href: "#/" }, strings.notFound.home))),
  };
}
