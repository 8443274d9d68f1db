// @ts-check
/** An app's feeds in its own shape: their documents and templates, and the form for new ones. */
import { ownFeed, putOwnFeed, removeOwnFeed } from "../api-own-feeds.js";
import { el, show } from "../dom.js";
import { command } from "../gatectl.js";
import { afterwards, store } from "../store.js";
import { ownFeedStrings as said } from "../strings/own-feeds.js";
import { settingsStrings } from "../strings/settings.js";
import { platformName } from "../strings/shared.js";
import { choices, field } from "./field.js";
import { openPlanDialog } from "./plan-dialog.js";
import { isPathPart, saveForm } from "./save-form.js";
import { failure } from "./shell.js";

/** @param {string} [value] */
const templateField = (value = "") => field(
  el("textarea", {
    name: "template", rows: 10, class: "mono", spellcheck: "false", autocapitalize: "none", autocomplete: "off", wrap: "off", value,
  }),
  { label: said.template, hint: said.templateHint },
);

/**
 * @param {string} key the app's
 * @param {boolean} allowed
 * @param {AbortSignal} signal
 */
export function ownFeeds(key, allowed, signal) {
  const title = el("h2", { tabindex: "-1" }, said.title);
  const list = el("ul", { class: "own-feeds" });

  /** @type {Map<string, HTMLElement>} */
  let items = new Map();

  /** Feeds that are listed already stay as they are, with what is being written in their templates. */
  function paint() {
    const feeds = store.apps.get(key)?.ownFeeds ?? [];
    items = new Map(feeds.map((feed) => [feed.path, items.get(feed.path) ?? item(feed)]));
    show(list, feeds.length === 0 ? el("li", { class: "hint" }, said.none) : [...items.values()]);
  }

  /** @param {import("../documents.js").ListedOwnFeed} feed */
  function item({ name, platform, path }) {
    const place = el("div");
    const opener = el("button", {
      type: "button", class: "button small", "aria-expanded": "false", "aria-label": said.changeOf(name),
      on: { click: () => void toggle() },
    }, said.change);

    /** It may be folded again before the answer comes. */
    const isWanted = () => opener.getAttribute("aria-expanded") === "true";
    const about = { what: name, line: command("feeds", "show", key, name) };
    /** Whether something is written in it that has not been saved. */
    let isWritten = () => false;
    async function toggle() {
      const isOpen = isWanted();
      opener.setAttribute("aria-expanded", String(!isOpen));
      place.hidden = isOpen;
      // Unfolded again, it is read anew, unless that would take away what is being written.
      if (isWritten()) return;
      if (isOpen) return show(place);
      try {
        const feed = await ownFeed(key, name);
        if (isWanted()) show(place, editor(feed));
      } catch (error) {
        if (!isWanted()) return;
        const again = () => { opener.setAttribute("aria-expanded", "false"); void toggle(); };
        show(place, failure(error, again, about));
      }
    }

    /** @param {import("../api-own-feeds.js").OwnFeed} feed */
    function editor(feed) {
      const template = templateField(feed.template);
      let seen = feed.template;
      isWritten = () => template.control.value !== seen;
      const now = el("pre", { class: "mono own-document", tabindex: "0", "aria-label": said.document }, feed.document);
      return saveForm({
        fields: { template }, allowed, label: said.save, about: name,
        content: [template.element, el("div", { class: "field" }, el("p", { class: "field-head" }, said.document), now)],
        asks: () => said.saves(name, store.appName(key)),
        save: (terms, own) => putOwnFeed(key, name, {
          ...(platform ? { platform } : {}), template: template.control.value, seen: { template: seen }, ...terms,
        }, own),
        // The plan that comes next shows the document of the other template beside what this one makes of it.
        overtaken: async ({ detail }) => {
          await look();
          return settingsStrings.overtaken(detail);
        },
        saved: async () => {
          await look();
          await store.reload();
        },
      });

      async function look() {
        const present = await ownFeed(key, name);
        seen = present.template;
        now.textContent = present.document;
      }
    }

    return el("li", { class: "panel" },
      el("div", { class: "section-head" },
        el("h3", null, el("code", null, path), " ", el("span", { class: "hint" }, said.of(platform))),
        el("div", { class: "actions" }, opener, allowed
          ? el("button", { type: "button", class: "button small", on: { click: () => void remove(name) } }, said.remove(name))
          : null)),
      place);
  }

  /** @param {string} name */
  async function remove(name) {
    const gone = await openPlanDialog({
      title: said.removeTitle(name, store.environment), working: said.removing, text: said.removeText,
      ask: async (terms) => (await removeOwnFeed(key, name, { ...terms, dryRun: true })).plan,
      send: (terms, { keyFor }) => removeOwnFeed(key, name, terms, keyFor(terms)),
    });
    if (gone === null) return;
    await afterwards(store.reload());
    paint();
    // The pressed button is gone together with the feed.
    title.focus();
  }

  function fresh() {
    const name = field(
      el("input", { name: "own-name", autocomplete: "off", autocapitalize: "none", spellcheck: "false", class: "mono" }),
      { label: said.name, hint: said.nameHint },
    );
    const platform = field(el("select", { name: "own-platform" }), { label: said.platform });
    const offer = () => choices(platform.control, [
      ["", said.wholeApp],
      ...Object.keys(store.apps.get(key)?.platforms ?? {}).map((one) => /** @type {[string, string]} */ ([one, platformName(one)])),
    ]);
    offer();
    store.on("apps", offer, signal);
    const template = templateField();
    return el("details", { class: "json" }, el("summary", null, said.fresh), saveForm({
      fields: { name, platform, template }, content: [el("div", { class: "two" }, name.element, platform.element), template.element],
      allowed, label: said.add,
      asks: () => said.saves(name.control.value.trim(), store.appName(key)),
      save: async (terms, own) => {
        const part = name.control.value.trim();
        if (!isPathPart(part)) {
          name.error(said.nameMissing);
          name.control.focus();
          return false;
        }
        return putOwnFeed(key, part, {
          ...(platform.control.value ? { platform: platform.control.value } : {}), template: template.control.value,
          seen: { template: null }, ...terms,
        }, own);
      },
      // The feed that somebody else has made is in the list then; this form makes none over it.
      overtaken: async ({ detail }) => {
        await store.reload();
        paint();
        return detail;
      },
      saved: async () => {
        for (const { control } of [name, template]) control.value = "";
        await store.reload();
        paint();
      },
    }));
  }

  paint();
  return el("section", null, title, el("p", null, said.intro), list,
    allowed
      ? [el("div", { class: "actions" },
        el("a", { class: "button", href: `#/settings/import?app=${encodeURIComponent(key)}` }, said.takeOver)), fresh()]
      : null);
}
