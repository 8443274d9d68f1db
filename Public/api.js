// @ts-check
/**
 * The admin API, and the only place with `fetch`. Callers get documents or an `APIError`; a 401 asks for the password over
 * the page and then repeats the request, so that nobody loses a draft to an expired session.
 */

/** @typedef {import("./documents.js").App} App */
/** @typedef {import("./documents.js").Events} Events */
/** @typedef {import("./documents.js").Outcome} Outcome */
/** @typedef {import("./documents.js").Plan} Plan */
/** @typedef {import("./documents.js").Problem} Problem */
/** @typedef {import("./documents.js").Session} Session */
/** @typedef {import("./documents.js").Status} Status */
/** @typedef {import("./documents.js").Target} Target */

const BASE = "/api/v1";
const READ_TIMEOUT = 10_000;
/** Longer than a read: giving up on a write leaves its outcome unknown, which costs the operator more than waiting. */
const WRITE_TIMEOUT = 15_000;

/**
 * `AbortSignal.timeout`, which Debian 12's TypeScript does not know yet.
 * @param {number} milliseconds
 * @returns {AbortSignal}
 */
const timeoutAfter = (milliseconds) => /** @type {any} */ (AbortSignal).timeout(milliseconds);

/** An unsuccessful answer from the server. */
export class APIError extends Error {
  /** @param {Problem} problem @param {number | null} retryAfter seconds */
  constructor(problem, retryAfter) {
    super(problem.detail || problem.title);
    this.name = "APIError";
    this.problem = problem;
    this.status = problem.status;
    this.code = problem.code;
    this.retryAfter = retryAfter;
  }
}

/** No answer of the server's: it is down, the network is gone, or it took too long. After a write the outcome is unknown. */
export class NoAnswer extends Error {
  constructor() {
    super("no answer");
    this.name = "NoAnswer";
  }
}

/** The server was upgraded, and its files do not fit together with those that this tab has loaded before. */
export class Outdated extends Error {}

let csrf = "";
/** Where the proxy that signed this person in signs them out; empty if not known. */
let proxyExit = "";
/** The user this page belongs to, and what that user may do: the page has read, and offers, only that. */
let person = "";
/** How often somebody has signed in on this page. */
let signIns = 0;
/** @type {(() => Promise<void>) | null} */
let proveAgain = null;
/** @type {(() => Promise<void>) | null} */
let signInAgain = null;
/**
 * Finding out whether the session has ended, and the sign-in that follows; null while neither goes on.
 * @type {Promise<void> | null}
 */
let renewal = null;

/**
 * Sets what asks for the password once more, for requests that need a fresh sign-in.
 * @param {() => Promise<void>} ask
 */
export function onProofWanted(ask) {
  proveAgain = ask;
}

/**
 * Sets what asks for the password again when a session has ended.
 * @param {() => Promise<void>} ask
 */
export function onSessionEnd(ask) {
  signInAgain = ask;
}

/**
 * @param {string} method
 * @param {string} path below `/api/v1`
 * @param {{ body?: unknown, key?: string, asIs?: boolean, isSignedIn?: boolean, isProven?: boolean, isRepeated?: boolean,
 *   isRenewed?: boolean }} options `asIs`: ask for no password. What is done once for a request: `isSignedIn`: sign in again; `isProven`:
 *   give the password once more; `isRepeated`: wait where the server puts it off; `isRenewed`: ask for the CSRF token
 * @returns {Promise<any>}
 */
export async function request(method, path, options = {}) {
  const { body, key, asIs } = options;
  const sent = signIns;
  const answer = await send(method, path, body, key);
  if (answer.ok) return answer.body;
  if (answer.status === 401 && !asIs && !options.isSignedIn && signInAgain) {
    // The request may have been sent before somebody signed in again, or before the session was renewed. Then it only has to be repeated;
    // no password is needed.
    if (sent === signIns) await (renewal ??= renew().finally(() => { renewal = null; }));
    return request(method, path, { ...options, isSignedIn: true });
  }
  if (answer.status === 403 && answer.body?.code === "another_session" && !asIs) return startAnew();
  if (answer.status === 403 && /reauth|fresh/.test(String(answer.body?.code)) && !asIs && !options.isProven && proveAgain) {
    // Creating people or tokens, and deleting, need a password given in the last few minutes.
    await proveAgain();
    return request(method, path, { ...options, isProven: true });
  }
  if (answer.status === 403 && String(answer.body?.code).includes("csrf") && !options.isRenewed) {
    // Another tab has signed in again; the session now has that tab's CSRF token. Signing out needs it too: otherwise the session goes on.
    await session();
    return request(method, path, { ...options, isRenewed: true });
  }
  if (answer.status === 429 && answer.body?.code === "too_much_at_once" && !options.isRepeated) {
    // A question too many at this moment, and nothing was done: nobody needs to hear of it.
    await new Promise((resume) => setTimeout(resume, 1000 * (answer.retryAfter ?? 1)));
    return request(method, path, { ...options, isRepeated: true });
  }
  throw new APIError(problem(answer.status, answer.body), answer.retryAfter);
}

