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
import { notFoundView } from "../components/not-found.js";
import { ownFeeds } from "../components/own-feeds.js";
import { platformForm } from "../components/platform-form.js";
import { isPathPart, saveForm } from "../components/save-form.js";

/** @param {import("../app.js").ViewContext} context */
export function appView({ parameters: [key], signal, again }) {
  const found = store.apps.get(key);
  if (!found) return notFoundView({ isThere: () => store.apps.has(key), again, signal });
  const title = el("h1", { tabindex: "-1" }, found.name);
  const platforms = el("h2", { tabindex: "-1" }, appStrings.platforms);
  const admin = store.may("admin");
  const section = el("section", { class: "spread-panels" });
  const adding = admin ? addPlatform(key, added) : null;
  /** @type {Map<string, HTMLElement>} */
  const panels = new Map();

  /** Shows the platforms that there are now. The panels of the others stay as they are, with what is being written in them. */
  function paintPlatforms() {
    const app = store.apps.get(key);
    if (!app) return;
    for (const platform of panels.keys()) if (!(platform in app.platforms)) panels.delete(platform);
    for (const platform of Object.keys(app.platforms)) {
      if (!panels.has(platform)) panels.set(platform, platformPanel(platform, app.platforms[platform]));
    }
    show(section, platforms, Object.keys(app.platforms).map((platform) => panels.get(platform)), adding);
  }

  /** @param {string} platform @param {import("../documents.js").Settings} settings */
  function platformPanel(platform, settings) {
    const target = store.targets.get(`${key}/${platform}`);
    return el("section", { class: "panel" },
      el("h3", { tabindex: "-1" }, platformName(platform), " ", el("code", null, platform)),
      platformForm(key, platform, settings, admin), target ? feedAddresses(target, 3) : null,
      admin
        ? el("div", { class: "actions" }, deleting("small", () => sayTarget({ app: key, platform }), () => removePlatform(platform)))
        : null);
  }

  /**
   * A button that names what it deletes as it is called now; somebody else may have renamed the app.
   * @param {string} look @param {() => string} name @param {() => Promise<void>} press
   */
  function deleting(look, name, press) {
    const button = el("button", { type: "button", class: `button ${look}`, on: { click: () => void press() } });
    const paint = () => { button.textContent = appStrings.delete(name()); };
    store.on("apps", paint, signal);
    paint();
    return button;
  }

  /** @param {string} platform */
  function added(platform) {
    paintPlatforms();
    panels.get(platform)?.querySelector("h3")?.focus();
  }

  function content(/** @type {import("../documents.js").App} */ app) {
    let seen = app.name;
    const name = field(
      el("input", { name: "name", autocomplete: "off", dir: "auto", value: app.name, readonly: !admin }),
      { label: appStrings.name },
    );
    return [
      admin ? null : el("p", { class: "callout" }, strings.dialog.roleNeeded("admin")),
      saveForm({
        fields: { name }, content: [name.element], allowed: admin, about: app.name,
        save: () => changeApp(key, { name: name.control.value.trim(), seen: { name: seen } }),
        overtaken: async ({ detail }) => {
          await store.reload();
          seen = store.appName(key);
          return settingsStrings.overtaken(`${detail} ${settingsStrings.nowIs(seen)}`);
        },
        saved: (changed) => {
          seen = changed.name;
          return store.reload();
        },
      }),
      section,
      ownFeeds(key, admin, signal),
      el("section", null, el("h2", null, appStrings.aliases), el("p", null, appStrings.aliasesIntro),
        aliasForm(app, { allowed: admin, signal })),
      admin ? el("section", { class: "panel danger" }, el("h2", null, appStrings.danger), el("p", null, appStrings.dangerText),
        el("div", { class: "actions" }, deleting("restrict", () => store.appName(key), removeApp))) : null,
    ];
  }

  async function removeApp() {
    if (await openDeleteDialog({ app: key })) location.hash = "#/settings/apps";
  }

  /** @param {string} platform */
  async function removePlatform(platform) {
    if (!await openDeleteDialog({ app: key, platform })) return;
    paintPlatforms();
    // The pressed button is gone together with the platform.
    platforms.focus();
  }
  paintPlatforms();
  store.on("apps", () => { title.textContent = store.appName(key); }, signal);
  return {
    title: () => store.appName(key),
    element: el("div", { class: "narrow spread" },
      el("p", { class: "crumbs" }, el("a", { href: "#/settings/apps" }, appStrings.back)),
      el("div", { class: "view-head" }, title, el("code", null, key)), el("div", null, content(found))),
  };
}

/** @param {string} app @param {(platform: string) => void} added */
function addPlatform(app, added) {
  const key = field(
    el("input", {
      name: "platform", autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false", class: "mono", required: true,
    }),
    { label: appStrings.platformKey, hint: appStrings.platformKeyHint },
  );
  return saveForm({
    fields: { platform: key }, content: [key.element], allowed: true, label: appStrings.addPlatform,
    save: async () => {
      const platform = key.control.value.trim();
      // The server takes it for settings that stay as they are.
      const isThere = Object.hasOwn(store.apps.get(app)?.platforms ?? {}, platform);
      if (isPathPart(platform) && !isThere) return putPlatform(app, platform, {});
      key.error(isThere ? appStrings.platformExists(platform) : appStrings.platformMissing);
      key.control.focus();
      return false;
    },
    saved: async () => {
      const platform = key.control.value.trim();
      key.control.value = "";
      await store.reload();
      added(platform);
    },
  });
}
