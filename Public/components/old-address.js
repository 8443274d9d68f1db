// @ts-check
/** The second step of taking over any file: shipped apps keep polling its old address, so an alias has to answer there. */
import { el } from "../dom.js";
import { store } from "../store.js";
import { feedStrings } from "../strings/feeds.js";
import { importStrings } from "../strings/import.js";
import { newAppStrings } from "../strings/new-app.js";
import { aliasForm } from "./alias-form.js";
import { feedAddresses } from "./feed-addresses.js";

/**
 * @param {string} key the app's
 * @param {{ first: { feed?: string, platform?: string }, signal: AbortSignal }} options `first`: the default feed and platform of the alias
 */
export function oldAddress(key, { first, signal }) {
  const app = store.apps.get(key);
  return [
    app && store.may("admin")
      ? el("section", { class: "panel" }, el("h3", null, importStrings.alias), el("p", null, importStrings.aliasHint),
        aliasForm(app, { allowed: true, signal, first }))
      : el("p", { class: "hint" }, importStrings.aliasByAdmin),
    el("details", { class: "json" }, el("summary", null, newAppStrings.addresses),
      [...store.targets.values()].filter((target) => target.app === key).map((target) => feedAddresses(target)),
      el("p", { class: "hint" }, feedStrings.hint)),
    el("div", { class: "actions" }, el("a", { class: "button primary", href: "#/" }, newAppStrings.toOverview)),
  ];
}
