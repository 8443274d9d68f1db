// @ts-check
/**
 * What buttons, single keys and the picked targets ask for: the dialogs about targets, the palette, other screens. None of it publishes
 * by itself. Before a dialog opens, its targets are read again, so that nobody decides on old facts.
 */
import { untilSignedIn } from "../api.js";
import { el, focusRow, show } from "../dom.js";
import { codeTrouble, isCodeTrouble, nameOf, store } from "../store.js";
import { overviewStrings } from "../strings/shared.js";

/** @typedef {import("../documents.js").Target} Target */
/** @typedef {{ app: string, platform: string }} Name */
/**
 * @typedef {{ closed?: () => void, done?: () => void, seen?: Target[] }} Options `done`: called after publishing; `seen`: the targets as
 *   the page showed them at the press
 */

/** Milliseconds that a press waits for fresh state before it continues with what is known. */
const PATIENCE = 1500;
let asking = false;

/** The dialogs' code is not part of the first screen; it is fetched at the first sign of a user, before any press needs it. */
const dialogs = () => import("./dialogs.js");

/**
 * Fetches code that the first screen does not need at the first sign of a user: a page shown on a wall then loads only what it shows.
 * @param {() => Promise<unknown>} fetch
 * @param {AbortSignal} signal
 */
export function atFirstSign(fetch, signal) {
  const early = new AbortController();
  const go = () => {
    if (early.signal.aborted || signal.aborted) return;
    early.abort();
    // Whoever presses for a file that could not be loaded is told then.
    fetch().catch((error) => { if (!isCodeTrouble(error)) throw error; });
  };
  // Assistive technology may click without any pointer or key event before it.
  for (const event of ["pointermove", "pointerdown", "keydown", "click"]) {
    addEventListener(event, go, { signal: early.signal, passive: true, capture: true });
  }
}

/**
 * @param {Name[]} names
 * @param {(targets: Target[], seen: Target[], isHere: () => boolean) => unknown} open `seen`: what the page showed at the press; `isHere`:
 *   whoever has gone to another screen meanwhile is asked nothing there
 */
async function withAllFresh(names, open) {
  if (asking) return;
  asking = true;
  let isHere = true;
  const leave = () => { isHere = false; };
  addEventListener("hashchange", leave);
  const known = () => names.flatMap((name) => store.targets.get(nameOf(name)) ?? []);
  const seen = known();
  try {
    const isKnown = names.every((name) => store.targets.has(nameOf(name)));
    // If the read fails, the known state is used; plan and commit are checked against the server's revision anyway.
    const fresh = store.refresh(names).catch(() => null);
    const soon = () => (isKnown ? Promise.race([fresh, new Promise((resolve) => setTimeout(resolve, PATIENCE))]) : fresh);
    await soon();
    // A dialog that opened over the question for the password would take what is being typed there.
    while (await untilSignedIn()) await soon();
    const targets = known();
    if (targets.length > 0 && isHere) await open(targets, seen, () => isHere);
  } finally {
    asking = false;
    removeEventListener("hashchange", leave);
  }
}

/**
 * Code that a press needs; null if it could not be fetched, which the bar at the top says.
 * @template Code
 * @param {() => Promise<Code>} fetch
 * @returns {Promise<Code | null>}
 */
async function fetched(fetch) {
  let code = null;
  let trouble = null;
  try {
    code = await fetch();
  } catch (error) {
    trouble = await codeTrouble(error);
    // Anything else is our bug and belongs in the console.
    if (!trouble) throw error;
  }
  store.setLive({ code: trouble });
  return code;
}

/** @param {Name} name @param {(target: Target, seen: Target[]) => unknown} open */
export const withFresh = (name, open) => withAllFresh([name], ([target], seen) => open(target, seen));

/**
 * @param {Name[]} names
 * @param {(dialogs: typeof import("./dialogs.js"), targets: Target[], seen: Target[]) => void} open
 */
const ask = (names, open) => withAllFresh(names, async (targets, seen, isHere) => {
  const code = await fetched(dialogs);
  await untilSignedIn();
  if (code && isHere()) open(code, targets, seen);
});

/** @param {Name} name @param {Options} [options] */
export const askToBlock = (name, options) => ask([name], (code, [target], seen) => code.openBlockDialog(target, { ...options, seen }));

/** @param {Name} name @param {Options} [options] */
export const askToOpen = (name, options) => ask([name], (code, [target], seen) => code.openOpenDialog(target, { ...options, seen }));

