// @ts-check
/** The entry point: finds out who is signed in, routes addresses to screens, and sets the title of the tab. */
import * as api from "./api.js";
import { applyTheme, el, pathOf, show, styleSheet } from "./dom.js";
import { codeTrouble, DRAFTS, isCodeTrouble, store } from "./store.js";
import { shellStrings, strings } from "./strings/shared.js";
import { atFirstSign } from "./components/actions.js";
import { failedHead, failedView, failure, loadingView, shell } from "./components/shell.js";
import { overviewView } from "./views/overview.js";

/**
 * @typedef {{ parameters: string[], query: URLSearchParams, visit: number, signal: AbortSignal, signOut: () => void,
 *   again: () => void }} ViewContext `visit`: see below; `signal` aborts when the screen is left; `again`: makes it anew
 */
/** @typedef {{ title: string | (() => string), element: HTMLElement }} View  `title`: a function where it is a name that may change */

/** @typedef {(context: ViewContext) => View} MakeView */

/** @param {() => Promise<MakeView>} load */
const settings = (load) => async () => (await Promise.all([load(), styleSheet("settings.css")]))[0];

/**
 * The screens by address. Only the overview comes with the first load; the others are fetched when they are opened.
 * @type {[RegExp, () => MakeView | Promise<MakeView>][]}
 */
const routes = [
  [/^\/$/, () => overviewView],
  [
    /^\/t\/([^/]+)\/([^/]+)(?:\/edit\/(kill|min|optional|alert|force))?$/,
    async () => (await Promise.all([import("./views/target.js"), styleSheet("target.css"), styleSheet("schedule.css")]))[0].targetView,
  ],
  [/^\/schedule$/, async () => (await Promise.all([import("./views/schedule.js"), styleSheet("schedule.css")]))[0].scheduleView],
  [
    /^\/schedule\/new$/,
    async () => (await Promise.all([import("./views/new-window.js"), styleSheet("schedule.css")]))[0].newWindowView,
  ],
  [/^\/history$/, async () => (await import("./views/history.js")).historyView],
  [/^\/history\/(\d+)$/, async () => (await import("./views/change.js")).changeView],
  [
    /^\/rehearsals$/,
    async () => (await Promise.all([import("./views/rehearsals.js"), styleSheet("settings.css")]))[0].rehearsalsView,
  ],
  [
    /^\/rehearsals\/([^/]+)$/,
    async () => (await Promise.all([import("./views/rehearsal.js"), styleSheet("rehearsal.css")]))[0].rehearsalView,
  ],
  [/^\/simulate$/, async () => (await Promise.all([import("./views/simulate.js"), styleSheet("simulate.css")]))[0].simulateView],
  [/^\/settings\/apps$/, settings(async () => (await import("./views/apps.js")).appsView)],
  [/^\/settings\/apps\/new$/, settings(async () => (await import("./views/new-app.js")).newAppView)],
  [/^\/settings\/apps\/([^/]+)$/, settings(async () => (await import("./views/app.js")).appView)],
  [/^\/settings\/import$/, settings(async () => (await import("./views/import.js")).importView)],
  [/^\/settings\/tokens$/, settings(async () => (await import("./views/tokens.js")).tokensView)],
  [/^\/settings\/people$/, settings(async () => (await import("./views/people.js")).peopleView)],
  [/^\/settings\/account$/, settings(async () => (await import("./views/account.js")).accountView)],
];

const notFound = async () => import("./components/not-found.js").then(({ notFoundView }) => () => notFoundView());

/** Milliseconds for which a screen stays while the files of the next one are being fetched. */
const PATIENCE = 300;
/** The performance mark set when a screen is shown. */
const SCREEN = "gatehouse-screen";

