// @ts-check
/**
 * What one phone shows, drawn after the server's answer. The browser decides nothing: what is drawn, and what is said about it, is what
 * came back, and without an answer there is no drawing. The sentence under it is its text alternative.
 */
import * as api from "../api.js";
import { simulate } from "../api-simulate.js";
import { el, show } from "../dom.js";
import { nameOf } from "../store.js";
import { strings } from "../strings/shared.js";
import { targetStrings } from "../strings/target.js";
import { styleSheet } from "../styles.js";
import { field } from "./field.js";

/** @typedef {import("../api.js").Target} Target */
/** @typedef {import("../api-simulate.js").Simulation} Simulation */
/** @typedef {{ client: string, version: string, locale: string, direction: string, seen: boolean, dark: boolean, large: boolean }} Phone */
/**
 * @typedef {{ element: HTMLElement,
 *   show: (target: Target, set?: Record<string, unknown> | null) => void }} Preview
 *   `set`: a draft; null while there is none that could be looked at
 */

const words = targetStrings.preview;
const DELAY = 250;
const LANGUAGES = ["ar", "de", "en", "es", "fr", "he", "it", "ja", "pt", "zh"];

/**
 * The phone that was looked at last, for each target: a dialog goes on with the page's.
 * @type {Map<string, Phone>}
 */
const phones = new Map();

/**
 * A phone that the oldest known version runs on: it is the old versions that gates are for.
 * @param {Target} target
 * @returns {Phone}
 */
function phoneOf(target) {
  const { releases, versionScheme } = target.settings;
  const first = {
    client: "", version: releases[0] ?? (versionScheme === "code" ? "1" : "1.0.0"), locale: "", direction: "", seen: false,
    dark: matchMedia("(prefers-color-scheme: dark)").matches, large: false,
  };
  const phone = phones.get(nameOf(target)) ?? first;
  phones.set(nameOf(target), phone);
  return phone;
}

/**
 * @param {Target} target
 * @param {AbortSignal} signal
 * @param {{ folded?: boolean }} options `folded`: the phone's own settings are one tap away
 * @returns {Preview}
 */
