// @ts-check
/** The settings of one platform: how its versions are written, where its store is, what has been shipped with which libraries. */
import { putPlatform } from "../api-apps.js";
import { el } from "../dom.js";
import { same, sayTarget } from "../gate.js";
import { store } from "../store.js";
import { appStrings } from "../strings/app.js";
import { clientsField, inOrder } from "./clients-field.js";
import { field } from "./field.js";
import { saveForm } from "./save-form.js";

/** @typedef {import("../documents.js").Settings} Settings */

/** @param {string} app @param {string} platform @param {Settings} settings @param {boolean} allowed */
export function platformForm(app, platform, settings, allowed) {
  const scheme = field(
    el("select", { name: "versionScheme", disabled: !allowed },
      Object.entries(appStrings.schemes).map(([value, text]) => el("option", { value }, text))),
    { label: appStrings.scheme },
  );
  scheme.control.value = settings.versionScheme;
  const address = field(
    el("input", { type: "url", name: "storeURL", autocomplete: "off", value: settings.storeURL ?? "", readonly: !allowed }),
    { label: appStrings.storeURL, hint: appStrings.storeHint },
  );
  const releases = field(
    el("textarea", {
      name: "releases", rows: 3, class: "mono", spellcheck: "false", autocomplete: "off", value: (settings.releases ?? []).join("\n"),
      readonly: !allowed,
    }),
    { label: appStrings.releases, hint: appStrings.releasesHint },
  );
  const retry = field(
    el("input", {
      type: "number", name: "defaultRetryInterval", min: 5, max: 3600, inputmode: "numeric", value: String(settings.defaultRetryInterval),
      readonly: !allowed,
    }),
    { label: appStrings.retry, hint: appStrings.retryHint },
  );
  // A server without this setting would refuse it.
  const clients = settings.clients === undefined ? null : clientsField(settings.clients, allowed);
  const written = () => ({
    versionScheme: /** @type {Settings["versionScheme"]} */ (scheme.control.value),
    storeURL: address.control.value.trim() || null,
    releases: releases.control.value.split(/[\s,]+/).filter(Boolean),
    defaultRetryInterval: Number(retry.control.value),
  });
  /** @type {Partial<Settings>} the saved settings, as far as this form knows */
  let known = { ...written(), clients: inOrder(settings.clients ?? null) };
  /** @type {Partial<Settings>} */
  let sent = {};
  return saveForm({
    fields: { versionScheme: scheme, storeURL: address, releases, defaultRetryInterval: retry },
    content: [scheme.element, address.element, releases.element, retry.element, clients?.element],
    allowed, about: sayTarget({ app, platform }),
    asks: () => appStrings.inEnvironment(appStrings.saveSettings(sayTarget({ app, platform })), store.environment),
    save: async (terms, key) => {
      const libraries = clients ? clients.value() : {};
      if (libraries === null) return false;
      sent = { ...written(), ...libraries };
      // Send only what was edited here: a pipeline, say, may have changed the releases meanwhile.
      const changed = Object.entries(sent).filter(([name, value]) => !same(value, known[/** @type {keyof Settings} */ (name)]));
      return putPlatform(app, platform, { ...Object.fromEntries(changed), ...terms }, key);
    },
    saved: () => {
      known = { ...known, ...sent };
      return store.reload();
    },
  });
}