const root = /** @type {HTMLElement} */ (document.getElementById("app"));
const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
/** @type {AbortController} */
let inside = new AbortController();
let left = new AbortController();
/** Aborted when the screen of the address is there, or the address changes again before. */
let passed = new AbortController();
/** Aborted where polling ends, which is before a sign-out is answered. */
let live = new AbortController();
/** @type {HTMLElement | null} */
let main = null;
/** The path of what is shown; empty before the first screen. */
let screen = "";
/** @type {View["title"]} */
let viewTitle = "";
/** The number of the current entry of the browser's history. An entry that already has a number is being returned to. */
let visit = 0;
let visits = 0;
/**
 * Where each entry was left: the scroll position and the focused control.
 * @type {Map<number, { top: number, key: string | undefined }>}
 */
const leftAt = new Map();

/**
 * Whether the address is of a set-up or invitation link, which opens no matter who is signed in.
 * @param {string} path
 */
const isDoor = (path) => path.startsWith("/setup/") || path === "/invitation" || path.startsWith("/invitation/");

/** Path and query of the address. */
function place(hash = location.hash) {
  return { path: pathOf(hash), query: new URLSearchParams(hash.split("?")[1]) };
}

/**
 * The token of an invitation. Reading it removes it from the address, where it could be seen, kept in the history, or copied along.
 * @returns {string | null} null at every other address; empty if it was removed from the address before
 */
function takeInvitation() {
  const token = place().path.match(/^\/invitation(?:\/([^/]*))?$/);
  if (!token) return null;
  if (token[1] !== undefined) history.replaceState(history.state, "", "#/invitation");
  return token[1] ?? "";
}

/** @param {string | null} [invitation] from an earlier attempt, when the address no longer has it */
async function enter(invitation = takeInvitation()) {
  root.setAttribute("aria-busy", "true");
  try {
    const { needed, session, status } = await api.arrival();
    const code = place().path.match(/^\/setup\/([^/]+)$/)?.[1];
    if (invitation !== null) await showInvitation(invitation, session);
    else if (code !== undefined) await showSetup(decode(code), needed);
    else if (session && status) await begin(session, status);
    else await showSignIn(needed);
  } catch (error) {
    const reason = await codeTrouble(error) ?? error;
    const again = failure(reason, () => void enter(invitation), { what: strings.product, line: "gatectl doctor" });
    const exit = reason instanceof api.APIError && api.signOutAddress();
    if (exit) again.querySelector(".actions")?.append(el("a", { class: "button", href: exit }, shellStrings.signOut));
    show(root, el("main", { class: "door", id: "main" }, el("p", { class: "brand-large" }, strings.product), failedHead(), again));
  } finally {
    root.removeAttribute("aria-busy");
  }
}

/** @param {string} code @param {boolean} needed */
async function showSetup(code, needed) {
  const { setupView } = await setupCode();
  // Somebody who is signed in may have followed the link.
  close();
  main = null;
  showDoor(setupView({
    code, needed,
    done: (session) => { history.replaceState(null, "", "#/"); void begin(session); },
    leave: () => { history.replaceState(null, "", "#/"); void enter(); },
  }));
}

/** @param {string} token @param {import("./documents.js").Session | null} session of whoever is signed in to this browser */
async function showInvitation(token, session) {
  const { invitationView } = await invitationCode();
  // Whoever is signed in stays so until they sign out; only their screens are closed.
  const wasHere = store.session !== null || session !== null;
  close();
  main = null;
  showDoor(invitationView({
    token, user: session?.user.username ?? null,
    signOut: async () => {
      await api.signOut();
      forgetDrafts();
      store.setReceipt(null);
      store.setSession(null);
    },
    done: (begun) => {
      history.replaceState(null, "", "#/");
      // Nothing of the previous person's may be left for this one.
      if (wasHere) location.reload();
      else void begin(begun);
    },
    leave: () => { history.replaceState(null, "", "#/"); void enter(); },
  }));
}

/** Not needed while signed in. All files are fetched together, so that none waits for another to import it. */
const signInCode = async () => (await Promise.all([
  import("./components/sign-in.js"), import("./components/field.js"), import("./strings/sign-in.js"),
]))[0];

/** Not needed on the sign-in screen itself. */
const signInAgainCode = async () => (await Promise.all([
  import("./components/sign-in-again.js"), import("./components/focus-return.js"), import("./components/held-dialog.js"), signInCode(),
]))[0];

