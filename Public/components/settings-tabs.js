// @ts-check
import { el } from "../dom.js";
import { store } from "../store.js";
import { shellStrings } from "../strings/shared.js";

/**
 * The pages of the settings.
 * @param {"apps" | "tokens" | "people" | "account"} current
 */
export function settingsTabs(current) {
  const pages = /** @type {const} */ (["apps", "tokens", "people", "account"]).filter((page) => page !== "people" || store.may("admin"));
  return el("nav", { class: "tabs", "aria-label": shellStrings.nav.settings }, el("ul", null, pages.map((page) =>
    el("li", null,
      el("a", { href: `#/settings/${page}`, "aria-current": page === current ? "page" : null }, shellStrings.settingsPages[page])))));
}
