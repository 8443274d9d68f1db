// @ts-check
/** `#/settings/apps/new`: asks for name, key and platforms; then shows the addresses, which answer already. */
import * as api from "../api.js";
import { el, show, styleSheet } from "../dom.js";
import { store } from "../store.js";
import { feedStrings } from "../strings/feeds.js";
import { newAppStrings } from "../strings/new-app.js";
import { feedAddresses } from "../components/feed-addresses.js";
import { firstPoll } from "../components/first-poll.js";
import { newAppForm } from "../components/new-app-form.js";

/** @param {import("../app.js").ViewContext} context */
export function newAppView({ signal }) {
  void styleSheet("first-run.css");
  const body = el("div");
  const title = el("h1", { tabindex: "-1" }, newAppStrings.title);

  /** @param {import("../documents.js").App} app @param {string | null} trouble */
  function added(app, trouble) {
    title.textContent = newAppStrings.added(app.name);
    show(body,
      trouble ? el("p", { class: "callout", role: "alert" }, trouble) : null,
      el("p", null, newAppStrings.addedHint),
      firstPoll(app.key, signal),
      el("details", { class: "json" }, el("summary", null, newAppStrings.addresses),
        [...store.targets.values()].filter((target) => target.app === app.key).map((target) => feedAddresses(target)),
        el("p", { class: "hint" }, feedStrings.hint)),
      el("div", { class: "actions" },
        el("a", { class: "button primary", href: "#/" }, newAppStrings.toOverview),
        el("a", { class: "button", href: `#/settings/import?app=${app.key}` }, newAppStrings.toImport)));
    title.focus();
  }
  show(body, store.mayAddApps ? newAppForm({ done: added }) : el("p", { class: "callout" }, newAppStrings.ofAllApps));
  return { title: newAppStrings.title, element: el("div", { class: "narrow" }, el("div", { class: "view-head" }, title), body) };
}
