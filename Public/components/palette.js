// @ts-check
/** The command palette: every app, action and screen by its name. It publishes nothing: an action only opens its dialog. */
import { applyTheme, el, show, styleSheet, THEMES, uniqueId } from "../dom.js";
import { sayTarget, STATES, titleTarget } from "../gate.js";
import { icon, stateBadge } from "../icons.js";
import { nameOf, store } from "../store.js";
import { keysStrings, paletteStrings as words } from "../strings/keys.js";
import { shellStrings, strings } from "../strings/shared.js";
import { askToBlock, askToOpen, openKeys } from "./actions.js";
import { focusReturn } from "./focus-return.js";

/** @typedef {import("../documents.js").State} State */
/** @typedef {{ text: string, kind: keyof typeof words.kind, also?: string, state?: State, run: () => unknown }} Entry */

/** More results than fit on a screen help nobody; typing another letter narrows them. */
const MOST = 40;

/** @type {Record<Entry["kind"], import("../icons.js").Icon>} */
const DRAWINGS = { target: "shield", action: "run", screen: "forward", setting: "settings" };

/** @param {() => string} written returns what was typed while this module was being fetched */
export function openPalette(written) {
  // What is chosen may be out of view once the rows have their heights.
  void styleSheet("palette.css").then(() => mark());
  const giveBack = focusReturn();
  const ended = new AbortController();
  const listId = uniqueId("palette");
  const all = entries();
  /** @type {Entry[]} */
  let found = [];
  let chosen = 0;
  const input = el("input", {
    type: "text", role: "combobox", "aria-label": words.label, placeholder: words.label, "aria-expanded": "true", "aria-controls": listId,
    "aria-autocomplete": "list", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
    on: { input: () => { chosen = 0; paint(); }, keydown: press },
  });
  const list = el("ul", { id: listId, class: "palette-list", role: "listbox", "aria-label": words.results });
  const told = el("p", { class: "hint palette-told", role: "status" });
  /** @type {HTMLDialogElement} */
  const dialog = el("dialog", {
    class: "change-dialog palette", "aria-label": words.title,
    on: {
      cancel: (event) => { event.preventDefault(); close(); },
      click: (event) => { if (event.target === dialog) close(); },
    },
  },
    el("div", { class: "palette-head" }, input,
      el("button", { type: "button", class: "icon-button", "aria-label": strings.close, on: { click: close } }, icon("close"))),
    list, told,
    el("p", { class: "palette-help", "aria-hidden": "true" },
      words.help.map(([key, meaning]) => el("span", null, el("kbd", null, key), ` ${meaning}`))));

  function close() {
    ended.abort();
    dialog.close();
    dialog.remove();
    giveBack();
  }

  /** @param {Entry | undefined} entry */
  function go(entry) {
    if (!entry) return;
    close();
    entry.run();
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.isComposing) return;
    const count = Math.min(found.length, MOST);
    if (event.key === "ArrowDown") chosen = count === 0 ? 0 : (chosen + 1) % count;
    else if (event.key === "ArrowUp") chosen = count === 0 ? 0 : (chosen + count - 1) % count;
    else if (event.key === "Enter") { event.preventDefault(); return go(found[chosen]); }
    else return;
    event.preventDefault();
    mark();
  }

  function paint() {
    found = matching(all, input.value);
    show(list, found.slice(0, MOST).map((entry, place) => el("li", {
      id: `${listId}-${place}`, role: "option", "aria-selected": "false", class: "palette-entry",
      on: { click: () => go(entry), pointermove: () => { if (chosen !== place) { chosen = place; mark(); } } },
    },
      icon(DRAWINGS[entry.kind], "palette-icon"),
      el("span", { class: "palette-text", dir: "auto" }, entry.text),
      entry.state ? stateBadge(entry.state) : null,
      el("span", { class: "palette-kind" }, words.kind[entry.kind]))));
    list.hidden = found.length === 0;
    told.textContent = found.length === 0 ? words.none : found.length > MOST ? words.more(found.length - MOST) : words.found(found.length);
    mark();
  }

  function mark() {
    [...list.children].forEach((item, place) => item.setAttribute("aria-selected", String(place === chosen)));
    const item = list.children[chosen];
    if (item) input.setAttribute("aria-activedescendant", item.id);
    else input.removeAttribute("aria-activedescendant");
    item?.scrollIntoView({ block: "nearest" });
  }

  // Leaving the screen closes it.
  addEventListener("hashchange", close, { signal: ended.signal });
  document.body.append(dialog);
  input.value = written();
  paint();
  dialog.showModal();
  input.focus();
}