const invitationCode = async () => (await Promise.all([
  import("./views/invitation.js"), import("./api-people.js"), import("./components/door-form.js"), import("./strings/invitation.js"),
  signInCode(),
]))[0];

const setupCode = async () => (await Promise.all([
  import("./views/setup.js"), import("./components/door-form.js"), import("./strings/setup.js"), signInCode(),
]))[0];

/** @param {boolean} needed there is no user yet @param {boolean} [isPerhapsIn] the server did not say that it has ended the session */
async function showSignIn(needed, isPerhapsIn) {
  const { signInView } = await signInCode();
  showDoor(signInView({ needed, isPerhapsIn, done: (session) => void begin(session) }));
}

/** @param {{ title: string, element: HTMLElement, focus: () => void }} view */
function showDoor(view) {
  show(root, view.element);
  performance.mark(SCREEN);
  document.title = shellStrings.title(0, view.title, "");
  view.focus();
}

/**
 * @param {import("./documents.js").Session} session
 * @param {Promise<import("./documents.js").Status>} [status] if it has already been asked for
 * @returns {Promise<void>}
 */
async function begin(session, status) {
  store.setSession(session);
  try {
    await store.reload(status);
  } catch (error) {
    const again = failure(error, () => void begin(session), { what: shellStrings.nav.overview, line: "gatectl status" });
    return show(root, el("main", { class: "door", id: "main" }, failedHead(), again));
  }
  inside = new AbortController();
  screen = "";
  main = el("main", { id: "main", tabindex: "-1" });
  show(root, shell({ main, signOut: () => void leave(), signal: inside.signal }));
  addEventListener("hashchange", () => void route(), { signal: inside.signal });
  for (const topic of /** @type {import("./store.js").Topic[]} */ (["targets", "status", "apps"])) store.on(topic, title, inside.signal);
  live = new AbortController();
  const shown = route();
  void follow(live.signal, shown);
  await shown;
  // Fetched early, because a session may end when the server cannot be reached.
  atFirstSign(signInAgainCode, inside.signal);
}

/**
 * Polls from now on. The first screen does not wait for the code for it; where that cannot be fetched, the page says that it is old, and
 * asks for it again.
 * @param {AbortSignal} signal
 * @param {Promise<void>} shown the first screen: if its files do not come, or it fails, the page polls all the same
 */
async function follow(signal, shown) {
  await Promise.race([shown.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 1000))]);
  for (let pause = 1000; !signal.aborted; pause = Math.min(2 * pause, 30_000)) {
    // A browser waits minutes for a file that neither comes nor fails.
    const late = setTimeout(() => { if (!signal.aborted) store.setLive({ failing: true, stale: true }); }, 30_000);
    try {
      const { startLive } = await import("./live.js");
      if (!signal.aborted) startLive(signal);
      return;
    } catch (error) {
      if (!isCodeTrouble(error)) throw error;
      store.setLive({ failing: true, stale: true });
      await new Promise((resolve) => setTimeout(resolve, pause));
    } finally {
      clearTimeout(late);
    }
  }
}

async function leave() {
  live.abort();
  const session = store.session;
  const isNamed = session?.origin === "proxy";
  let isPerhapsIn = false;
  try {
    await api.signOut();
    // Nothing of this person's, drafts included, may be left for the next.
    forgetDrafts();
    if (!isNamed) return location.reload();
  } catch (error) {
    // Without an answer the session may live on; only the page's own copy of the facts can be dropped.
    if (!(error instanceof api.NoAnswer) && !(error instanceof api.APIError)) throw error;
    // A 401 means that the session has already ended.
    isPerhapsIn = error instanceof api.NoAnswer || error.status !== 401;
  }
  forgetDrafts();
  close();
  store.setReceipt(null);
  store.setSession(null);
  if (!isNamed) return showSignIn(false, isPerhapsIn);
  // The proxy would sign this browser in again at once.
  if (session.signOut) return location.assign(session.signOut);
  showDoor((await signInCode()).signedOutView());
}

/** Stops everything that runs for the screens. */
function close() {
  live.abort();
  inside.abort();
  left.abort();
  passed.abort();
}

