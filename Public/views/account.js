// @ts-check
/** `#/settings/account`: who is signed in and where, the password, the second factor, and how this browser shows the dashboard. */
import * as api from "../api-people.js";
import { APIError, status } from "../api.js";
import { applyTheme, currentTheme, el, show, THEMES } from "../dom.js";
import { command } from "../gatectl.js";
import { newestOnly, store } from "../store.js";
import { accountStrings } from "../strings/account.js";
import { shellStrings, strings } from "../strings/shared.js";
import { signInStrings } from "../strings/sign-in.js";
import { absolute } from "../time.js";
import { openKeys } from "../components/actions.js";
import { fact } from "../components/fact.js";
import { passwordField } from "../components/field.js";
import { saveForm } from "../components/save-form.js";
import { secondFactor } from "../components/second-factor.js";
import { settingsTabs } from "../components/settings-tabs.js";
import { failure, skeleton } from "../components/shell.js";
import { codeField } from "../components/sign-in.js";
import { agoElement } from "../components/targets.js";

/** @param {import("../app.js").ViewContext} context */
export function accountView({ signal, signOut }) {
  const session = store.session;
  // Whoever a proxy signs in has no password here, nor anything that goes with one.
  const isNamed = session?.origin === "proxy";
  const now = currentTheme();
  const factor = el("div", { role: "group", tabindex: "-1", "aria-label": accountStrings.factor }, skeleton());
  const password = passwordForm();
  const sessions = el("div", { class: "stack", role: "group", tabindex: "-1", "aria-label": accountStrings.sessions });
  const servers = el("section", { class: "whole-row", hidden: true });
  let shown = "";
  let asking = false;

  /** @param {import("../documents.js").SharedServer[]} known empty if this server shares its database with no other */
  function showServers(known) {
    const news = JSON.stringify(known);
    if (signal.aborted || news === shown) return;
    shown = news;
    servers.hidden = known.length === 0;
    show(servers, [el("h2", null, accountStrings.servers), serverList(known)]);
  }

  /** Refreshes the servers with each of the window's polls, for people who watch one go away or come up. */
  async function follow() {
    if (servers.hidden || asking || store.live.failing) return;
    asking = true;
    try {
      showServers((await status()).servers ?? []);
    } catch {
      // The window's own poll fails as well, and shows that.
    } finally {
      asking = false;
    }
  }

  const about = { what: accountStrings.title, line: command("auth", "status") };
  const askSessions = newestOnly();
  async function load() {
    const isNew = askSessions();
    try {
      const [account, list, { servers: known }] = await Promise.all([api.account(), api.sessions(), status()]);
      if (signal.aborted) return;
      if (!isNamed) show(factor, secondFactor(account, load));
      password.wantCode(account.totp);
      if (isNew()) show(sessions, sessionList(list, loadSessions));
      showServers(known ?? []);
    } catch (error) {
      if (!signal.aborted) show(isNamed ? sessions : factor, failure(error, () => void load(), about));
    }
  }

  /** Leaves the second factor alone: it may be half set up, or show codes that are never shown again. */
  async function loadSessions() {
    const isNew = askSessions();
    try {
      const list = await api.sessions();
      if (!signal.aborted && isNew()) show(sessions, sessionList(list, loadSessions));
    } catch (error) {
      if (!signal.aborted && isNew()) show(sessions, failure(error, () => void loadSessions(), about));
    }
  }
  void load();
  store.on("live", () => void follow(), signal);
  return {
    title: accountStrings.title,
    element: el("div", { class: "narrow spread" },
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, accountStrings.title)),
      settingsTabs("account"),
      session ? el("dl", { class: "fact-list" },
        fact(signInStrings.username, session.user.username),
        isNamed ? fact(accountStrings.signedInBy, accountStrings.proxy) : null,
        fact(accountStrings.role, accountStrings.roles[session.user.role]),
        fact(accountStrings.scope, session.user.apps ? session.user.apps.join(", ") : accountStrings.allApps),
        session.expiresAt ? fact(accountStrings.expires, absolute(session.expiresAt)) : null) : null,
      el("div", { class: "actions" },
        el("button", { type: "button", class: "button", on: { click: signOut } }, shellStrings.signOut),
        el("button", { type: "button", class: "button", on: { click: () => void openKeys() } }, shellStrings.keys.open)),
      el("fieldset", { class: "theme" }, el("legend", null, accountStrings.theme.label),
        el("div", { class: "checks" }, THEMES.map((theme) => el("label", { class: "check" },
          el("input", { type: "radio", name: "theme", value: theme, checked: theme === now, on: { change: () => applyTheme(theme) } }),
          accountStrings.theme[theme])))),
      el("div", { class: "account" },
        isNamed ? null : [
          el("section", null, el("h2", null, accountStrings.password), password.element),
          el("section", null, el("h2", null, accountStrings.factor), factor),
        ],
        el("section", { class: "whole-row" }, el("h2", null, accountStrings.sessions), sessions),
        servers),
      session?.user.role === "admin"
        ? (store.live.health.notices ?? []).map((notice) => el("p", { class: "callout" }, accountStrings.notice(notice)))
        : null,
      el("p", { class: "hint" }, accountStrings.server(store.status?.version ?? ""))),
  };
}

