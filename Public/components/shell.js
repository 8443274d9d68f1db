// @ts-check
/**
 * What surrounds every screen: environment, freshness, navigation, the receipt and announcements; and what is shown instead of a screen
 * that failed or is loading.
 */
import { APIError, NoAnswer, Outdated } from "../api.js";
import { el, pathOf, show } from "../dom.js";
import { sayActor, sayTarget } from "../gate.js";
import { icon } from "../icons.js";
import { isCodeTrouble, nameOf, store } from "../store.js";
import { shellStrings, strings } from "../strings/shared.js";
import { clocks, tick, timeOfDay } from "../time.js";
import { atFirstSign, listenForKeys, openPalette } from "./actions.js";

/** @param {{ main: HTMLElement, signOut: () => void, signal: AbortSignal }} options */
export function shell({ main, signOut, signal }) {
  listenForKeys(signal);
  const slots = {
    page: el("div", { class: "receipt-page" }), bar: el("div", { class: "receipt-slot" }), foot: el("div", { class: "receipt-foot" }),
  };
  let hasReceipts = false;
  const fetchReceipts = async () => {
    if (hasReceipts) return;
    const { receiptRegion } = await import("./receipt.js");
    if (!hasReceipts) receiptRegion({ ...slots, signal });
    hasReceipts = true;
  };
  // There is no receipt before somebody has done something. If its code is out of reach then, it is fetched with the receipt.
  atFirstSign(fetchReceipts, signal);
  store.on("receipt", () => { fetchReceipts().catch((error) => { if (!isCodeTrouble(error)) throw error; }); }, signal);
  return [
    el("a", { class: "skip", href: "#main", on: { click: (event) => { event.preventDefault(); main.focus(); } } }, shellStrings.skip),
    el("header", { class: "top" }, environmentBar(signal), navigation(signOut, slots.bar, signal)),
    warningBars(signal),
    el("div", { class: "page" }, slots.page, main),
    slots.foot,
    announcer(signal),
  ];
}

/** @param {AbortSignal} signal */
function environmentBar(signal) {
  const word = el("strong", { class: "environment-word" });
  const guarded = el("span", { class: "protected", title: shellStrings.protectedHint, hidden: true },
    icon("shield"), el("span", null, shellStrings.protected));
  const clock = el("span", { class: "clock" });
  const light = el("span", { class: "light", "aria-hidden": "true" });
  const lightWord = el("span");
  const bar = el("div", { class: "environment" },
    el("span", { class: "environment-name" }, word, guarded, el("span", { class: "host" }, location.host)),
    el("span", { class: "live" }, light, lightWord), clock);

  function paint() {
    const environment = store.status?.environment;
    word.textContent = store.environment;
    guarded.hidden = !environment?.protected;
    bar.dataset.environment = [environment?.colour, environment?.name].find((name) => name)?.toLowerCase() ?? "";
    const { failing, stale } = store.live;
    bar.dataset.live = stale ? "stale" : failing ? "failing" : "ok";
    const text = stale ? shellStrings.stale : failing ? shellStrings.reconnecting : shellStrings.live;
    if (lightWord.textContent !== text) lightWord.textContent = text;
  }
  store.on("status", paint, signal);
  store.on("live", paint, signal);
  const tell = () => { clock.textContent = clocks(); };
  tick(tell, signal);
  tell();
  paint();
  return bar;
}

/** @param {() => void} signOut @param {HTMLElement} slot for what does not belong to any one screen @param {AbortSignal} signal */
function navigation(signOut, slot, signal) {
  const links = [
    { href: "#/", text: shellStrings.nav.overview, here: (/** @type {string} */ path) => path === "/" || path.startsWith("/t/") },
    { href: "#/schedule", text: shellStrings.nav.schedule, here: (/** @type {string} */ path) => path.startsWith("/schedule") },
    { href: "#/history", text: shellStrings.nav.history, here: (/** @type {string} */ path) => path.startsWith("/history") },
    { href: "#/simulate", text: shellStrings.nav.simulate, here: (/** @type {string} */ path) => path === "/simulate" },
    { href: "#/settings/apps", text: shellStrings.nav.settings, here: (/** @type {string} */ path) => path.startsWith("/settings") },
  ].map((link) => ({ ...link, element: el("a", { href: link.href }, link.text) }));
  const user = el("a", { class: "user roomy", href: "#/settings/account" });

  function paint() {
    const path = pathOf();
    for (const link of links) {
      if (link.here(path)) link.element.setAttribute("aria-current", "page");
      else link.element.removeAttribute("aria-current");
    }
    user.textContent = store.session?.user.username ?? "";
    user.title = store.session?.origin ? shellStrings.byProxy : "";
  }
  addEventListener("hashchange", paint, { signal });
  store.on("session", paint, signal);
  paint();
  return el("div", { class: "bar" },
    el("a", { class: "brand", href: "#/" }, strings.product),
    el("nav", { "aria-label": shellStrings.mainNavigation }, el("ul", null, links.map((link) => el("li", null, link.element)))),
    slot,
    el("div", { class: "who" },
      el("button", {
        type: "button", class: "button small palette-button", "aria-label": shellStrings.palette.open,
        "aria-keyshortcuts": "Control+K Meta+K", on: { click: () => void openPalette() },
      },
        icon("search"), el("span", { class: "roomy" }, shellStrings.palette.open),
        el("kbd", { class: "roomy", "aria-hidden": "true" }, shellStrings.palette.key)),
      user,
      el("button", { type: "button", class: "button quiet small roomy", on: { click: signOut } }, shellStrings.signOut)));
}

