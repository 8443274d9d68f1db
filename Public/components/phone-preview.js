// @ts-check
/**
 * What one phone shows, drawn from the server's answer. The browser decides nothing: the drawing and the sentence under it come from the
 * answer, and without an answer there is no drawing. The sentence is the drawing's text alternative.
 */
import { simulate } from "../api-simulate.js";
import * as api from "../api.js";
import { withSet } from "../difference.js";
import { el, show, styleSheet } from "../dom.js";
import { READERS } from "../gate.js";
import { icon } from "../icons.js";
import { sayRefusal } from "../server-words.js";
import { nameOf } from "../store.js";
import { strings } from "../strings/shared.js";
import { targetStrings } from "../strings/target.js";
import { field } from "./field.js";
import { onceAnswered } from "./shell.js";
import { tryOnPhone } from "./try-on-phone.js";

/** @typedef {import("../documents.js").Target} Target */
/** @typedef {import("../api-simulate.js").Simulation} Simulation */
/**
 * @typedef {{ client: string, version: string, locale: string, direction: string, seen: boolean, dark: boolean, large: boolean,
 *   chosen: boolean }} Phone  `chosen`: a person picked it; until then client and version are chosen automatically
 */
/**
 * @typedef {{ element: HTMLElement,
 *   show: (target: Target, set?: Record<string, unknown> | null) => void }} Preview
 *   `set`: a draft; null while the draft is incomplete
 */

const words = targetStrings.preview;
const DELAY = 250;
/** How many small phones there is room for. */
const MOST_THUMBS = 4;
const LANGUAGES = ["ar", "de", "en", "es", "fr", "he", "it", "ja", "pt", "zh"];

/**
 * The phone shown last for each target, so that a dialog starts with the one chosen on the page.
 * @type {Map<string, Phone>}
 */
const phones = new Map();

/**
 * The phone shown last, or else one with the oldest known version, because gates are about old versions.
 * @param {Target} target
 * @returns {Phone}
 */
function phoneOf(target) {
  const first = {
    client: "", version: versionsOf(target)[0], locale: "", direction: "", seen: false,
    dark: matchMedia("(prefers-color-scheme: dark)").matches, large: false, chosen: false,
  };
  const phone = phones.get(nameOf(target)) ?? first;
  phones.set(nameOf(target), phone);
  return phone;
}

/**
 * @param {Target} target
 * @param {AbortSignal} signal
 * @param {{ folded?: boolean, written?: () => Record<string, unknown> | null }} options `folded`: the phone's settings are folded;
 *   `written`: returns the draft as it is now, because the drawing lags a moment behind
 * @returns {Preview}
 */
