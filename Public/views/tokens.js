// @ts-check
/** `#/settings/tokens`: the tokens that gatectl and pipelines sign in with. */
import { APIError, newKey } from "../api.js";
import * as api from "../api-people.js";
import { el, show } from "../dom.js";
import { command } from "../gatectl.js";
import { newestOnly, store } from "../store.js";
import { settingsStrings } from "../strings/settings.js";
import { tokensStrings } from "../strings/tokens.js";
import { date, serverNow } from "../time.js";
import { openConfirmDialog } from "../components/confirm-dialog.js";
import { copyButton } from "../components/copy-button.js";
import { field } from "../components/field.js";
import { saveForm } from "../components/save-form.js";
import { scopeField } from "../components/scope-field.js";
import { settingsTabs } from "../components/settings-tabs.js";
import { failure, skeleton } from "../components/shell.js";
import { shownOnce } from "../components/shown-once.js";
import { agoElement } from "../components/targets.js";

const DAYS = [30, 90, 365];
const USUAL = 90;
const DAY = 86_400_000;

/** @param {import("../app.js").ViewContext} context */
export function tokensView({ signal }) {
  const list = el("ul", { class: "app-list", tabindex: "-1", "aria-label": tokensStrings.title }, el("li", null, skeleton()));
  const fresh = el("div", { role: "status", class: "fresh-token" });

  const about = { what: tokensStrings.title, line: command("tokens", "list") };
  const ask = newestOnly();
  async function load() {
    const isNew = ask();
    try {
      const tokens = await api.tokens();
      if (signal.aborted || !isNew()) return;
      // Nobody should copy what opens nothing any more.
      if (tokens.some((token) => token.id === fresh.dataset.token && !token.active)) show(fresh);
      show(list, tokens.length === 0 ? el("li", { class: "empty" }, tokensStrings.none) : tokens.map((token) => tokenPanel(token, load)));
    } catch (error) {
      if (!signal.aborted && isNew()) show(list, el("li", null, failure(error, () => void load(), about)));
    }
  }
  void load();
  return {
    title: tokensStrings.title,
    element: el("div", { class: "narrow spread" },
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, tokensStrings.title)),
      settingsTabs("tokens"),
      el("p", null, tokensStrings.intro), el("p", { class: "hint" }, settingsStrings.roleHint), fresh, list, addForm(fresh, load)),
  };
}

/**
 * @param {api.Token} token
 * @param {() => Promise<void>} reload
 */
function tokenPanel(token, reload) {
  const mayRevoke = token.owner === store.session?.user.username || store.covers(token.apps);
  const state = token.active ? tokensStrings.active : token.revokedAt ? tokensStrings.revoked : tokensStrings.ended;
  return el("li", { class: "panel" },
    el("h2", null, token.name, " ", el("code", null, `gate_${token.id}_…`)),
    el("p", { class: "facts" },
      token.active ? el("span", null, state) : el("strong", null, state),
      el("span", null, settingsStrings.roles[token.role]),
      el("span", null, token.apps ? token.apps.map((key) => store.appName(key)).join(", ") : settingsStrings.allApps),
      el("span", null, token.owner ? tokensStrings.owner(token.owner) : tokensStrings.server),
      el("span", null, token.expiresAt ? tokensStrings.until(date(token.expiresAt)) : tokensStrings.forever),
      el("span", null, token.lastUsedAt ? [tokensStrings.used, agoElement(token.lastUsedAt)] : tokensStrings.unused)),
    !token.active ? null
      : mayRevoke ? el("div", { class: "actions" }, revokeButton(token, reload)) : el("p", { class: "hint" }, tokensStrings.outOfReach));
}

/**
 * @param {api.Token} token
 * @param {() => Promise<void>} reload
 */
function revokeButton(token, reload) {
  return el("button", {
    type: "button", class: "button small",
    on: {
      click: () => openConfirmDialog({
        title: tokensStrings.revokeTitle(token.name), text: tokensStrings.revokeText, run: () => api.revokeToken(token.id),
        done: () => void reload(), lost: () => void reload(),
      }),
    },
  }, tokensStrings.revoke(token.name));
}

/**
 * @param {HTMLElement} fresh where a new token is shown, once
 * @param {() => Promise<void>} reload
 */
function addForm(fresh, reload) {
  const user = store.session?.user;
  const name = field(
    el("input", { name: "name", autocomplete: "off", required: true, maxlength: 100 }),
    { label: tokensStrings.name, hint: tokensStrings.nameHint },
  );
  const scope = scopeField({
    role: user?.role === "viewer" ? "viewer" : "operator", apps: user?.apps ?? null, most: user?.role ?? "viewer",
  });
  const days = field(
    el("select", { name: "expiresAt" }, DAYS.map((number) => el("option", { value: String(number) }, tokensStrings.days(number)))),
    { label: tokensStrings.expires },
  );
  days.control.value = String(USUAL);
  const send = sendOnce();
  return el("div", null, el("section", null, el("h2", null, tokensStrings.add), saveForm({
    fields: { name, role: scope.role, expiresAt: days }, content: [name.element, scope.element, days.element], allowed: true,
    label: tokensStrings.add,
    save: async () => {
      if (name.control.value.trim() === "") {
        name.error(tokensStrings.nameMissing);
        name.control.focus();
        return false;
      }
      const chosen = scope.value();
      if (!chosen) return false;
      const tell = shownOnce(fresh);
      const made = await send({ name: name.control.value.trim(), ...chosen }, Number(days.control.value)).catch((error) => {
        // It is in the list, to be revoked there.
        if (error instanceof APIError && error.code === "token_made") void reload();
        throw error;
      });
      fresh.dataset.token = made.id;
      tell({
        title: tokensStrings.made(made.name), heading: "h2",
        content: [el("p", { class: "callout" }, tokensStrings.once), el("p", null, el("code", { class: "phrase" }, made.token))],
        actions: [copyButton(tokensStrings.copy, () => made.token, { class: "button primary" })],
      });
      return true;
    },
    saved: async () => { name.control.value = ""; await reload(); },
    lost: reload,
  })));
}

/** What makes a token once, however often it is pressed until the server has answered: what got no answer is sent again as it was. */
function sendOnce() {
  /** @type {{ asked: string, body: Parameters<typeof api.addToken>[0], key: string } | null} */
  let unanswered = null;
  /** @param {Pick<api.Token, "name" | "role" | "apps">} wish @param {number} days */
  return async (wish, days) => {
    const asked = JSON.stringify([wish, days]);
    if (unanswered?.asked !== asked) {
      unanswered = { asked, body: { ...wish, expiresAt: new Date(serverNow() + days * DAY).toISOString() }, key: newKey() };
    }
    try {
      const made = await api.addToken(unanswered.body, unanswered.key);
      unanswered = null;
      return made;
    } catch (error) {
      if (error instanceof APIError && error.status < 500) unanswered = null;
      throw error;
    }
  };
}