/**
 * Bars that warn on every screen of old data or a troubled server.
 * @param {AbortSignal} signal
 */
function warningBars(signal) {
  const stale = el("div", { class: "bar-stale", role: "status" });
  const health = el("div", { class: "bar-health", role: "status" });
  function paint() {
    const { stale: old, lastAnswer, code, health: { state, reasons } } = store.live;
    const codeText = code ? shellStrings.code[code instanceof Outdated ? "outdated" : "missing"] : "";
    const staleText = [old ? shellStrings.staleBar(timeOfDay(lastAnswer)) : "", codeText]
      .filter(Boolean).join(" · ");
    const healthText = state === "degraded" ? shellStrings.degraded(reasons.join(", ")) : state === "starting" ? shellStrings.starting : "";
    if (stale.textContent !== staleText) stale.textContent = staleText;
    if (health.textContent !== healthText) health.textContent = healthText;
    document.documentElement.toggleAttribute("data-stale", old);
    age();
  }
  /** Each state shows how old it is. */
  function age() {
    const { stale: old, lastAnswer } = store.live;
    const said = old ? shellStrings.old(strings.duration(Math.floor((Date.now() - lastAnswer) / 1000))) : "";
    document.documentElement.style.setProperty("--age", JSON.stringify(said));
  }
  tick(age, signal);
  store.on("live", paint, signal);
  paint();
  return el("div", { class: "bars" }, stale, health);
}

/**
 * Announces politely, in one batch, what other people changed.
 * @param {AbortSignal} signal
 */
function announcer(signal) {
  const region = el("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
  store.on("changes", (event) => {
    /** @type {import("../documents.js").Change[]} */
    const changes = event.detail.filter((/** @type {import("../documents.js").Change} */ change) => !store.own.has(change.sequence));
    // Of several changes of a target the last one made its state.
    const last = new Map(changes.flatMap((change) => change.targets.map((target) => [nameOf(target), change.actor])));
    const lines = [...last].flatMap(([name, actor]) => {
      const target = store.targets.get(name);
      return target ? shellStrings.nowState(sayTarget(target), strings.stateWord[target.state], sayActor(actor)) : [];
    });
    if (lines.length > 0) show(region, shellStrings.announcement(lines));
  }, signal);
  return region;
}

/**
 * Says what failed, with the request id to quote, a way to try again, and the way round: the same from a terminal.
 * @param {unknown} error
 * @param {() => void} again
 * @param {{ what: string, line?: string }} about `what` was to be shown; `line`: the gatectl command that shows it
 */
export function failure(error, again, { what, line }) {
  const isOutdated = error instanceof Outdated;
  if (!isOutdated && !(error instanceof APIError) && !(error instanceof NoAnswer)) throw error;
  if (error instanceof NoAnswer) onceAnswered(() => { if (element.isConnected) again(); });
  const element = el("section", { class: "panel", role: "alert" },
    el("h2", null, strings.failed.toShow(what)),
    el("p", null, isOutdated
      ? strings.failed.outdated
      : error instanceof NoAnswer ? strings.failed.noAnswer : /** @type {APIError} */ (error).message),
    error instanceof APIError && error.problem.requestId
      ? el("p", { class: "hint" }, strings.failed.request(error.problem.requestId))
      : null,
    line && !isOutdated ? el("p", { class: "hint" }, `${strings.failed.terminal} `, el("code", null, line)) : null,
    el("div", { class: "actions" }, isOutdated
      ? el("button", { type: "button", class: "button", on: { click: () => location.reload() } }, strings.failed.reload)
      : el("button", { type: "button", class: "button", on: { click: again } }, strings.tryAgain)));
  return element;
}

/**
 * Repeats what failed for lack of an answer as soon as the server answers again.
 * @param {() => void} action
 */
export function onceAnswered(action) {
  const asked = Date.now();
  const heard = new AbortController();
  store.on("live", () => {
    if (store.live.failing || store.live.lastAnswer < asked) return;
    heard.abort();
    action();
  }, heard.signal);
}

/** A placeholder while something loads; visible and announced only if that takes longer than a moment. */
export const skeleton = () =>
  el("div", { class: "skeleton", "aria-busy": "true" }, el("span", { class: "visually-hidden" }, strings.loading));

/** The heading of what is shown instead of a whole screen; without one, the focus would stay on what led there. */
export const failedHead = () => el("h1", { tabindex: "-1" }, strings.failed.title);

/**
 * Shown instead of a screen whose files could not be fetched.
 * @param {import("../store.js").CodeTrouble} trouble
 * @param {() => void} again
 */
export const failedView = (trouble, again) => ({
  title: strings.failed.title,
  element: el("div", null, failedHead(), failure(trouble, again, { what: strings.failed.screen, line: "gatectl status" })),
});

/** Shown while the files of a screen are late. */
export const loadingView = () => ({
  title: strings.loading,
  element: el("div", null,
    el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, strings.loading)),
    el("div", { class: "skeleton", "aria-busy": "true" })),
});
