// @ts-check
/** `#/settings/account`: who is signed in, and how this browser shows the dashboard. */
import { el } from "../dom.js";
import { store } from "../store.js";
import { strings } from "../strings.js";
import { applyTheme, currentTheme, THEMES } from "../theme.js";
import { absolute } from "../time.js";
import { openKeys } from "../components/keys.js";
import { settingsTabs } from "../components/settings-tabs.js";

/** @param {import("../app.js").ViewContext} context */
export function accountView({ signOut }) {
  const session = store.session;
  const now = currentTheme();
  return {
    title: strings.account.title,
    element: el("div", { class: "narrow" },
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, strings.account.title)),
      settingsTabs("account"),
      session ? el("dl", { class: "fact-list" },
        el("div", null, el("dt", null, strings.signIn.username), el("dd", null, session.user.username)),
        el("div", null, el("dt", null, strings.account.role), el("dd", null, strings.account.roles[session.user.role])),
        el("div", null, el("dt", null, strings.account.scope), el("dd", null, session.user.apps ? session.user.apps.join(", ") : strings.account.allApps)),
        el("div", null, el("dt", null, strings.account.expires), el("dd", null, absolute(session.expiresAt)))) : null,
      el("div", { class: "actions" }, el("button", { type: "button", class: "button", on: { click: signOut } }, strings.signIn.signOut)),
      el("fieldset", { class: "theme" }, el("legend", null, strings.theme.label),
        el("div", { class: "checks" }, THEMES.map((theme) => el("label", { class: "check" },
          el("input", { type: "radio", name: "theme", value: theme, checked: theme === now, on: { change: () => applyTheme(theme) } }), strings.theme[theme])))),
      el("div", { class: "actions" }, el("button", { type: "button", class: "button", on: { click: openKeys } }, strings.keys.open)),
      el("p", { class: "hint" }, strings.account.server(store.status?.version ?? ""))),
  };
}