/**
 * For the kill switch: asks to open a target that was shown as killed, and to block one that was not. The verb is the one that the person
 * meant, also if somebody else has just been faster: whoever wants to block must not be led to open.
 * @param {Name} name
 * @param {boolean} isOn what the switch showed
 */
export const askToFlip = (name, isOn) => (isOn ? askToOpen : askToBlock)(name);

/** @param {Name[]} names @param {Options} [options] */
const askToBlockAll = (names, options) =>
  ask(names, (code, targets, seen) => code.openBlockAllDialog(targets, { ...options, seen }));

/** @param {Name[]} names @param {Options} [options] */
const askToOpenAll = (names, options) =>
  ask(names, (code, targets, seen) => code.openOpenAllDialog(targets, { ...options, seen }));

/** @param {Name} name @param {number} revision */
export const askToRevert = (name, revision) => ask([name], (code, [target], seen) => code.openRevertDialog(target, revision, { seen }));

/**
 * Takes back what one change did to its targets.
 * @param {import("../documents.js").Change} change
 */
export const askToUndo = (change) => ask(change.targets, (code, targets, seen) => (change.targets.length === 1
  ? code.openUndoDialog(targets[0], change.targets[0], { seen })
  : code.openUndoAllDialog(targets, change, { seen })));

// Single keys for people who live on this page: none works while typing, and all can be switched off.

const SETTING = "gatehouse-single-keys";
/** How long `g` waits for the place to go to. */
const SEQUENCE = 1500;
/** @type {Record<string, string>} */
const PLACES = { o: "#/", h: "#/history", s: "#/schedule" };

/**
 * The targets picked on the overview, while it is shown; then `b` and `o` are about all of them.
 * @type {Picks | null}
 */
let picked = null;

/** @param {Picks} picks @param {AbortSignal} signal */
export function setPicked(picks, signal) {
  picked = picks;
  signal.addEventListener("abort", () => { if (picked === picks) picked = null; });
}

/** @returns {boolean} */
function enabled() {
  try {
    return localStorage.getItem(SETTING) !== "off";
  } catch {
    // Storage may be forbidden; then the keys work, which is the default.
    return true;
  }
}

/** @param {boolean} on */
function enable(on) {
  try {
    localStorage.setItem(SETTING, on ? "on" : "off");
  } catch {
    // Then the setting is not remembered.
  }
}

/** @param {AbortSignal} signal */
export function listenForKeys(signal) {
  atFirstSign(dialogs, signal);
  let went = 0;
  document.addEventListener("keydown", (event) => {
    const isPalette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isPalette && !event.defaultPrevented && !document.querySelector("dialog[open]")) {
      event.preventDefault();
      return void openPalette();
    }
    if (written !== null && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      written += event.key;
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector("dialog[open]") || !enabled()) return;
    const place = Date.now() - went < SEQUENCE ? PLACES[event.key] : undefined;
    went = event.key === "g" ? Date.now() : 0;
    if (place) location.hash = place;
    else if (!act(event.key)) return;
    event.preventDefault();
  }, { signal });
}

/** @param {string} key @returns {boolean} whether the key means something here */
function act(key) {
  switch (key) {
    case "/": return focusFilter();
    case "j": return step(1);
    case "k": return step(-1);
    case "x": return pick();
    case "b": return picked?.block() || onTarget(askToBlock);
    case "o": return picked?.open() || onTarget(askToOpen);
    case "?": void openKeys(); return true;
    default: return false;
  }
}

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof HTMLTextAreaElement
    || target instanceof HTMLSelectElement
    || (target instanceof HTMLInputElement && !["checkbox", "radio"].includes(target.type));
}

function focusFilter() {
  const filter = document.getElementById("filter");
  filter?.focus();
  return filter !== null;
}

/** @param {1 | -1} direction */
function step(direction) {
  const rows = [...document.querySelectorAll("[data-row]")];
  if (rows.length === 0) return false;
  const here = rows.findIndex((row) => row.closest("[data-target]")?.contains(document.activeElement));
  const next = here < 0 ? (direction > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, here + direction));
  /** @type {HTMLElement} */ (rows[next]).focus();
  return true;
}

function pick() {
  const box = document.activeElement?.closest("[data-target]")?.querySelector(".pick:not([hidden]) input");
  if (box instanceof HTMLElement) box.click();
  return box instanceof HTMLElement;
}

/**
 * Asks about the target that has the focus, or else the one the page is about.
 * @param {(name: { app: string, platform: string }) => void} ask
 */