/**
 * Finds the entries that contain all words; those where the words begin a word of the name come first.
 * @param {Entry[]} entries
 * @param {string} text
 */
function matching(entries, text) {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries
    .flatMap((entry, place) => {
      const name = entry.text.toLowerCase();
      const searched = `${name} ${(entry.also ?? "").toLowerCase()}`;
      if (!wanted.every((word) => searched.includes(word))) return [];
      const begun = wanted.filter((word) => name.split(/[^\p{L}\p{N}.]+/u).some((part) => part.startsWith(word))).length;
      const first = wanted[0] && name.startsWith(wanted[0]) ? 1 : 0;
      return [{ entry, place, rank: begun * 2 + first }];
    })
    .sort((one, other) => other.rank - one.rank || one.place - other.place)
    .map(({ entry }) => entry);
}

/** @returns {Entry[]} in the order shown while nothing is typed: the worst targets first */
function entries() {
  const targets = [...store.targets.values()].sort((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state));
  /** @param {string} address */
  const to = (address) => () => { location.hash = address; };
  /** @type {Entry[]} */
  const list = targets.map((target) => ({
    text: titleTarget(target), kind: "target", also: nameOf(target), state: target.state, run: to(`#/t/${nameOf(target)}`),
  }));
  /** @param {Entry["kind"]} kind @param {string} text @param {string} address */
  const place = (kind, text, address) => list.push({ text, kind, run: to(address) });
  place("screen", shellStrings.nav.overview, "#/");
  place("screen", shellStrings.nav.schedule, "#/schedule");
  place("screen", shellStrings.nav.history, "#/history");
  place("screen", shellStrings.nav.simulate, "#/simulate");
  for (const page of /** @type {const} */ (["apps", "tokens", "people", "account"])) {
    if (page !== "people" || store.may("admin")) {
      place("setting", `${shellStrings.nav.settings}: ${shellStrings.settingsPages[page]}`, `#/settings/${page}`);
    }
  }
  if (store.may("operator")) place("action", words.newWindow, "#/schedule/new");
  if (store.mayAddApps) place("action", words.newApp, "#/settings/apps/new");
  if (store.may("operator")) place("action", words.takeOver, "#/settings/import");
  for (const target of targets) {
    const name = sayTarget(target);
    if (store.may("operator", target.app)) {
      list.push(target.gate.killSwitch
        ? { text: words.open(name), kind: "action", also: nameOf(target), run: () => askToOpen(target) }
        : { text: words.block(name), kind: "action", also: `kill ${nameOf(target)}`, run: () => askToBlock(target) });
      place("action", words.schedule(name), `#/schedule/new?t=${nameOf(target)}`);
    }
    place("screen", words.simulate(name), `#/simulate?t=${nameOf(target)}`);
    place("screen", words.historyOf(name), `#/history?app=${target.app}&platform=${target.platform}`);
  }
  for (const app of store.apps.values()) place("setting", words.settingsOf(app.name), `#/settings/apps/${app.key}`);
  for (const theme of THEMES) {
    const text = words.theme(/** @type {Record<string, string>} */ (words.themes)[theme] ?? theme);
    list.push({ text, kind: "setting", run: () => applyTheme(theme) });
  }
  list.push({ text: keysStrings.title, kind: "screen", also: "shortcuts keys", run: openKeys });
  return list;
}
