// @ts-check
/**
 * A file in the app's own shape: its values, each a button for saying what it means, and beside them what phones will get. The server
 * makes that proof again after every edit; nothing is decided here.
 */
import { el, show } from "../dom.js";
import { takeoverStrings } from "../strings/takeover.js";
import { platformName } from "../strings/shared.js";
import { field } from "./field.js";

/** @typedef {import("../api-apps.js").TakeoverDifference} Difference */
/** @typedef {import("../api-apps.js").Takeover} Takeover */
/** @typedef {{ value: string, label: string, group: string }} Choice */

/** Texts that mean on and off, the same as on the server. */
const PAIRS = [["true", "false"], ["on", "off"], ["yes", "no"], ["1", "0"], ["enabled", "disabled"], ["active", "inactive"]];
const SWITCHES = ["kill", "force", "required", "optional", "alert"];
/** @param {string} word */
const isSwitch = (word) => SWITCHES.includes(word) || word === "alert.blocking";
const TEXTS = ["kill.message", "force.message", "required.message", "optional.message", "alert.message"];
const VERSIONS = ["required.minimumVersion", "optional.optionalVersion"];
const LANGUAGE = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/;
const LONGEST = 60;
/** A document with fewer characters than this is shown unfolded. */
const SHORT = 2_000;

/**
 * A path as the server writes it: `$.a.b[0]['c d']`, or a JSON pointer if a name cannot be written that way.
 * @param {(string | number)[]} steps
 */