async function renew() {
  if (!(await isSignedIn())) await signInAgain?.();
}

/**
 * Waits while it is found out whether the session has ended, and while somebody is asked to sign in again.
 * @returns {Promise<boolean>} whether there was anything to wait for
 */
export async function untilSignedIn() {
  const isPending = renewal !== null;
  // Why nobody could be asked is heard by those whose requests were refused.
  while (renewal) await renewal.catch(() => undefined);
  return isPending;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {string} [key]
 */
async function send(method, path, body, key) {
  /** @type {Record<string, string>} */
  const headers = { Accept: "application/json" };
  if (method !== "GET") {
    headers["Content-Type"] = "application/json";
    headers["X-Gatehouse-Source"] = "dashboard";
    if (csrf) headers["X-Gatehouse-CSRF"] = csrf;
    if (key) headers["Idempotency-Key"] = key;
  }
  try {
    const response = await fetch(BASE + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      cache: "no-store",
      redirect: "error",
      signal: timeoutAfter(method === "GET" ? READ_TIMEOUT : WRITE_TIMEOUT),
    });
    const { ok, status } = response;
    const answer = parse(await response.text());
    // A proxy's page is not the server's word, whatever its status says.
    if (ok ? answer === undefined && status !== 204 : status >= 500 && !answer?.code) throw new NoAnswer();
    const wait = Number(response.headers.get("Retry-After"));
    return { ok, status, body: answer, retryAfter: wait > 0 ? wait : null, session: response.headers.get("X-Gatehouse-Session") };
  } catch {
    // fetch rejects alike for a lost network, a timeout and a broken answer; in each case nothing was observed.
    throw new NoAnswer();
  }
}

/** Whether the server's page loads other files than this tab has: their addresses carry a digest of all. False without an answer. */
export async function isUpgraded() {
  try {
    const page = await fetch("/", { cache: "no-store", signal: timeoutAfter(READ_TIMEOUT) });
    const text = await page.text();
    return page.ok && text.includes("/static/") && !text.includes(new URL(".", import.meta.url).pathname);
  } catch {
    return false;
  }
}

/** @param {string} text @returns {any} undefined if it is no JSON */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {number} status @param {any} body @returns {Problem} */
function problem(status, body) {
  return { title: `HTTP ${status}`, code: `http_${status}`, detail: "", ...(body && typeof body === "object" ? body : {}), status };
}

/**
 * All items of a list, page by page.
 * @param {string} path
 * @returns {Promise<any[]>}
 */
export async function all(path) {
  const items = [];
  let cursor = null;
  do {
    /** @type {{ items: any[], next: string | null }} */
    const page = await request("GET", cursor ? `${path}${path.includes("?") ? "&" : "?"}cursor=${encodeURIComponent(cursor)}` : path);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor);
  return items;
}

/** @param {string} app @param {string} platform */
export const targetPath = (app, platform) => `/targets/${encodeURIComponent(app)}/${encodeURIComponent(platform)}`;

