// @ts-check
/** For an app that no phone has polled yet: shows the code to paste, and the first polls as the server counts them. */
import * as api from "../api.js";
import { el, show, uniqueId } from "../dom.js";
import { sayTarget } from "../gate.js";
import { checkMark } from "../icons.js";
import { nameOf, store } from "../store.js";
import { feedStrings } from "../strings/feeds.js";
import { firstRunStrings } from "../strings/first-run.js";
import { platformName, strings } from "../strings/shared.js";
import { serverNow, tick } from "../time.js";
import { copyButton } from "./copy-button.js";
import { feedAddress } from "./feed-addresses.js";
import { agoElement } from "./targets.js";

/** @typedef {import("../documents.js").Target} Target */

/** How many times to ask, once a second, before a page that was left open stops. */
const AT_MOST = 1800;

/**
 * Whether any of a target's feeds was polled within the last day.
 * @param {Target} target
 */
const isPolled = (target) => (target.reach?.feeds?.length ?? 0) > 0;

/**
 * Whether none of these targets has been polled. Reads them one by one, because a list of targets does not say.
 * @param {Target[]} targets
 */
export async function isUnpolled(targets) {
  const fresh = await Promise.all(targets.map(({ app, platform }) => api.target(app, platform)));
  return !fresh.some(isPolled);
}

/**
 * @param {string} app
 * @param {AbortSignal} signal
 * @param {number} [level] of the headings
 */
export function firstPoll(app, signal, level = 2) {
  const targets = [...store.targets.values()].filter((target) => target.app === app);
  const next = el("div", { class: "first-flip" });
  const seen = new Set();
  /** @param {Target} target */
  const came = (target) => {
    seen.add(nameOf(target));
    // One polled target is enough for the next step.
    if (seen.size === 1) {
      show(next, el("p", { class: "hint" }, firstRunStrings.flipHint),
        el("a", { class: "button primary", href: `#/t/${nameOf(target)}` }, firstRunStrings.flip(sayTarget(target))));
    }
  };
  return el("div", { class: "first-polls" },
    targets.map((target) => targetPoll(target, { alone: targets.length === 1, level, signal, came })), next);
}

/**
 * @param {Target} target
 * @param {{ alone: boolean, level: number, signal: AbortSignal, came: (target: Target) => void }} options `alone`: the only one
 */
function targetPoll(target, { alone, level, signal, came }) {
  const { platform } = target;
  const state = el("p", { class: "poll-state", role: "status" });
  const waiting = el("span", null, firstRunStrings.waiting(platform));
  show(state, el("span", { class: "poll-wait", "aria-hidden": "true" }), waiting);
  const code = el("div", { class: "poll-code" });
  const group = uniqueId("library");
  const choices = choicesOf(target);
  const boxes = choices.map(({ name }, number) => el("input", {
    type: "radio", name: group, value: name, checked: number === 0, on: { change: () => paint(number) },
  }));

  /** @param {number} number */
  function paint(number) {
    const { name, address, text } = choices[number];
    show(code,
      el("pre", { tabindex: "0" }, text),
      el("div", { class: "actions" },
        copyButton(feedStrings.copyCode, () => text, { name: `${feedStrings.copyCode}: ${name}`, class: "button small" }),
        copyButton(feedStrings.copyAddress, () => address, { name: strings.copyOf(`${name}: ${address}`), class: "button quiet small" })));
  }
  paint(0);

  let asked = 0;
  let asking = false;
  /** Polls counted so far; below zero before the first answer. */
  let known = -1;
  async function ask() {
    asking = true;
    asked += 1;
    try {
      const fresh = await api.target(target.app, platform);
      if (signal.aborted) return;
      const { confirmed = 0, replaced = 0, fetched = 0 } = fresh.reach ?? {};
      const count = confirmed + replaced + fetched;
      // Polls counted before this page opened may be hours old; only those that come in while it is open get a time.
      if (isPolled(fresh) && known < 0) told(fresh, null);
      else if (isPolled(fresh) && count > known) told(fresh, new Date(serverNow()).toISOString());
      known = count;
    } catch {
      // The bar at the top says that the server is lost; this keeps waiting.
    } finally {
      asking = false;
    }
  }

  /** @param {Target} polled @param {string | null} at */
  function told(polled, at) {
    const names = (polled.reach?.feeds ?? []).map((feed) => readerOf(polled, feed, alone)).join(", ");
    state.dataset.polled = "";
    show(state,
      checkMark(),
      el("span", null, at ? [`${names}, `, agoElement(at)] : firstRunStrings.polledToday(names)));
    came(polled);
  }
  void ask();
  tick(() => { if (!asking && asked < AT_MOST) void ask(); }, signal);

  return el("section", { class: "panel first-poll", "data-target": nameOf(target) },
    el("div", { class: "poll-head" }, el(level === 2 ? "h2" : "h3", null, platformName(platform)), state),
    el("fieldset", null, el("legend", { class: "visually-hidden" }, firstRunStrings.libraryOf(platform)),
      el("div", { class: "segments" }, boxes.map((box, number) => el("label", null, box, el("span", null, choices[number].name))))),
    code);
}

/**
 * The libraries that there is code for, the most likely first.
 * @param {Target} target
 * @returns {{ name: string, address: string, text: string }[]}
 */
function choicesOf(target) {
  const { platform } = target;
  const wanted = platform === "android" ? ["launchgate", "prince-of-versions"] : ["launchgate", "bellerophon", "prince-of-versions"];
  const known = wanted.flatMap((format) => {
    const address = feedAddress(target, format);
    const text = address ? feedStrings.snippets[format]?.(platform, address, target.settings.storeURL ?? "") : null;
    return address && text ? [{ name: libraryOf(platform, format), address, text }] : [];
  });
  const own = feedAddress(target, "gate") ?? "";
  const gatekit = own ? feedStrings.snippets.gate(platform, own, target.settings.storeURL ?? "") : null;
  if (gatekit) known.push({ name: strings.library.gatekit, address: own, text: gatekit });
  return [...known, { name: firstRunStrings.own, address: own, text: firstRunStrings.ownCode(own) }];
}

/** @param {string} platform @param {string} format */
const libraryOf = (platform, format) =>
  (format === "launchgate" && platform === "android" ? strings.library.gandalf
    : /** @type {Record<string, string>} */ (strings.library)[format] ?? format);

/**
 * The library that reads a document. `launchgate` serves the whole app, so with several platforms a poll may be from LaunchGate or Gandalf.
 * @param {Target} target
 * @param {string} feed
 * @param {boolean} alone
 */
function readerOf(target, feed, alone) {
  if (feed === "launchgate" && !alone) return firstRunStrings.eitherLibrary;
  if (feed === "combined") return firstRunStrings.combined;
  return feed === "gate" ? strings.library.gatekit : libraryOf(target.platform, feed);
}
