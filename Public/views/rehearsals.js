// @ts-check
/** `#/rehearsals`: the gates being tried on phones now. */
import { rehearsals } from "../api-rehearsals.js";
import { el, show } from "../dom.js";
import { sayActor, titleTarget } from "../gate.js";
import { command } from "../gatectl.js";
import { store } from "../store.js";
import { rehearsalStrings } from "../strings/rehearsal.js";
import { strings } from "../strings/shared.js";
import { saidElement, saidTime } from "../time.js";
import { failure, skeleton } from "../components/shell.js";

/** @param {import("../app.js").ViewContext} context */
export function rehearsalsView({ signal }) {
  const list = el("ul", { class: "app-list" }, el("li", null, skeleton()));

  const about = { what: rehearsalStrings.title, line: command("rehearse", "list") };
  async function load() {
    try {
      const found = await rehearsals();
      if (signal.aborted) return;
      show(list, found.length === 0 ? el("li", { class: "empty" }, rehearsalStrings.none) : found.map((one) =>
        el("li", { class: "panel" },
          el("h2", null, el("a", { href: `#/rehearsals/${one.id}` }, titleTarget(one))),
          el("p", { class: "facts" },
            el("span", null, rehearsalStrings.until, " ", saidElement(() => saidTime(one.until))),
            el("span", null, sayActor(one.actor)),
            el("span", null, rehearsalStrings.count(one.pollCount))))));
    } catch (error) {
      if (!signal.aborted) show(list, el("li", null, failure(error, () => void load(), about)));
    }
  }
  if (store.may("operator")) void load();
  else show(list, el("li", { class: "callout" }, strings.dialog.roleNeeded("operator")));
  return {
    title: rehearsalStrings.title,
    element: el("div", { class: "narrow spread" },
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, rehearsalStrings.title)),
      el("p", null, rehearsalStrings.intro), list),
  };
}
