// @ts-check
import { el } from "../dom.js";
import { store } from "../store.js";
import { overviewStrings } from "../strings/overview.js";

/** A server without apps: what to do in the first minute. */
export function firstRun() {
  if (!store.may("admin")) {
    return el("section", { class: "panel" },
      el("h1", { tabindex: "-1" }, overviewStrings.first.title),
      el("p", null, overviewStrings.first.viewer));
  }
  return el("section", { class: "first-run" },
    el("h1", { tabindex: "-1" }, overviewStrings.first.title),
    el("p", null, overviewStrings.first.intro),
    el("ol", { class: "steps" }, overviewStrings.first.steps.map((step) => el("li", null, step))),
    el("div", { class: "choices" },
      el("div", { class: "choice" },
        el("h2", null, overviewStrings.first.add),
        el("p", null, overviewStrings.first.addHint),
        el("a", { class: "button primary", href: "#/settings/apps/new" }, overviewStrings.first.add)),
      el("div", { class: "choice" },
        el("h2", null, overviewStrings.first.takeOver),
        el("p", null, overviewStrings.first.takeOverHint),
        el("a", { class: "button", href: "#/settings/import" }, overviewStrings.first.takeOver))));
}