function forgetDrafts() {
  try {
    sessionStorage.removeItem(DRAFTS);
  } catch {
    // If storage is forbidden, it holds no drafts either.
  }
}

async function route() {
  const { path, query } = place();
  if (!main || isDoor(path)) return;
  const isBack = arrive();
  passed.abort();
  const coming = passed = new AbortController();
  const { signal } = coming;
  // A screen that is left follows the polls until the next one is there; after a while nobody would take it for the one they asked for.
  setTimeout(() => { if (!signal.aborted) { leaveScreen(); put(loadingView(), null); } }, PATIENCE);
  const [pattern, load] = routes.find(([candidate]) => candidate.test(path)) ?? [null, notFound];
  /** @type {View} */
  let view;
  try {
    const make = await load();
    if (signal.aborted) return;
    view = make({
      parameters: (pattern?.exec(path)?.slice(1) ?? []).map((part) => (part === undefined ? "" : decode(part))), query, visit,
      signal: leaveScreen(), signOut: () => void leave(), again: () => void route(),
    });
  } catch (error) {
    const trouble = await codeTrouble(error);
    // Anything else is our bug and belongs in the console.
    if (!trouble) throw error;
    if (signal.aborted) return;
    leaveScreen();
    view = failedView(trouble, () => void route());
  } finally {
    coming.abort();
  }
  put(view, path, isBack ? leftAt.get(visit) : undefined);
  performance.mark(SCREEN);
}

/** @returns {AbortSignal} of the screen that comes next */
function leaveScreen() {
  left.abort();
  left = new AbortController();
  return left.signal;
}

/**
 * @param {View} view
 * @param {string | null} path null while the files of the screen are late
 * @param {{ top: number, key: string | undefined }} [place] where it was left
 */
function put(view, path, place) {
  if (!main) return;
  show(main, view.element);
  if (path === null) delete main.dataset.screen;
  else main.dataset.screen = path;
  viewTitle = view.title;
  title();
  if (screen !== "" && screen !== path) {
    const control = place?.key ? main.querySelector(`[data-key="${CSS.escape(place.key)}"]`) : null;
    scrollTo(0, place?.top ?? 0);
    (control instanceof HTMLElement ? control : main.querySelector("h1"))?.focus({ preventScroll: true });
  }
  screen = path ?? (screen && strings.loading);
}

/**
 * Remembers scroll position and focus of the history entry being left, and numbers the one being entered.
 * @returns {boolean} whether that entry was visited before
 */
function arrive() {
  const { activeElement: focused } = document;
  if (visit > 0) leftAt.set(visit, { top: scrollY, key: focused instanceof HTMLElement ? focused.dataset.key : undefined });
  const known = Number(history.state?.visit ?? 0);
  visits = Math.max(visits, known);
  visit = known || (visits += 1);
  if (!known) history.replaceState({ visit }, "");
  return known > 0;
}

/** @param {string} part */
function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not a valid escape: no name matches it, so it is looked up as it is.
    return part;
  }
}

/** Title and icon show, even while another tab is in front, that somebody is locked out. */
function title() {
  const blocked = [...store.targets.values()].filter((target) => target.state === "blocked").length;
  document.title = shellStrings.title(blocked, typeof viewTitle === "string" ? viewTitle : viewTitle(), store.environment);
  const file = blocked > 0 ? "favicon-blocked.svg" : "favicon.svg";
  if (icon.getAttribute("href") !== file) icon.setAttribute("href", file);
}

applyTheme();
// The browser cannot know when a screen is there to scroll to.
history.scrollRestoration = "manual";
api.onSessionEnd(async () => {
  const { signInAgain } = await signInAgainCode().catch(() => { throw new api.NoAnswer(); });
  return signInAgain();
});
api.onProofWanted(async () => (await import("./components/proof-dialog.js")).proveAgain(() => void leave()));
addEventListener("hashchange", ({ oldURL }) => {
  // Back from a door, too: it has closed the screens.
  if (isDoor(place().path) || isDoor(place(new URL(oldURL).hash).path)) void enter();
});
void enter();
