// @ts-check
/** For a server without apps: the form for the first app, and beside it the way to take over a file that an app polls already. */
import { el } from "../dom.js";
import { store } from "../store.js";
import { firstRunStrings } from "../strings/first-run.js";
import { newAppForm } from "./new-app-form.js";

/** @param {{ done: (trouble: string | null) => void }} options `trouble`: the app is there, but not all of its platforms are */
export function firstRun({ done }) {
  if (!store.mayAddApps) {
    return el("section", { class: "panel" },
      el("h1", { tabindex: "-1" }, firstRunStrings.title),
      el("p", null, firstRunStrings.viewer));
  }
  return el("section", { class: "first-run" },
    el("h1", { tabindex: "-1" }, firstRunStrings.title),
    el("p", null, firstRunStrings.intro),
    el("ol", { class: "steps" }, firstRunStrings.steps.map((step, number) =>
      el("li", { "aria-current": number === 0 ? "step" : null }, step))),
    el("div", { class: "choices" },
      el("div", { class: "choice" },
        el("h2", null, firstRunStrings.add),
        el("p", null, firstRunStrings.addHint),
        newAppForm({ done: (_, trouble) => done(trouble) })),
      el("div", { class: "choice" },
        el("h2", null, firstRunStrings.takeOver),
        el("p", null, firstRunStrings.takeOverHint),
        el("a", { class: "button", href: "#/settings/import" }, firstRunStrings.takeOver))));
}