function onTarget(ask) {
  const holder = document.activeElement?.closest("[data-target]") ?? document.querySelector(".target-page[data-target]");
  const target = store.targets.get(holder instanceof HTMLElement ? holder.dataset.target ?? "" : "");
  if (!target || !store.may("operator", target.app)) return false;
  if (ask === askToOpen && !target.gate.killSwitch) return false;
  ask(target);
  return true;
}

/** The list of keys, with the switch that turns them off. */
export async function openKeys() {
  (await fetched(() => import("./keys-dialog.js")))?.openKeysDialog({ isOn: enabled(), turn: enable });
}

/**
 * What is typed while the palette is being fetched. It goes into the palette's field and is not taken for single keys; null otherwise.
 * @type {string | null}
 */
let written = null;

/** Opens the palette: every app, action and screen by its name. */
export async function openPalette() {
  if (written !== null) return;
  written = "";
  try {
    (await fetched(() => import("./palette.js")))?.openPalette(() => written ?? "");
  } finally {
    written = null;
  }
}

/** The targets picked on the overview, and the bar that blocks or opens all of them in one dialog. */
export class Picks {
  /** @type {Set<string>} */
  names = new Set();
  /** The one that was pressed last, where a range begins. */
  #anchor = "";

  /**
   * @param {() => string[]} shown the names that can be picked, in the order on the screen
   * @param {() => void} changed
   */
  constructor(shown, changed) {
    this.shown = shown;
    this.changed = changed;
    this.said = el("p", { role: "status" });
    this.buttons = el("div", { class: "actions" });
    this.bar = el("section", { class: "pick-bar", "aria-label": overviewStrings.picks.region, hidden: true },
      el("div", { class: "actions" }, this.said,
        el("button", { type: "button", class: "button quiet small", on: { click: () => this.#none() } },
          overviewStrings.picks.clear)),
      this.buttons);
  }

  /** @param {string} name @param {boolean} range */
  press(name, range) {
    const on = !this.names.has(name);
    const all = this.shown();
    const [from, to] = [all.indexOf(this.#anchor), all.indexOf(name)].sort((one, other) => one - other);
    this.#anchor = name;
    this.toggle(range && from >= 0 ? all.slice(from, to + 1) : [name], on);
  }

  /** @param {string[]} names @param {boolean} on */
  toggle(names, on) {
    for (const name of names) {
      if (on) this.names.add(name);
      else this.names.delete(name);
    }
    this.changed();
  }

  #none() {
    const names = [...this.names];
    this.toggle(names, false);
    // The bar is gone together with the pressed button.
    focusRow(names[0] ?? "");
  }

  /** @returns {Target[]} */
  targets() {
    return [...this.names].flatMap((name) => store.targets.get(name) ?? []);
  }

  /** The picked targets without a kill switch. Those that have one keep their own text, and can be opened instead. */
  blockable() {
    return this.targets().filter((target) => !target.gate.killSwitch);
  }

  openable() {
    return this.targets().filter((target) => target.gate.killSwitch);
  }

  paint() {
    for (const name of this.names) {
      const target = store.targets.get(name);
      if (!target || !store.may("operator", target.app)) this.names.delete(name);
    }
    this.bar.hidden = this.names.size === 0;
    const seen = new Set(this.shown());
    const text = overviewStrings.picks.said(this.names.size, [...this.names].filter((name) => !seen.has(name)).length);
    if (this.said.textContent !== text) this.said.textContent = text;
    const [blockable, openable] = [this.blockable(), this.openable()];
    show(this.buttons,
      blockable.length > 0
        ? el("button", { type: "button", class: "button restrict", "data-key": "block picked", on: { click: () => this.block() } },
          overviewStrings.picks.block(blockable.length))
        : null,
      openable.length > 0
        ? el("button", { type: "button", class: "button release", "data-key": "open picked", on: { click: () => this.open() } },
          overviewStrings.picks.open(openable.length))
        : null);
  }

  /** @returns {boolean} whether there was something to ask about */
  block() {
    return this.#ask(this.blockable(), askToBlock, askToBlockAll);
  }

  open() {
    return this.#ask(this.openable(), askToOpen, askToOpenAll);
  }

  /**
   * @param {Target[]} targets
   * @param {typeof askToBlock} one
   * @param {typeof askToBlockAll} several
   */
  #ask(targets, one, several) {
    if (targets.length === 0) return false;
    // Unpick them when it is done; otherwise they would be in the next dialog too.
    const done = () => this.toggle(targets.map(nameOf), false);
    void (targets.length === 1 ? one(targets[0], { done }) : several(targets, { done }));
    return true;
  }
}
