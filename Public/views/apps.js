// @ts-check
/** `#/settings/apps`: every app with its platforms. */
import { el, show } from "../dom.js";
import { store } from "../store.js";
import { appsStrings } from "../strings/apps.js";
import { importStrings } from "../strings/import.js";
import { newAppStrings } from "../strings/new-app.js";
import { platformName, strings } from "../strings/shared.js";
import { settingsTabs } from "../components/settings-tabs.js";

/** @param {import("../app.js").ViewContext} context */
export function appsView({ signal }) {
  const list = el("div");
  const admin = store.may("admin");
  function paint() {
    const apps = [...store.apps.values()].sort((one, other) => one.name.localeCompare(other.name));
    show(list, apps.length === 0 ? el("p", { class: "empty" }, appsStrings.none)
      : el("ul", { class: "app-list" }, apps.map((app) => el("li", { class: "panel" },
        el("h2", null, el("a", { href: `#/settings/apps/${app.key}` }, app.name), " ", el("code", null, app.key)),
        el("p", { class: "facts" },
          el("span", null, Object.keys(app.platforms).map(platformName).join(", ") || strings.none),
          (app.aliases ?? []).length > 0 ? el("span", null, appsStrings.aliases(app.aliases.length)) : null)))));
  }
  store.on("apps", paint, signal);
  paint();
  return {
    title: appsStrings.title,
    element: el("div", null,
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, appsStrings.title),
        el("div", { class: "actions" },
          admin ? el("a", { class: "button primary", href: "#/settings/apps/new" }, newAppStrings.title) : null,
          store.may("operator") ? el("a", { class: "button", href: "#/settings/import" }, importStrings.title) : null)),
      settingsTabs("apps"), list),
  };
}