function passwordForm() {
  const current = passwordField({ name: "currentPassword", label: accountStrings.current, autocomplete: "current-password" });
  const code = codeField();
  code.element.hidden = true;
  const next = passwordField({ name: "newPassword", label: accountStrings.next, hint: strings.passwordHint, autocomplete: "new-password" });
  const tokens = el("input", { type: "checkbox", name: "revokeTokens" });
  const element = saveForm({
    fields: { currentPassword: current, totp: code, newPassword: next }, allowed: true, label: accountStrings.change,
    told: accountStrings.changed,
    content: [current.element, code.element, next.element, el("label", { class: "check" }, tokens, accountStrings.revokeTokens)],
    save: async () => {
      try {
        await api.changePassword(current.control.value, next.control.value, {
          totp: code.control.value.trim(), revokeTokens: tokens.checked,
        });
      } catch (error) {
        // The factor may have been set up in another browser since this page was read; the server then says what is missing beside
        // the field.
        if (error instanceof APIError && error.problem.field === "/totp") code.element.hidden = false;
        throw error;
      }
    },
    saved: async () => { for (const { control } of [current, code, next]) control.value = ""; tokens.checked = false; },
  });
  return { element, wantCode: (/** @type {boolean} */ wanted) => { code.element.hidden = !wanted; } };
}

/**
 * The servers that share a database, and how far each one's feeds are behind the newest.
 * @param {import("../documents.js").SharedServer[]} servers
 */
function serverList(servers) {
  const newest = Math.max(...servers.map(({ sequence }) => sequence));
  return el("ul", { class: "app-list" }, servers.map(({ name, sequence, silentSeconds, startedAt }) => el("li", { class: "panel" },
    el("p", { class: "facts" },
      el("strong", null, name),
      el("span", null, sequence === newest ? accountStrings.upToDate(sequence) : accountStrings.behind(sequence, newest - sequence)),
      // Each server normally reports once a second.
      silentSeconds > 3 ? el("span", null, accountStrings.silent(silentSeconds)) : null,
      el("span", null, accountStrings.started, agoElement(startedAt))))));
}

/**
 * Browser and system by their common names. A user agent proves nothing, so the full text is only a tooltip.
 * @param {string} agent
 */
function browserName(agent) {
  const browser = ["Firefox", "Edg", "OPR", "Chrome", "Safari"].find((name) => agent.includes(`${name}/`));
  const system = ["Android", "iPhone", "iPad", "Windows", "Mac OS X", "Linux"].find((name) => agent.includes(name));
  const known = [browser?.replace("Edg", "Edge").replace("OPR", "Opera"), system?.replace("Mac OS X", "macOS")].filter(Boolean);
  return known.length === 2 ? known.join(", ") : agent || accountStrings.unknownAgent;
}

/**
 * @param {api.AccountSession[]} sessions
 * @param {() => Promise<void>} reload
 */
function sessionList(sessions, reload) {
  return [
    el("ul", { class: "app-list" }, sessions.map((session) => el("li", { class: "panel" },
      el("p", { class: "facts" },
        session.current ? el("strong", null, accountStrings.thisOne) : null,
        el("span", { title: session.userAgent }, browserName(session.userAgent)),
        el("span", null, session.address),
        el("span", null, accountStrings.lastSeen, agoElement(session.lastSeenAt))),
      session.current
        ? null
        : saveForm({
          fields: {}, content: [], allowed: true, label: accountStrings.endOf(session.address),
          about: `${browserName(session.userAgent)}, ${accountStrings.lastSeen}${absolute(session.lastSeenAt)}`,
          save: () => api.endSession(session.id), saved: reload, lost: reload,
        })))),
    sessions.length > 1
      ? saveForm({
        fields: {}, content: [], allowed: true, label: accountStrings.endOthers, save: api.endOtherSessions, saved: reload, lost: reload,
      })
      : null,
  ];
}
