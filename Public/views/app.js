// @ts-check
/** `#/settings/apps/shop`: name, aliases, platforms with their settings, and deletion. */
import { changeApp, putPlatform } from "../api-apps.js";
import { el, show } from "../dom.js";
import { sayTarget } from "../gate.js";
import { store } from "../store.js";
import { appStrings } from "../strings/app.js";
import { settingsStrings } from "../strings/settings.js";
import { platformName, strings } from "../strings/shared.js";
import { aliasForm } from "../components/alias-form.js";
import { openDeleteDialog } from "../components/delete-dialog.js";
import { feedAddresses } from "../components/feed-addresses.js";
import { field } from "../components/field.js";
import { ownFeeds } from "../components/own-feeds.js";
import { platformForm } from "../components/platform-form.js";
import { saveForm } from "../components/save-form.js";
import { notFoundView } from "../components/shell.js";

/** @param {import("../app.js").ViewContext} context */
export function appView({ parameters: [key] }) {
  const found = store.apps.get(key);
  if (!found) return notFoundView();
  const title = el("h1", { tabindex: "-1" }, found.name);
  const platforms = el("h2", { tabindex: "-1" }, appStrings.platforms);
  const body = el("div");
  const admin = store.may("admin");

  /** Not called for live updates, so that what is being typed stays; called again when a platform was added or deleted. */
  function paint() {
    const app = store.apps.get(key);
    if (!app) return;
    title.textContent = app.name;
    let seen = app.name;
    const name = field(
      el("input", { name: "name", autocomplete: "off", dir: "auto", value: app.name, readonly: !admin }),
      { label: appStrings.name },
    );
    show(body,
      admin ? null : el("p", { class: "callout" }, strings.dialog.roleNeeded("admin")),
      saveForm({
        fields: { name }, content: [name.element], allowed: admin, about: app.name,
        save: () => changeApp(key, { name: name.control.value.trim(), seen: { name: seen } }),
        overtaken: async ({ detail }) => {
          await store.reload();
          seen = title.textContent = store.appName(key);
          return settingsStrings.overtaken(`${detail} ${settingsStrings.nowIs(seen)}`);
        },
        saved: async (changed) => {
          seen = changed.name;
          await store.reload();
          title.textContent = store.appName(key);
        },
      }),
      el("section", { class: "spread-panels" }, platforms,
        Object.keys(app.platforms).map((platform) => {
          const target = store.targets.get(`${key}/${platform}`);
          return el("section", { class: "panel" }, el("h3", null, platformName(platform), " ", el("code", null, platform)),
            platformForm(key, platform, app.platforms[platform], admin), target ? feedAddresses(target, 3) : null,
            admin ? el("div", { class: "actions" }, el("button", {
              type: "button", class: "button small", on: { click: () => void removePlatform(platform) },
            }, appStrings.delete(sayTarget({ app: key, platform })))) : null);
        }),
        admin ? addPlatform(key, paint) : null),
      ownFeeds(key, admin),
      el("section", null, el("h2", null, appStrings.aliases), el("p", null, appStrings.aliasesIntro), aliasForm(app, admin)),
      admin ? el("section", { class: "panel danger" }, el("h2", null, appStrings.danger), el("p", null, appStrings.dangerText),
        el("div", { class: "actions" },
          el("button", {
            type: "button", class: "button restrict", on: { click: () => void removeApp() },
          }, appStrings.delete(app.name)))) : null);
  }

  async function removeApp() {
    if (await openDeleteDialog({ app: key })) location.hash = "#/settings/apps";
  }

  /** @param {string} platform */
  async function removePlatform(platform) {
    if (!await openDeleteDialog({ app: key, platform })) return;
    paint();
    // The pressed button is gone together with the platform.
    platforms.focus();
  }
  paint();
  return {
    title: found.name,
    element: el("div", { class: "narrow spread" },
      el("p", { class: "crumbs" }, el("a", { href: "#/settings/apps" }, appStrings.back)),
      el("div", { class: "view-head" }, title, el("code", null, key)), body),
  };
}

/** @param {string} app @param {() => void} added */
function addPlatform(app, added) {
  const key = field(
    el("input", {
      name: "platform", autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false", class: "mono", required: true,
    }),
    { label: appStrings.platformKey, hint: appStrings.platformKeyHint },
  );
  return saveForm({
    fields: { platform: key }, content: [key.element], allowed: true, label: appStrings.addPlatform,
    save: () => putPlatform(app, key.control.value.trim(), {}),
    saved: async () => { await store.reload(); added(); },
  });
}
