// @ts-check
/** The addresses an app can poll, each with a copy button. */
import { el } from "../dom.js";
import { store } from "../store.js";
import { platformName, strings } from "../strings.js";
import { copyButton } from "./copy-button.js";

/**
 * Where phones reach the feeds, as far as it can be known from here: beside this page on the feeds' port, unless a proxy stands in
 * front, which a standard port tells; then it is the proxy that knows.
 */
function feedsOrigin() {
  const port = store.status?.feedsPort;
  return port && location.port !== "" ? `${location.protocol}//${location.hostname}:${port}` : location.origin;
}

/**
 * @param {import("../api.js").Target} target
 * @param {number} [level] of the heading
 */
export function feedAddresses(target, level = 2) {
  const names = /** @type {Record<string, string>} */ (strings.feeds.names);
  return el("section", { class: "feeds" },
    el(level === 2 ? "h2" : "h3", null, `${strings.feeds.title} · ${platformName(target.platform)}`),
    el("dl", { class: "feed-list" }, Object.entries(target.feeds ?? {}).map(([format, path]) => {
      const address = feedsOrigin() + path;
      const code = strings.feeds.snippets[format]?.(target.platform, address, target.settings.storeURL ?? "") ?? null;
      return el("div", { class: "feed-row" },
        el("dt", null, names[format] ?? format),
        el("dd", null, el("code", null, address), copyButton(strings.copy, () => address, { name: strings.copyOf(`${names[format] ?? format}: ${address}`), class: "button quiet small" })),
        code ? el("dd", { class: "feed-code" }, el("details", null, el("summary", null, strings.feeds.code),
          el("pre", { tabindex: "0" }, code), copyButton(strings.feeds.copyCode, () => code, { name: `${strings.feeds.copyCode}: ${names[format] ?? format}`, class: "button quiet small" }))) : null);
    })));
}
