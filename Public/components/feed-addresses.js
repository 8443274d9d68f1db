// @ts-check
/** The addresses an app can poll, each with a copy button. */
import { el } from "../dom.js";
import { store } from "../store.js";
import { feedStrings } from "../strings/feeds.js";
import { platformName, strings } from "../strings/shared.js";
import { copyButton } from "./copy-button.js";

/**
 * Where phones reach the feeds, as far as it can be known from here: beside this page on the feeds' port. Where the server was told of a
 * proxy in front of it, it names no port; where it was not, a standard port gives the proxy away. Then the feeds are shown where this page
 * is, which serves them too, and it is the proxy that knows better.
 */
export function feedsOrigin() {
  const port = store.status?.feedsPort;
  return port && location.port !== "" ? `${location.protocol}//${location.hostname}:${port}` : location.origin;
}

/**
 * Where phones poll a document of a target.
 * @param {import("../api.js").Target} target
 * @param {string} format
 */
export function feedAddress(target, format) {
  const path = target.feeds?.[format];
  return path ? feedsOrigin() + path : null;
}

/**
 * The documents of a target, GateKit's first where there is a GateKit: it is what a new app starts with.
 * @param {import("../api.js").Target} target
 * @returns {[string, string][]}
 */
function inOrder(target) {
  const feeds = Object.entries(target.feeds ?? {});
  const isFirst = (/** @type {string} */ format) => format === "gate" && target.platform !== "android";
  return [...feeds.filter(([format]) => isFirst(format)), ...feeds.filter(([format]) => !isFirst(format))];
}

/**
 * @param {import("../api.js").Target} target
 * @param {number} [level] of the heading
 */
export function feedAddresses(target, level = 2) {
  const names = /** @type {Record<string, string>} */ (feedStrings.names);
  return el("section", { class: "feeds" },
    el(level === 2 ? "h2" : "h3", null, `${feedStrings.title} · ${platformName(target.platform)}`),
    el("dl", { class: "feed-list" }, inOrder(target).map(([format, path]) => {
      const address = feedsOrigin() + path;
      const code = feedStrings.snippets[format]?.(target.platform, address, target.settings.storeURL ?? "") ?? null;
      return el("div", { class: "feed-row" },
        el("dt", null, names[format] ?? format),
        el("dd", null,
          el("code", null, address.split(/(?<=\/)/).flatMap((part) => [part, el("wbr", null)])),
          copyButton(strings.copy, () => address, {
            name: strings.copyOf(`${names[format] ?? format}: ${address}`), class: "button quiet small",
          })),
        code ? el("dd", { class: "feed-code" }, el("details", null, el("summary", null, feedStrings.code),
          el("pre", { tabindex: "0" }, code),
          copyButton(feedStrings.copyCode, () => code, {
            name: `${feedStrings.copyCode}: ${names[format] ?? format}`, class: "button quiet small",
          }))) : null);
    })));
}