export function pathOf(steps) {
  const escaped = steps.map((step) => [...String(step)].slice(0, 80).join("").replaceAll("~", "~0").replaceAll("/", "~1"));
  if (escaped.some((step) => step === "" || /[~'"\]]/.test(step))) return escaped.map((step) => `/${step}`).join("");
  /** @param {string} step */
  const typed = (step) => (/^\d+$/.test(step) ? `[${step}]` : /^[\w-]+$/.test(step) ? `.${step}` : `['${step}']`);
  return `$${escaped.map(typed).join("")}`;
}

/**
 * The values for on and off if this value is a switch; null if it cannot be one.
 * @param {unknown} value
 * @returns {[string, string] | null}
 */
function positions(value) {
  if (typeof value === "boolean") return ["true", "false"];
  if (typeof value === "number") return [value === 0 ? "1" : String(value), "0"];
  const pair = typeof value === "string" ? PAIRS.find((words) => words.includes(value.toLowerCase())) : undefined;
  return pair ? [pair[0], pair[1]] : null;
}

/**
 * The meanings offered for a value.
 * @param {unknown} value
 * @param {string} name
 * @returns {Choice[]}
 */
function choices(value, name) {
  const { word, inLanguage, switches, texts, versions, others } = takeoverStrings;
  /** @type {Choice[]} */
  const all = [];
  const pair = positions(value);
  if (pair) {
    for (const one of [...SWITCHES, "alert.blocking"]) {
      all.push({ value: one, label: word(one, pair[0]), group: switches });
      all.push({ value: `!${one}`, label: word(one, pair[1]), group: switches });
    }
  }
  if (typeof value === "string" || value === null) {
    for (const one of TEXTS) {
      all.push({ value: one, label: word(one), group: texts });
      if (LANGUAGE.test(name)) all.push({ value: `${one}s.${name}`, label: inLanguage(one, name), group: texts });
    }
  }
  if (typeof value !== "boolean") for (const one of VERSIONS) all.push({ value: one, label: word(one), group: versions });
  if (typeof value === "number") all.push({ value: "retryInterval", label: word("retryInterval"), group: others });
  if (typeof value === "string" || value === null) all.push({ value: "storeURL", label: word("storeURL"), group: others });
  return all;
}

/** @param {{ differences: Difference[], omitted?: number }} found */
const isSome = ({ differences, omitted = 0 }) => differences.length + omitted > 0;

/** @param {unknown} value */
function shown(value) {
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/**
 * @param {{ text: string, proof: Takeover, platforms: string[], changed: () => void }} options `platforms`: those of the app;
 *   `changed` is called after an edit
 */
export function takeover({ text, proof: first, platforms, changed }) {
  /** What each path means. @type {Map<string, string>} */
  const meanings = new Map(first.map.map((one) => {
    const at = one.lastIndexOf("=");
    return [one.slice(0, at), one.slice(at + 1)];
  }));
  const name = field(
    el("input", { name: "feedName", value: first.name, autocomplete: "off", autocapitalize: "none", spellcheck: "false", class: "mono" }),
    { label: takeoverStrings.name, hint: takeoverStrings.nameHint },
  );
  name.control.addEventListener("change", () => changed());
  const isOfPlatform = first.platform !== undefined;
  const proof = el("section", { class: "takeover-proof" });

  /** @param {string} meaning @param {unknown} value */
  function say(meaning, value) {
    const [head, ...rest] = meaning.replace(/^!/, "").split(".");
    const platform = !isOfPlatform && platforms.includes(head) ? head : null;
    const word = platform ? rest.join(".") : [head, ...rest].join(".");
    const [, rule, language] = /^(\w+)\.messages\.(.+)$/.exec(word) ?? [];
    const said = language
      ? takeoverStrings.inLanguage(`${rule}.message`, language)
      : takeoverStrings.word(word, isSwitch(word) ? positions(value)?.[meaning.startsWith("!") ? 1 : 0] : undefined);
    return platform ? takeoverStrings.ofPlatform(said, platform) : said;
  }

  /** @param {string} name @param {unknown} value @param {(string | number)[]} steps */
  function leaf(name, value, steps) {
    const path = pathOf(steps);
    const meaning = el("span", { class: "leaf-meaning" });
    const place = el("div", { class: "leaf-choice" });
    const button = el("button", {
      type: "button", class: "leaf", "aria-expanded": "false", "data-path": path, on: { click: () => toggle() },
    }, el("span", { class: "mono leaf-name" }, name), el("code", { dir: "auto" }, shown(value)), meaning);

    function paint() {
      const means = meanings.get(path);
      meaning.textContent = means === undefined ? "" : say(means, value);
      button.toggleAttribute("data-means", means !== undefined);
      button.setAttribute("aria-label",
        takeoverStrings.press(name, shown(value), means === undefined ? takeoverStrings.constant : say(means, value)));
    }

    function toggle() {
      const isOpen = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!isOpen));
      show(place, isOpen ? null : select());
      place.querySelector("select")?.focus();
    }

    function select() {
      const offered = choices(value, name);
      const groups = isOfPlatform ? [null] : platforms;
      const control = el("select", {
        "aria-label": takeoverStrings.choose(name),
        on: {
          change: () => {
            if (control.value === "") meanings.delete(path);
            else meanings.set(path, control.value);
            paint();
            toggle();
            button.focus();
            changed();
          },
        },
      }, el("option", { value: "" }, takeoverStrings.constant), groups.flatMap((platform) =>
        [...new Set(offered.map(({ group }) => group))].map((group) =>
          el("optgroup", { label: platform ? `${platformName(platform)}: ${group}` : group },
            offered.filter((one) => one.group === group).map((one) =>
              el("option", { value: prefixed(one.value, platform) },
                platform ? takeoverStrings.ofPlatform(one.label, platform) : one.label))))));
      control.value = meanings.get(path) ?? "";
      return control;
    }

    paint();
    return el("li", null, button, place);
  }

  /** @param {string} value @param {string | null} platform */
  const prefixed = (value, platform) =>
    (platform === null ? value : value.startsWith("!") ? `!${platform}.${value.slice(1)}` : `${platform}.${value}`);

  /** @param {unknown} value @param {(string | number)[]} steps @returns {HTMLElement} */
  function branch(value, steps) {
    /** @type {(readonly [string | number, unknown])[]} */
    const members = Array.isArray(value) ? value.map((one, index) => [index, one]) : Object.entries(value ?? {});
    return el("ul", { class: "file-tree" }, members.map(([key, one]) => (typeof one === "object" && one !== null
      ? el("li", null, el("span", { class: "mono leaf-name" }, String(key)), branch(one, [...steps, key]))
      : leaf(String(key), one, [...steps, key]))));
  }

  /** @param {{ differences: Difference[], omitted?: number }} found @param {string} caption @param {string} before @param {string} after */
  function table({ differences, omitted = 0 }, caption, before, after) {
    const { place, nothing, more } = takeoverStrings;
    return [el("table", { class: "takeover-table" }, el("caption", null, caption),
      el("thead", null, el("tr", null, [place, before, after].map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", null, differences.map((one) => el("tr", null,
        el("th", { scope: "row", class: "mono" }, one.path),
        [one.before, one.after].map((value) => el("td", { class: "mono", dir: "auto" }, value ?? nothing)))))),
    omitted > 0 ? el("p", { class: "hint" }, more(omitted)) : null];
  }

  /** @param {Takeover} next */
  function update(next) {
    const { match, flip, unmoved, before, after } = takeoverStrings;
    // A short document is shown at once; if the user has opened or closed it, that stays.
    const isOpen = proof.querySelector("details")?.open ?? next.document.length < SHORT;
    show(proof,
      el("h3", null, takeoverStrings.proof), el("code", { class: "feed-path" }, next.path),
      el("p", { class: next.match === "different" ? "callout" : "proof-match", role: "status", "data-match": next.match },
        match[next.match]),
      isSome(next) ? table(next, match.different, takeoverStrings.file, takeoverStrings.feed) : null,
      next.flips.map((one) => (isSome(one)
        ? table(one, flip(one.platform, one.killed), before, after)
        : el("p", { class: "callout" }, `${flip(one.platform, one.killed)}: ${unmoved}`))),
      next.flips.length === 0 ? el("p", { class: "callout" }, unmoved) : null,
      el("details", { class: "json", open: isOpen }, el("summary", null, takeoverStrings.document),
        el("pre", { class: "takeover-document", tabindex: "0", "aria-label": takeoverStrings.document }, next.document)));
  }
  update(first);

  const element = el("section", { class: "takeover panel" },
    el("h2", { tabindex: "-1" }, takeoverStrings.title), el("p", null, takeoverStrings.intro),
    name.element,
    el("div", { class: "takeover-columns" }, branch(JSON.parse(text), []), proof));
  return {
    element, update, name,
    /** The members of the request's body. */
    body: () => ({ map: [...meanings].map(([path, meaning]) => `${path}=${meaning}`), name: name.control.value.trim() }),
  };
}
