// @ts-check
/** The settings of one platform: how its versions are written, where its store is, what has been shipped with which libraries. */
import { putPlatform } from "../api-apps.js";
import { el } from "../dom.js";
import { same, sayTarget } from "../gate.js";
import { store } from "../store.js";
import { appStrings } from "../strings/app.js";
import { settingsStrings } from "../strings/settings.js";
import { inEnvironment } from "../strings/shared.js";
import { clientsField, inOrder } from "./clients-field.js";
import { whoChanged } from "./conflict.js";
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
  /** @type {Record<string, unknown>} the same as the server spells them */
  let read = { ...settings };
  /** @type {[string, unknown][]} what was edited here, as it was last sent */
  let edited = [];

  /** @param {Record<string, unknown>} now */
  function learn(now) {
    const names = edited.map(([name]) => name);
    read = { ...read, ...Object.fromEntries(names.map((name) => [name, now[name]])) };
    return names;
  }
  return saveForm({
    fields: { versionScheme: scheme, storeURL: address, releases, defaultRetryInterval: retry },
    content: [scheme.element, address.element, releases.element, retry.element, clients?.element],
    allowed, about: sayTarget({ app, platform }),
    asks: () => inEnvironment(appStrings.saveSettings(sayTarget({ app, platform })), store.environment),
    save: async (terms, key) => {
      const libraries = clients ? clients.value() : {};
      if (libraries === null) return false;
      const sent = { ...written(), ...libraries };
      // Send only what was edited here: a pipeline, say, may have changed the releases meanwhile.
      edited = Object.entries(sent).filter(([name, value]) => !same(value, known[/** @type {keyof Settings} */ (name)]));
      const seen = Object.fromEntries(edited.map(([name]) => [name, read[name]]));
      return putPlatform(app, platform, { ...Object.fromEntries(edited), ...(edited.length > 0 ? { seen } : {}), ...terms }, key);
    },
    overtaken: async ({ detail, field: pointer = "", current }) => {
      if (!current) return settingsStrings.overtaken(detail);
      const [mine, before, theirs] = [written().releases, known.releases ?? [], current.settings.releases];
      const names = learn(current.settings);
      known = { ...known, ...Object.fromEntries(names.map((name) => [name, read[name]])) };
      // What was added or removed here is done to the list as it is now; every other field keeps what was written here.
      if (names.includes("releases")) {
        releases.control.value = [
          ...theirs.filter((one) => mine.includes(one) || !before.includes(one)),
          ...mine.filter((one) => !before.includes(one) && !theirs.includes(one)),
        ].join("\n");
      }
      const value = read[pointer.split("/").at(-1) ?? ""];
      const said = Array.isArray(value) ? value.join(", ") : String(value ?? "");
      return settingsStrings.overtaken(`${detail} ${settingsStrings.nowIs(said)}`, whoChanged(current.lastChange, current.revision));
    },
    saved: (target) => {
      learn(target.settings);
      known = { ...known, ...Object.fromEntries(edited) };
      return store.reload();
    },
  });
}
