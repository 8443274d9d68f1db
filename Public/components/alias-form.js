// @ts-check
/** The paths that shipped apps poll, and which feed answers there. */
import { changeApp } from "../api-apps.js";
import { el, show } from "../dom.js";
import { store } from "../store.js";
import { appStrings } from "../strings/app.js";
import { settingsStrings } from "../strings/settings.js";
import { inEnvironment, platformName } from "../strings/shared.js";
import { choices, field } from "./field.js";
import { saveForm } from "./save-form.js";

/** These feeds belong to one platform, which must be named; the others belong to the whole app. */
const OF_PLATFORM = new Set(["bellerophon.json", "combined.json", "gate.json"]);
const FEEDS = ["launchgate.json", "prince-of-versions.json", "bellerophon.json", "combined.json", "gate.json"];

/**
 * @param {import("../documents.js").App} app
 * @param {{ allowed: boolean, signal: AbortSignal, first?: { feed?: string, platform?: string } }} options
 *   `first`: the default feed and platform of a new alias
 */
export function aliasForm(app, { allowed, signal, first = {} }) {
  let aliases = [...(app.aliases ?? [])];
  /** The platform of each feed in an own shape, as it was made. @type {Map<string, string | null | undefined>} */
  let own = new Map();

  const list = el("ul", { class: "alias-list", tabindex: "-1", "aria-label": appStrings.aliases });
  const news = el("div", { class: "problem", role: "alert" });
  const path = field(
    el("input", { name: "path", autocomplete: "off", autocapitalize: "none", spellcheck: "false", class: "mono" }),
    { label: appStrings.path, hint: appStrings.pathHint },
  );
  const feed = field(el("select", { name: "feed" }), { label: appStrings.feed });
  const platform = field(el("select", { name: "platform" }), { label: appStrings.platform });

  function follow() {
    platform.element.hidden = !OF_PLATFORM.has(feed.control.value);
  }

  /** Offers the feeds and platforms that there are now; some may have been made on this very screen. */
  function offer() {
    const { ownFeeds = [], platforms } = store.apps.get(app.key) ?? app;
    own = new Map(ownFeeds.map((one) => [`own/${one.name}.json`, one.platform]));
    choices(feed.control, [...FEEDS, ...own.keys()].map((name) => [name, name]));
    choices(platform.control, Object.keys(platforms).map((key) => [key, platformName(key)]));
    follow();
  }
  offer();
  store.on("apps", offer, signal);
  for (const [{ control }, value] of /** @type {const} */ ([[feed, first.feed], [platform, first.platform]])) {
    if (value && [.../** @type {HTMLSelectElement} */ (control).options].some((one) => one.value === value)) control.value = value;
  }
  feed.control.addEventListener("input", follow);
  follow();

  /** @param {import("../documents.js").Alias[]} next @param {import("../api-apps.js").Terms} terms @param {string} [key] */
  function write(next, terms, key) {
    news.textContent = "";
    return changeApp(app.key, { aliases: next, seen: { aliases }, ...terms }, key);
  }

  /** @param {import("../documents.js").Problem} refusal */
  async function overtaken({ detail }) {
    await store.reload();
    aliases = [...(store.apps.get(app.key)?.aliases ?? [])];
    paint();
    // Beside the list, because the form that was pressed may be gone from it.
    news.textContent = settingsStrings.overtaken(detail);
    return "";
  }

  /** @param {import("../documents.js").App} changed */
  async function written(changed) {
    aliases = [...changed.aliases];
    paint();
    await store.reload();
  }

  function paint() {
    show(list, aliases.length === 0 ? el("li", { class: "hint" }, appStrings.noAliases) : aliases.map((alias) => el("li", null,
      el("code", null, alias.path), " → ", el("span", null, alias.feed, alias.platform ? ` (${platformName(alias.platform)})` : ""),
      allowed
        ? saveForm({
          fields: {}, content: [], allowed, label: appStrings.removeAlias(alias.path),
          asks: () => inEnvironment(appStrings.removeAlias(alias.path), store.environment),
          save: (terms, key) => write(aliases.filter((other) => other.path !== alias.path), terms, key),
          overtaken,
          saved: async (changed) => {
            await written(changed);
            // The pressed button is gone together with the alias.
            list.focus();
          },
        })
        : null)));
  }
  paint();

  return el("div", null, list, news, allowed ? saveForm({
    fields: { path, aliases: path, feed, platform }, content: [el("div", { class: "three" }, path.element, feed.element, platform.element)],
    allowed, label: appStrings.addAlias,
    asks: () => inEnvironment(appStrings.addsAlias(path.control.value.trim()), store.environment),
    save: (terms, key) => write([...aliases, {
      path: path.control.value.trim(), feed: feed.control.value,
      ...(OF_PLATFORM.has(feed.control.value) ? { platform: platform.control.value } : {}),
      ...(own.get(feed.control.value) ? { platform: own.get(feed.control.value) } : {}),
    }], terms, key),
    overtaken,
    saved: async (changed) => {
      await written(changed);
      path.control.value = "";
    },
  }) : null);
}