export function phonePreview(target, signal, { folded = false } = {}) {
  void styleSheet("preview.css");
  const phone = phoneOf(target);
  /** @type {Record<string, unknown> | null | undefined} */
  let draft;
  /** @type {Simulation | null} */
  let answer = null;
  let question = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  signal.addEventListener("abort", () => clearTimeout(timer));

  // No names: what is set here is no part of a draft that is kept.
  const client = el("select", null);
  const releases = el("datalist", { id: `releases-${nameOf(target).replace("/", "-")}${folded ? "-draft" : ""}` },
    target.settings.releases.map((release) => el("option", { value: release })));
  const version = el("input", {
    class: "mono", value: phone.version, autocomplete: "off", autocapitalize: "none", spellcheck: "false", list: releases.id,
  });
  const versionField = field(version, { label: words.version, after: [releases] });
  const locale = el("select", null, ["", ...LANGUAGES].map((tag) => el("option", { value: tag }, tag || words.anyLanguage)));
  const direction = el("select", null, Object.entries(words.directions).map(([value, text]) => el("option", { value }, text)));
  /** @param {"seen" | "dark" | "large"} name */
  const box = (name) =>
    el("label", { class: "check" }, el("input", { type: "checkbox", checked: phone[name], "data-phone": name }), words[name]);
  locale.value = phone.locale;
  direction.value = phone.direction;

  const controls = el("div", {
    class: "preview-controls",
    on: {
      input: (event) => { event.stopPropagation(); changed(event.target); },
      // Return in here must not publish the dialog around it.
      keydown: (event) => {
        if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) { event.preventDefault(); event.stopPropagation(); }
      },
    },
  },
    el("div", { class: "preview-fields" },
      field(client, { label: words.client }).element,
      versionField.element,
      field(locale, { label: words.locale }).element,
      field(direction, { label: words.direction }).element),
    el("div", { class: "checks" }, box("seen"), box("dark"), box("large")));
  const screen = el("div", { class: "phone", "aria-hidden": "true" });
  const sentence = el("p", { class: "preview-says" });
  const reads = el("p", { class: "visually-hidden", dir: "auto" });
  const hidden = el("ul", { class: "preview-hidden" });
  const figure = el("figure", null, screen, el("figcaption", null, sentence, reads, hidden));
  const problem = el("p", { class: "hint" }, words.waiting);
  const about = el("p", { class: "hint" }, words.approximation);
  const element = el("div", { class: "preview" },
    figure, problem,
    folded ? el("details", null, el("summary", null, words.phone), controls, about) : [controls, about]);
  figure.hidden = true;

  /** @param {EventTarget | null} control */
  function changed(control) {
    Object.assign(phone, { client: client.value, version: version.value.trim(), locale: locale.value, direction: direction.value });
    const toggled = control instanceof HTMLInputElement ? control.dataset.phone : undefined;
    if (toggled && control instanceof HTMLInputElement) Object.assign(phone, { [toggled]: control.checked });
    // How it is drawn is for the browser; what is drawn is asked for.
    if (control === direction || toggled === "dark" || toggled === "large") return void (answer && draw(answer));
    ask();
  }

  function ask() {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), DELAY);
  }

  async function look() {
    const folder = element.closest("details:not([open])");
    // Nobody looks, so nobody is asked.
    if (folder) return folder.addEventListener("toggle", ask, { once: true, signal });
    question += 1;
    const mine = question;
    if (draft === null || phone.version === "") return say(words.incomplete);
    try {
      const found = await simulate({
        app: target.app, platform: target.platform, version: phone.version, seen: phone.seen,
        ...(phone.client ? { client: phone.client } : {}), ...(phone.locale ? { locale: phone.locale } : {}),
        ...(draft ? { set: draft } : {}),
      });
      if (mine !== question || signal.aborted) return;
      versionField.error(null);
      draw(found);
    } catch (error) {
      if (mine !== question || signal.aborted) return;
      if (error instanceof api.NoAnswer) return say(words.noAnswer);
      if (!(error instanceof api.APIError)) throw error;
      if (error.problem.field === "/version") versionField.error(error.problem.detail);
      say(error.problem.field === "/version" ? "" : error.problem.detail);
    }
  }

  /** @param {string} text in the place of a drawing that nobody has answered for */
  function say(text) {
    answer = null;
    figure.hidden = true;
    problem.hidden = false;
    problem.textContent = text;
  }

  /** @param {Simulation} found */
  function draw(found) {
    answer = found;
    figure.hidden = false;
    problem.hidden = true;
    if (client.options.length !== found.clients.length) {
      show(client, found.clients.map((name) => el("option", { value: name }, strings.library[name])));
    }
    client.value = found.client;
    const name = strings.library[found.client];
    screen.dataset.scheme = phone.dark ? "dark" : "light";
    screen.dataset.presentation = found.presentation;
    screen.toggleAttribute("data-large", phone.large);
    screen.dir = phone.direction || "ltr";
    screen.lang = phone.locale;
    show(screen,
      el("div", { class: "phone-app" }, el("span", null), el("span", null), el("span", null), el("span", null)),
      shown(found, phone.direction || "auto"));
    sentence.textContent = words.sentence(name, found.version, found.detail);
    const read = found.title || found.message;
    reads.hidden = !read;
    reads.textContent = read ? words.reads(found.title ?? "", found.message ?? "", found.buttons) : "";
    show(hidden, found.hidden.map(({ rule, detail }) =>
      el("li", null, el("strong", null, `${words.notShown} ${strings.rule[rule] ?? rule}.`), ` ${detail}`)));
    hidden.hidden = found.hidden.length === 0;
  }

  return {
    element,
    show(now, set) {
      target = now;
      draft = set;
      ask();
    },
  };
}

/**
 * What stands over the app.
 * @param {Simulation} found
 * @param {string} dir
 */
function shown(found, dir) {
  switch (found.presentation) {
    case "none": return null;
    case "screen": return el("div", { class: "phone-block" }, el("p", { dir, class: "phone-message" }, found.message));
    case "app": return el("div", { class: "phone-dialog phone-own" }, el("p", { class: "phone-message" }, words.appDraws));
    case "dialog": return el("div", { class: "phone-veil" }, el("div", { class: "phone-dialog" },
      found.title ? el("p", { class: "phone-title" }, found.title) : null,
      el("p", { dir, class: "phone-message" }, found.message),
      found.buttons.length > 0 ? el("div", { class: "phone-buttons" }, found.buttons.map((text) => el("span", null, text))) : null));
  }
}
