// @ts-check
import { el } from "../dom.js";
import { store } from "../store.js";
import { strings } from "../strings.js";
import { settingsStrings } from "../strings-settings.js";

/**
 * The pages of the settings.
 * @param {"apps" | "tokens" | "people" | "account"} current
 */
export function settingsTabs(current) {
  const pages = /** @type {const} */ (["apps", "tokens", "people", "account"]).filter((page) => page !== "people" || store.may("admin"));
  return el("nav", { class: "tabs", "aria-label": strings.nav.settings }, el("ul", null, pages.map((page) =>
    el("li", null, el("a", { href: `#/settings/${page}`, "aria-current": page === current ? "page" : null }, settingsStrings.settingsPages[page])))));
}
