// @ts-check
/** The other half of taking a file over, whatever was in it: shipped apps go on asking at its old address, which an alias answers. */
import { el } from "../dom.js";
import { store } from "../store.js";
import { feedStrings } from "../strings/feeds.js";
import { importStrings } from "../strings/import.js";
import { newAppStrings } from "../strings/new-app.js";
import { aliasForm } from "./alias-form.js";
import { feedAddresses } from "./feed-addresses.js";

/**
 * @param {string} key the app's
 * @param {{ feed?: string, platform?: string }} first what the alias is for as long as nobody says otherwise
 */
export function oldAddress(key, first) {
  const app = store.apps.get(key);
  return [
    app && store.may("admin")
      ? el("section", { class: "panel" }, el("h3", null, importStrings.alias), el("p", null, importStrings.aliasHint),
        aliasForm(app, true, first))
      : el("p", { class: "hint" }, importStrings.aliasByAdmin),
    el("details", { class: "json" }, el("summary", null, newAppStrings.addresses),
      [...store.targets.values()].filter((target) => target.app === key).map((target) => feedAddresses(target)),
      el("p", { class: "hint" }, feedStrings.hint)),
    el("div", { class: "actions" }, el("a", { class: "button primary", href: "#/" }, newAppStrings.toOverview)),
  ];
}
