// @ts-check
/** `#/settings/apps`: every app with its platforms. */
import { el, show } from "../dom.js";
import { sayTarget } from "../gate.js";
import { stateBadge } from "../icons.js";
import { nameOf, store } from "../store.js";
import { appsStrings } from "../strings/apps.js";
import { importStrings } from "../strings/import.js";
import { newAppStrings } from "../strings/new-app.js";
import { overviewStrings, platformName, strings } from "../strings/shared.js";
import { settingsTabs } from "../components/settings-tabs.js";

/** @param {import("../app.js").ViewContext} context */
export function appsView({ signal }) {
  const list = el("div");
  function paint() {
    const apps = [...store.apps.values()].sort((one, other) => one.name.localeCompare(other.name));
    show(list, apps.length === 0 ? el("p", { class: "empty" }, appsStrings.none)
      : el("ul", { class: "app-list" }, apps.map((app) => el("li", { class: "panel" },
        el("h2", null, el("a", { href: `#/settings/apps/${app.key}` }, app.name), " ", el("code", null, app.key)),
        (app.aliases ?? []).length > 0 ? el("p", { class: "hint" }, appsStrings.aliases(app.aliases.length)) : null,
        platformsOf(app)))));
  }
  for (const topic of /** @type {import("../store.js").Topic[]} */ (["apps", "targets"])) store.on(topic, paint, signal);
  paint();
  return {
    title: appsStrings.title,
    element: el("div", null,
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, appsStrings.title),
        el("div", { class: "actions" },
          store.mayAddApps ? el("a", { class: "button primary", href: "#/settings/apps/new" }, newAppStrings.title) : null,
          store.may("operator") ? el("a", { class: "button", href: "#/settings/import" }, importStrings.title) : null)),
      settingsTabs("apps"), list),
  };
}

/**
 * Each platform with its state and a link to it.
 * @param {import("../documents.js").App} app
 */
function platformsOf(app) {
  const platforms = Object.keys(app.platforms).sort((one, other) => platformName(one).localeCompare(platformName(other)));
  if (platforms.length === 0) return el("p", { class: "hint" }, overviewStrings.noPlatforms(app.name));
  return el("ul", { class: "app-states" }, platforms.map((platform) => {
    const target = store.targets.get(nameOf({ app: app.key, platform }));
    return el("li", { "data-state": target?.state }, target
      ? el("a", {
        href: `#/t/${nameOf(target)}`, "data-key": `state ${nameOf(target)}`,
        "aria-label": appsStrings.state(sayTarget(target), strings.state[target.state]),
      }, el("span", null, platformName(platform)), stateBadge(target.state, undefined, strings.stateShort[target.state]))
      : platformName(platform));
  }));
}
