// @ts-check
/** The settings of one platform: how its versions are written, where its store is, what has been shipped. */
import * as api from "../api.js";
import { el } from "../dom.js";
import { store } from "../store.js";
import { strings } from "../strings.js";
import { targetStrings } from "../strings-target.js";
import { settingsStrings } from "../strings-settings.js";
import { field } from "./field.js";
import { saveForm } from "./save-form.js";

/** @param {string} app @param {string} platform @param {api.Settings} settings @param {boolean} allowed */
export function platformForm(app, platform, settings, allowed) {
  const scheme = field(el("select", { name: "versionScheme", disabled: !allowed }, Object.entries(targetStrings.page.schemes).map(([value, text]) => el("option", { value }, text))), { label: settingsStrings.appPage.scheme });
  scheme.control.value = settings.versionScheme;
  const address = field(el("input", { type: "url", name: "storeURL", autocomplete: "off", value: settings.storeURL ?? "", readonly: !allowed }), { label: settingsStrings.appPage.storeURL, hint: settingsStrings.appPage.storeHint });
  const releases = field(el("textarea", { name: "releases", rows: 3, class: "mono", spellcheck: "false", autocomplete: "off", value: (settings.releases ?? []).join("\n"), readonly: !allowed }), { label: settingsStrings.appPage.releases, hint: settingsStrings.appPage.releasesHint });
  const retry = field(el("input", { type: "number", name: "defaultRetryInterval", min: 5, max: 3600, inputmode: "numeric", value: String(settings.defaultRetryInterval), readonly: !allowed }), { label: settingsStrings.appPage.retry, hint: settingsStrings.appPage.retryHint });
  return saveForm({
    fields: { versionScheme: scheme, storeURL: address, releases, defaultRetryInterval: retry },
    content: [scheme.element, address.element, releases.element, retry.element],
    allowed,
    save: () => api.putPlatform(app, platform, {
      versionScheme: /** @type {api.Settings["versionScheme"]} */ (scheme.control.value),
      storeURL: address.control.value.trim() || null,
      releases: releases.control.value.split(/[\s,]+/).filter(Boolean),
      defaultRetryInterval: Number(retry.control.value),
    }),
    saved: () => store.reload(),
  });
}