/** An Idempotency-Key: repeating a request with the same key gets the first one's answer. */
export function newKey() {
  // Not randomUUID: browsers lack it on plain HTTP, and a kill must not depend on it.
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Reloads the page, because this browser is now signed in as somebody else, as a person who is no longer allowed in, or with other rights.
 * They must see nothing of this page, and nothing that was about to be sent may go out in their name; one's own drafts survive it.
 * @returns {Promise<any>} never
 */
function startAnew() {
  location.reload();
  return new Promise(() => undefined);
}

/** @returns {Promise<Session>} */
export async function session() {
  const current = await request("GET", "/session", { asIs: true }).catch((error) => {
    // That answer made the browser drop the other person's cookie; ask again without it.
    if (error instanceof APIError && error.code === "another_session") return request("GET", "/session", { asIs: true });
    throw error;
  });
  return goOnAs(current);
}

/**
 * @param {Session} current
 * @returns {Session | Promise<Session>} only if it still belongs to the same person, with the same rights
 */
function goOnAs(current) {
  // Until the page is gone it stays its person's: a second request must not find it another's already, and go out in that name.
  if (person && person !== personOf(current)) return startAnew();
  person = personOf(current);
  csrf = current.csrf;
  return current;
}

/** @param {Pick<Session, "user">} session */
const personOf = ({ user: { username, role, apps } }) => JSON.stringify([username, role, apps && [...apps].sort()]);

/**
 * Signs in. If this page belonged to somebody else, it is reloaded, and the new person starts with a page of their own.
 * @param {string} username
 * @param {string} password
 * @param {string} [totp] the authenticator's code, or a recovery code
 * @returns {Promise<Session>}
 */
export async function signIn(username, password, totp) {
  const current = await goOnAs(await request("POST", "/session", { body: { username, password, ...(totp ? { totp } : {}) }, asIs: true }));
  signIns += 1;
  return current;
}

/**
 * Continues with a session that the server has renewed, or has begun for an invited person.
 * @param {Partial<Session> | null} renewed
 */
export function adopt(renewed) {
  if (!renewed?.csrf) return;
  if (renewed.user) person = personOf({ user: renewed.user });
  csrf = renewed.csrf;
  signIns += 1;
}

/** Whether this browser has a session after all, from another tab or a renewal. */
async function isSignedIn() {
  try {
    await session();
    return true;
  } catch (error) {
    if (error instanceof APIError && error.status === 401) return false;
    // No longer allowed in: the sign-in screen says why.
    if (error instanceof APIError && error.status === 403 && person) return startAnew();
    throw error;
  }
}

export async function signOut() {
  await request("DELETE", "/session", { body: {}, asIs: true });
  csrf = "";
  person = "";
}

/**
 * The first question of every visit: whether the server has no user yet, and whether this browser is signed in. `byProxy`: a proxy in front
 * vouches for the person, and asking for the session signs them in.
 * @returns {Promise<{ needed: boolean, signedIn: boolean, byProxy: boolean }>}
 */
async function setupState() {
  const answer = await send("GET", "/setup");
  if (!answer.ok) throw new APIError(problem(answer.status, answer.body), answer.retryAfter);
  proxyExit = answer.body.signOut ?? "";
  return { needed: answer.body.needed, signedIn: answer.session !== "absent", byProxy: answer.session === "proxy" };
}

/**
 * @typedef {{ needed: boolean, session: Session | null, status: Promise<Status> | null }} Arrival
 *   `needed`: there is no user yet; `status`: already being asked for
 */

/** Where people whom the proxy signed in but who are refused here can sign out, to come back as somebody else. */
export const signOutAddress = () => proxyExit;

/** @returns {Promise<Arrival>} */
async function ask() {
  const { needed, signedIn, byProxy } = await setupState();
  if (byProxy && !needed) {
    const begun = await session();
    return { needed, session: begun, status: status() };
  }
  // Asking for a session that is known to be absent would only fill the console with refusals.
  if (!signedIn || needed) return { needed, session: null, status: null };
  const asked = status();
  // Whoever waits for it handles its failure; this only stops the browser from reporting it as unhandled.
  asked.catch(() => undefined);
  try {
    return { needed, session: await session(), status: asked };
  } catch (error) {
    if (error instanceof APIError && error.status === 401) return { needed, session: null, status: null };
    throw error;
  }
}

/**
 * The first questions of a visit, asked while the rest of the page is still loading: index.html loads this file as a script of its own.
 * @type {Promise<Arrival> | null}
 */
let asked = ask();
asked.catch(() => undefined);

/** Who is signed in, and the server's status. */
export function arrival() {
  const first = asked ?? ask();
  asked = null;
  return first;
}

/** @returns {Promise<Status>} */
export const status = () => request("GET", "/status");
/** @returns {Promise<App[]>} */
export const apps = () => all("/apps");
/** @returns {Promise<Target[]>} */
export const targets = () => all("/targets");
/** @param {string} app @param {string} platform @returns {Promise<Target>} */
export const target = (app, platform) => request("GET", targetPath(app, platform));
/** @param {number} after a sequence @returns {Promise<Events>} */
export const events = (after) => request("GET", `/events?after=${after}`);
/** @returns {Promise<import("./api-schedule.js").Window[]>} those that are not over, and failed ones, newest first */
export const windows = () => all("/windows?state=pending,running,missed,failed&limit=500");
/**
 * What a change would do. Nothing is written.
 * @param {object} body
 * @returns {Promise<Plan>}
 */
export const plan = async (body) => (await request("POST", "/changes", { body: { ...body, dryRun: true } })).plan;
/** @param {object} body @param {string} key @returns {Promise<Outcome>} */
export const commit = (body, key) => request("POST", "/changes", { body, key });

/**
 * The document that phones get, read back to see that a change was really published.
 * @param {string} path
 * @returns {Promise<any>}
 */
export async function feed(path) {
  try {
    const response = await fetch(path, { cache: "no-store", credentials: "omit", signal: timeoutAfter(READ_TIMEOUT) });
    return response.ok ? parse(await response.text()) ?? null : null;
  } catch {
    // Not observed: the caller then leaves out the tick and claims nothing.
    return null;
  }
}
