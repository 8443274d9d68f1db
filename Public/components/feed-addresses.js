// @ts-check
/** The addresses an app can poll, each with a copy button. */
import { el } from "../dom.js";
import { nameOf, store } from "../store.js";
import { feedStrings } from "../strings/feeds.js";
import { platformName, strings } from "../strings/shared.js";
import { copyButton } from "./copy-button.js";

/**
 * Where phones reach the feeds, as far as this page can know: on this page's host, at the feeds' port. Behind a proxy that address is not
 * known: the server, if told of the proxy, names no port; if not, this page being on a standard port reveals the proxy. Then this page's
 * own origin is used, which serves the feeds too.
 */
export function feedsOrigin() {
  const port = store.status?.feedsPort;
  return port && location.port !== "" ? `${location.protocol}//${location.hostname}:${port}` : location.origin;
}

/**
 * The address at which phones poll one document of a target.
 * @param {import("../documents.js").Target} target
 * @param {string} format
 */
export function feedAddress(target, format) {
  const path = target.feeds?.[format];
  return path ? feedsOrigin() + path : null;
}

/**
 * The documents of a target. GateKit's comes first on platforms that have GateKit, because new apps start with it.
 * @param {import("../documents.js").Target} target
 * @returns {[string, string][]}
 */
function inOrder(target) {
  const feeds = Object.entries(target.feeds ?? {});
  const isFirst = (/** @type {string} */ format) => format === "gate" && target.platform !== "android";
  return [...feeds.filter(([format]) => isFirst(format)), ...feeds.filter(([format]) => !isFirst(format))];
}

/**
 * @param {import("../documents.js").Target} target
 * @param {number} [level] of the heading
 */
export function feedAddresses(target, level = 2) {
  const names = /** @type {Record<string, string>} */ (feedStrings.names);
  return el("section", { class: "feeds" },
    el(level === 2 ? "h2" : "h3", null, `${feedStrings.title} · ${platformName(target.platform)}`),
    el("dl", { class: "feed-list" }, inOrder(target).map(([format, path]) => {
      const address = feedsOrigin() + path;
      const key = `${nameOf(target)} ${format}`;
      const code = feedStrings.snippets[format]?.(target.platform, address, target.settings.storeURL ?? "") ?? null;
      return el("div", { class: "feed-row" },
        el("dt", null, names[format] ?? format),
        el("dd", null,
          el("code", null, address.split(/(?<=\/)/).flatMap((part) => [part, el("wbr", null)])),
          copyButton(strings.copy, () => address, {
            name: strings.copyOf(`${names[format] ?? format}: ${address}`), class: "button quiet small", key: `copy ${key}`,
          })),
        code ? el("dd", { class: "feed-code" }, el("details", { "data-key": `code ${key}` },
          el("summary", { "data-key": `code of ${key}` }, feedStrings.code),
          el("pre", { tabindex: "0", "data-key": `text ${key}` }, code),
          copyButton(feedStrings.copyCode, () => code, {
            name: `${feedStrings.copyCode}: ${names[format] ?? format}`, class: "button quiet small", key: `copy code ${key}`,
          }))) : null);
    })));
}
