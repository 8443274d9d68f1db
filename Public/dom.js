// @ts-check
/**
 * Builds elements, and sets what concerns the whole document: style sheets, the theme and the address. The dashboard parses no HTML
 * anywhere: text becomes text nodes, so a message such as `<img onerror=…>` can only ever be shown, and the content security policy can
 * demand trusted types without naming a policy.
 */

/** @typedef {Node | string | number | null | undefined | false} Leaf */
/** @typedef {Leaf | readonly any[]} Child  what can be shown, and lists of it */
/** @typedef {Record<string, unknown> & { class?: string, on?: Record<string, (event: any) => void> }} Properties */

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with attributes and children. `on` adds listeners; `true` sets an empty attribute; `false`, `null` and
 * `undefined` set none; `value` and `checked` are set as properties, because their attributes only set the default.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties | null} [properties]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, properties, ...children) {
  const element = document.createElement(tag);
  apply(element, properties);
  element.append(...nodes(children));
  return element;
}

/**
 * The same for SVG, which needs its namespace.
 * @param {string} tag
 * @param {Properties} properties
 * @param {...SVGElement} children
 */
export function svg(tag, properties, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  apply(element, properties);
  element.append(...children);
  return element;
}

/** @param {Element} element @param {Properties | null} [properties] */
function apply(element, properties) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(properties?.on ?? {})) element.addEventListener(event, listener);
    } else if (name === "value" || name === "checked") {
      Reflect.set(element, name, value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value != null) {
      element.setAttribute(name, String(value));
    }
  }
}

/**
 * @param {readonly Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children.flatMap((child) => {
    if (child === null || child === undefined || child === false) return [];
    if (Array.isArray(child)) return nodes(/** @type {readonly Child[]} */ (child));
    return typeof child === "number" ? [String(child)] : [/** @type {Node | string} */ (child)];
  });
}

/**
 * Replaces what a container shows. Focus inside it survives when the new content has an element of the same `id` or
 * `data-key`: a live update must not throw a keyboard user back to the top of the page. If that element is gone, the focus moves to what
 * encloses it and can be focused, such as a list. Open details that have a `data-key` stay open.
 * @param {Element} container
 * @param {...Child} children
 */
export function show(container, ...children) {
  const { activeElement: active } = document;
  const focused = active instanceof HTMLElement && active !== container && container.contains(active) ? active : null;
  const opened = new Set([...container.querySelectorAll("details[data-key][open]")].map((one) => one.getAttribute("data-key")));
  const top = focused ? scrollY : 0;
  container.replaceChildren(...nodes(children));
  for (const one of opened.size > 0 ? container.querySelectorAll("details[data-key]") : []) {
    if (opened.has(one.getAttribute("data-key"))) /** @type {HTMLDetailsElement} */ (one).open = true;
  }
  if (!focused) return;
  // Taking the focus away can lay out the page while the container is empty, and scroll a page that is then too short.
  scrollTo(scrollX, top);
  // An element that is shown again has lost the focus all the same.
  if (focused.isConnected) return focused.focus({ preventScroll: true });
  // What has no name of its own, such as an item of a menu, is found again by what opens it.
  const key = focused.dataset.key ?? focused.closest("details")?.querySelector("summary")?.dataset.key;
  // An id that was made up for one label is gone with it, while its key is the same in every new content.
  const heir = (focused.id && container.querySelector(`#${CSS.escape(focused.id)}`))
    || (key && container.querySelector(`[data-key="${CSS.escape(key)}"]`)) || null;
  const around = heir ? null : container.closest("main [tabindex='-1']");
  // The heading is the last resort; on the body a reader would start again above all navigation.
  const next = heir ?? around ?? document.querySelector("main h1");
  if (!(next instanceof HTMLElement)) return;
  next.focus({ preventScroll: next === around || container.contains(next) });
  // Without what is gone it may be so short that it has left the window.
  if (next === around) next.scrollIntoView({ block: "nearest" });
}

/**
 * Takes the focus from what has just been hidden to the row of a target, or to the heading if that is not shown. The page does not move.
 * @param {string} name `shop/ios`
 */
export function focusRow(name) {
  const places = [`main [data-target="${CSS.escape(name)}"] [data-row]`, "main h1"].map((place) => document.querySelector(place));
  const next = places.find((place) => place && place.getClientRects().length > 0);
  if (next instanceof HTMLElement) next.focus({ preventScroll: true });
}

let lastId = 0;

/**
 * An id that no other element has, for labels and descriptions.
 * @param {string} stem
 */
export function uniqueId(stem) {
  lastId += 1;
  return `${stem}-${lastId}`;
}

/**
 * Style sheets that the first screen does not need; each is fetched with the screen that uses it.
 * @type {Map<string, Promise<void>>}
 */
const sheets = new Map();

/**
 * Resolves when the sheet has loaded or failed: an unstyled screen is better than none.
 * @param {string} file
 */
export function styleSheet(file) {
  const known = sheets.get(file);
  if (known) return known;
  const coming = new Promise((done) => {
    document.head.append(el("link", { rel: "stylesheet", href: file, on: { load: done, error: done } }));
  });
  sheets.set(file, coming);
  return coming;
}

/** The storage key of the theme: light, dark or as the system says. */
const KEY = "gatehouse-theme";
export const THEMES = /** @type {const} */ (["auto", "light", "dark"]);

/** @returns {typeof THEMES[number]} */
export function currentTheme() {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "auto";
  } catch {
    // Storage may be forbidden; then the system's choice applies.
    return "auto";
  }
}

/** @param {typeof THEMES[number]} [theme] */
export function applyTheme(theme) {
  if (theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Then it is not remembered, but still applies for this visit.
    }
  }
  document.documentElement.dataset.theme = theme ?? currentTheme();
}

/** @param {string} [hash] */
export const pathOf = (hash = location.hash) => hash.replace(/^#/, "").split("?")[0] || "/";

/** @param {string} home */
export const isAt = (home) => `${pathOf()}/`.startsWith(`${pathOf(home)}/`);

/**
 * Puts what a screen shows into its address, unless the next screen is on its way.
 * @param {string} address
 * @param {string} [home] what the screen's addresses begin with
 */
export function keepAddress(address, home = address) {
  if (isAt(home)) history.replaceState(history.state, "", address);
}
