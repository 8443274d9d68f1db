// @ts-check
import { el } from "../dom.js";
import { store } from "../store.js";
import { strings } from "../strings.js";

/** A server without apps: what to do in the first minute. */
export function firstRun() {
  if (!store.may("admin")) return el("section", { class: "panel" }, el("h1", { tabindex: "-1" }, strings.first.title), el("p", null, strings.first.viewer));
  return el("section", { class: "first-run" },
    el("h1", { tabindex: "-1" }, strings.first.title),
    el("p", null, strings.first.intro),
    el("ol", { class: "steps" }, strings.first.steps.map((step) => el("li", null, step))),
    el("div", { class: "choices" },
      el("div", { class: "choice" }, el("h2", null, strings.first.add), el("p", null, strings.first.addHint), el("a", { class: "button primary", href: "#/settings/apps/new" }, strings.first.add)),
      el("div", { class: "choice" }, el("h2", null, strings.first.takeOver), el("p", null, strings.first.takeOverHint), el("a", { class: "button", href: "#/settings/import" }, strings.first.takeOver))));
}
