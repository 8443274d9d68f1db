// @ts-check
/** Single keys for people who live on this page. None publishes by itself, none works while typing, and all can be switched off. */
import { store } from "../store.js";
import { askToBlock, askToOpen } from "./ask.js";

const SETTING = "gatehouse-single-keys";
/** How long `g` waits for the place to go to. */
const SEQUENCE = 1500;
/** @type {Record<string, string>} */
const PLACES = { o: "#/", h: "#/history", s: "#/schedule" };

/**
 * What is picked on the overview, while it stands there: then a key means all of it.
 * @type {import("./picks.js").Picks | null}
 */
let picked = null;

/** @param {import("./picks.js").Picks} picks @param {AbortSignal} signal */
export function setPicked(picks, signal) {
  picked = picks;
  signal.addEventListener("abort", () => { if (picked === picks) picked = null; });
}

/** @returns {boolean} */
function enabled() {
  try {
    return localStorage.getItem(SETTING) !== "off";
  } catch {
    // Storage may be forbidden; then the keys work, as they do for everybody who has never been here.
    return true;
  }
}

/** @param {boolean} on */
function enable(on) {
  try {
    localStorage.setItem(SETTING, on ? "on" : "off");
  } catch {
    // Not remembered then; the box shows what holds until the page is left.
  }
}

/** @param {AbortSignal} signal */
export function listenForKeys(signal) {
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
 * The target the focus is in, or the one the page is about.
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
  (await import("./keys-dialog.js")).openKeysDialog({ isOn: enabled(), turn: enable });
}

/**
 * What is written while the palette is on its way: it belongs into its field, and is no single key.
 * @type {string | null}
 */
let written = null;

/** Everything by its name. */
export async function openPalette() {
  if (written !== null) return;
  written = "";
  try {
    (await import("./palette.js")).openPalette(() => written ?? "");
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    // Its file did not come, and the bar at the top says why.
    store.setLive({ codeMissing: true });
  } finally {
    written = null;
  }
}