export function phonePreview(target, signal, { folded = false, written } = {}) {
  void styleSheet("preview.css");
  const phone = phoneOf(target);
  /** @type {Record<string, unknown> | null | undefined} */
  let draft;
  /** @type {Simulation | null} */
  let answer = null;
  let question = 0;
  /** @type {string[] | undefined} documents polled within the last day; undefined until they are asked for */
  let polled;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  signal.addEventListener("abort", () => clearTimeout(timer));

  // The controls have no names, so they are not part of a kept draft.
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
      // Enter in these controls must not publish the surrounding dialog.
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
  const screen = el("div", { class: "phone", "aria-hidden": "true", "data-platform": target.platform });
  const thumbs = el("div", { class: "thumbs", role: "group", "aria-label": words.thumbs });
  const sentence = el("p", { class: "preview-says" });
  const reads = el("p", { class: "visually-hidden", dir: "auto" });
  const hidden = el("ul", { class: "preview-hidden" });
  const figure = el("figure", null, screen, el("figcaption", null, sentence, reads, hidden));
  const problem = el("p", { class: "hint" }, words.waiting);
  const about = el("p", { class: "hint" }, words.approximation);
  const element = el("div", { class: "preview" },
    thumbs, figure, problem,
    folded ? el("details", null, el("summary", null, words.phone), controls, about) : [controls, about],
    tryOnPhone(target, tried));
  figure.hidden = true;

  /** @param {EventTarget | null} control */
  function changed(control) {
    Object.assign(phone, { client: client.value, version: version.value.trim(), locale: locale.value, direction: direction.value });
    const toggled = control instanceof HTMLInputElement ? control.dataset.phone : undefined;
    if (control === client || control === version) phone.chosen = true;
    if (toggled && control instanceof HTMLInputElement) Object.assign(phone, { [toggled]: control.checked });
    // These only change how the answer is drawn; anything else needs a new answer.
    if (control === direction || toggled === "dark" || toggled === "large") return void (answer && draw(answer));
    ask();
  }

  /** The gate shown here, for trying it on a real phone; null while the draft is incomplete. */
  function tried() {
    const set = written ? written() : draft;
    return set === null ? null : withSet(target.gate, set ?? {});
  }

  function ask() {
    clearTimeout(timer);
    timer = setTimeout(() => void look(), DELAY);
  }

  async function look() {
    const folder = element.closest("details:not([open])");
    // The preview is folded, so do not ask until it is opened.
    if (folder) return folder.addEventListener("toggle", ask, { once: true, signal });
    question += 1;
    const mine = question;
    if (draft === null || phone.version === "") return say(words.incomplete);
    try {
      const found = await first();
      if (mine !== question || signal.aborted) return;
      versionField.error(null);
      draw(found);
      await drawThumbs(found, () => mine !== question || signal.aborted);
    } catch (error) {
      if (mine !== question || signal.aborted) return;
      if (error instanceof api.NoAnswer) {
        onceAnswered(() => { if (mine === question && !signal.aborted) ask(); });
        return say(words.noAnswer);
      }
      if (!(error instanceof api.APIError)) throw error;
      if (error.problem.field === "/version") versionField.error(sayRefusal(error.problem));
      say(error.problem.field === "/version" ? "" : sayRefusal(error.problem));
    }
  }

  /**
   * Asks what one phone shows with the draft, or before it.
   * @param {{ client: string, version: string }} one
   * @param {boolean} [before]
   */
  const answerFor = (one, before = false) => simulate({
    app: target.app, platform: target.platform, version: one.version, seen: phone.seen,
    ...(one.client ? { client: one.client } : {}), ...(phone.locale ? { locale: phone.locale } : {}),
    ...(draft && !before ? { set: draft } : {}),
  });

  /** The answer for the chosen phone; until one is chosen, for the first version that shows something, if the gate has rules. */
  async function first() {
    if (phone.chosen) return answerFor(phone);
    const gate = draft ? withSet(target.gate, draft) : target.gate;
    const tried = [...versionsOf(target), ...versionsBelow(target, gate)];
    /** @type {Simulation | null} */
    let oldest = null;
    for (const candidate of tried) {
      const found = await answerFor({ client: "", version: candidate });
      oldest ??= found;
      if (found.presentation === "none" && Object.keys(gate).length > 0) continue;
      oldest = found;
      break;
    }
    const { version: shownVersion } = /** @type {Simulation} */ (oldest);
    phone.version = shownVersion;
    if (version !== document.activeElement) version.value = shownVersion;
    return /** @type {Simulation} */ (oldest);
  }

  /**
   * Draws small phones to choose from: the target's libraries, each with the oldest and the newest known version.
   * @param {Simulation} main
   * @param {() => boolean} isOver
   */
  async function drawThumbs(main, isOver) {
    try {
      polled ??= target.settings.clients ? [] : await polledFeeds();
      const libraries = librariesOf(target, main, polled);
      const versions = [...new Set([...versionsOf(target), ...(phone.chosen ? [] : [main.version])])].sort(byVersion);
      const kinds = libraries.flatMap((library) => versions.map((one) => ({ client: library, version: one }))).slice(0, MOST_THUMBS);
      if (isOver()) return;
      if (kinds.length < 2 && !draft) return void show(thumbs);
      const pairs = await Promise.all(kinds.map(async (kind) => ({
        kind, after: await answerFor(kind), before: draft ? await answerFor(kind, true) : null,
      })));
      if (isOver()) return;
      show(thumbs, pairs.map(({ kind, before, after }) => thumb(kind, before, after, main)));
    } catch (error) {
      // The small phones are only an extra; errors of the draft are shown at the large one.
      if (!(error instanceof api.NoAnswer) && !(error instanceof api.APIError)) throw error;
      if (!isOver()) show(thumbs);
    }
  }

  /** The documents polled within the last day; read for this target alone if a list of targets did not include them. */
  async function polledFeeds() {
    return target.reach?.feeds ?? (await api.target(target.app, target.platform)).reach?.feeds ?? [];
  }

  /**
   * @param {{ client: string, version: string }} kind
   * @param {Simulation | null} before
   * @param {Simulation} after
   * @param {Simulation} main
   */
  function thumb(kind, before, after, main) {
    const name = strings.library[after.client];
    const said = words.sentence(name, kind.version, after.detail);
    return el("button", {
      type: "button", class: "thumb", "data-key": `thumb ${kind.client} ${kind.version}`,
      "aria-pressed": String(main.client === kind.client && main.version === kind.version),
      // The title is its accessible description.
      "aria-label": words.thumb(name, kind.version), title: before ? words.beforeAfter(said, before.detail) : said,
      on: {
        click: () => {
          Object.assign(phone, kind, { chosen: true });
          client.value = kind.client;
          version.value = kind.version;
          ask();
        },
      },
    },
      el("span", { class: "thumb-phones", "aria-hidden": "true" },
        before ? [mini(before), arrow()] : null, mini(after)),
      el("span", { "aria-hidden": "true" }, name, el("br"), el("span", { class: "thumb-version" }, kind.version)));
  }

  /** @param {Simulation} found */
  function mini(found) {
    const drawn = el("span", { class: "phone mini", "data-platform": target.platform });
    paper(drawn, found);
    return drawn;
  }

  /** @param {string} text shown instead of a drawing when there is no answer */
  function say(text) {
    answer = null;
    figure.hidden = true;
    show(thumbs);
    problem.hidden = false;
    problem.textContent = text;
  }

  /** @param {Simulation} found */
  function draw(found) {
    const focused = element.contains(document.activeElement) ? document.activeElement : null;
    const place = focused?.getBoundingClientRect().top;
    answer = found;
    figure.hidden = false;
    problem.hidden = true;
    if (client.options.length !== found.clients.length) {
      show(client, found.clients.map((name) => el("option", { value: name }, strings.library[name])));
    }
    client.value = found.client;
    const name = strings.library[found.client];
    paper(screen, found);
    sentence.textContent = words.sentence(name, found.version, found.detail);
    const read = found.title || found.message;
    reads.hidden = !read;
    reads.textContent = read ? words.reads(found.title ?? "", found.message ?? "", found.buttons) : "";
    show(hidden, found.hidden.map(({ rule, detail }) =>
      el("li", null, el("strong", null, `${words.notShown} ${strings.rule[rule] ?? rule}.`), ` ${detail}`)));
    hidden.hidden = found.hidden.length === 0;
    // More words above the controls push them down: the one that has the focus stays in view.
    if (focused && focused.getBoundingClientRect().top !== place) focused.scrollIntoView({ block: "nearest" });
  }

  /** @param {HTMLElement} drawn @param {Simulation} found */
  function paper(drawn, found) {
    drawn.dataset.scheme = phone.dark ? "dark" : "light";
    drawn.dataset.presentation = found.presentation;
    drawn.toggleAttribute("data-large", phone.large);
    drawn.dir = phone.direction || "ltr";
    drawn.lang = phone.locale;
    show(drawn,
      el("span", { class: "phone-app" }, Array.from({ length: 7 }, () => el("span", null))),
      shown(found, phone.direction || "auto"));
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

/** @param {string} one @param {string} other */
function byVersion(one, other) {
  const [mine, theirs] = [one, other].map((text) => text.split(".").map(Number));
  for (let place = 0; place < Math.max(mine.length, theirs.length); place += 1) {
    const difference = (mine[place] ?? 0) - (theirs[place] ?? 0);
    if (difference) return difference;
  }
  return 0;
}

/**
 * The oldest and the newest known version; if none is known, a version so low that every gate affects it.
 * @param {Target} target
 */
function versionsOf({ settings: { releases, versionScheme } }) {
  if (releases.length === 0) return [versionScheme === "code" ? "1" : "1.0.0"];
  const sorted = [...releases].sort(byVersion);
  return [...new Set([sorted[0], sorted[sorted.length - 1]])];
}

/**
 * Versions just below those that the rules name, for when no known release is affected.
 * @param {Target} target
 * @param {import("../documents.js").Gate} gate
 */
function versionsBelow({ settings: { versionScheme } }, gate) {
  return [gate.requiredUpdate?.minimumVersion, gate.optionalUpdate?.optionalVersion].flatMap((version) => {
    if (!version || !/^\d+(\.\d+)*$/.test(version)) return [];
    const parts = version.split(".").map(Number);
    const last = parts.length - 1 - [...parts].reverse().findIndex((part) => part > 0);
    if (last >= parts.length || (versionScheme === "code" && parts.length > 1)) return [];
    parts[last] -= 1;
    return [parts.join(".")];
  });
}

/**
 * The libraries in the settings, else those that read the documents polled within the last day, else the one the server chose.
 * @param {Target} target
 * @param {Simulation} found
 * @param {string[]} feeds those that were polled
 */
function librariesOf({ settings }, found, feeds) {
  const used = settings.clients ?? feeds.flatMap((feed) => READERS[feed] ?? []);
  const known = found.clients.filter((name) => used.includes(name));
  return known.length > 0 ? known : [found.client];
}

const arrow = () => icon("forward", "shape");

/**
 * What covers the app on the screen.
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
