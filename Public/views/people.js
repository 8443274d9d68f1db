// @ts-check
/** `#/settings/people`: who may sign in, and what they may do. */
import * as api from "../api-people.js";
import { el, show } from "../dom.js";
import { same } from "../gate.js";
import { command } from "../gatectl.js";
import { newestOnly, store } from "../store.js";
import { peopleStrings } from "../strings/people.js";
import { settingsStrings } from "../strings/settings.js";
import { strings } from "../strings/shared.js";
import { date, serverNow, timeOfDayShort } from "../time.js";
import { openConfirmDialog } from "../components/confirm-dialog.js";
import { field, passwordField } from "../components/field.js";
import { openInviteDialog } from "../components/invite-dialog.js";
import { saveForm } from "../components/save-form.js";
import { scopeField } from "../components/scope-field.js";
import { settingsTabs } from "../components/settings-tabs.js";
import { failure, skeleton } from "../components/shell.js";

/** @param {import("../app.js").ViewContext} context */
export function peopleView({ signal }) {
  const list = el("ul", { class: "app-list", tabindex: "-1", "aria-label": peopleStrings.title }, el("li", null, skeleton()));
  /** @type {Map<number, ReturnType<typeof personPanel>>} */
  let panels = new Map();

  const about = { what: peopleStrings.title, line: command("users", "list") };
  const ask = newestOnly();
  async function load() {
    const isNew = ask();
    try {
      const people = await api.people();
      if (signal.aborted || !isNew()) return;
      // A panel of which nothing has changed stays, with what is being written in it.
      panels = new Map(people.map((person) => {
        const panel = panels.get(person.id);
        return [person.id, panel && same(panel.person(), person) ? panel : personPanel(person, load)];
      }));
      show(list, [...panels.values()].map((panel) => panel.element));
    } catch (error) {
      if (!signal.aborted && isNew()) show(list, el("li", null, failure(error, () => void load(), about)));
    }
  }
  const body = store.may("admin") ? [list, addForm(load)] : [el("p", { class: "callout" }, strings.dialog.roleNeeded("admin"))];
  if (store.may("admin")) void load();
  return {
    title: peopleStrings.title,
    element: el("div", { class: "narrow spread" },
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, peopleStrings.title),
        store.may("admin")
          ? el("div", { class: "actions" }, el("button", {
            type: "button", class: "button primary", on: { click: () => openInviteDialog({ made: () => void load() }) },
          }, peopleStrings.invite))
          : null),
      settingsTabs("people"),
      store.may("admin") ? el("p", { class: "hint" }, settingsStrings.roleHint) : null,
      body),
  };
}

/**
 * @param {api.Person} person
 * @param {() => Promise<void>} reload
 */
function personPanel(person, reload) {
  const head = el("div", { class: "stack" });
  /** @param {api.Person} now */
  function paint(now) {
    person = now;
    show(head, personHead(person, reload));
  }
  paint(person);
  return {
    person: () => person,
    element: el("li", { class: "panel" }, el("h2", null, person.username), head,
      person.username === store.session?.user.username ? null
        : store.covers(person.apps) ? changeForm(person, { changed: paint, reload })
          : el("p", { class: "hint" }, peopleStrings.outOfReach)),
  };
}

/**
 * @param {api.Person} person
 * @param {() => Promise<void>} reload
 */
function personHead(person, reload) {
  const pending = person.hasPassword === false && !person.disabled && !person.origin && store.covers(person.apps);
  return [
    el("p", { class: "facts" },
      el("span", null, settingsStrings.roles[person.role]),
      el("span", null, person.apps ? person.apps.map((key) => store.appName(key)).join(", ") : settingsStrings.allApps),
      person.totp ? el("span", null, peopleStrings.totp) : null,
      person.origin === "proxy" ? el("span", null, peopleStrings.ofProxy) : null,
      person.disabled ? el("strong", null, peopleStrings.isDisabled) : invitationFact(person),
      person.username === store.session?.user.username ? el("span", null, peopleStrings.you) : null,
      el("span", null, peopleStrings.since(date(person.createdAt)))),
    pending ? el("div", { class: "actions" }, newLinkButton(person, reload)) : null,
  ];
}

/**
 * The state of an open invitation, and until when it works.
 * @param {api.Person} person
 */
function invitationFact({ hasPassword = true, invitedUntil, origin }) {
  if (origin) return null;
  if (!invitedUntil) return hasPassword ? null : el("strong", null, peopleStrings.notInvited);
  const isOver = Date.parse(invitedUntil) <= serverNow();
  const until = peopleStrings.moment(date(invitedUntil), timeOfDayShort(Date.parse(invitedUntil)));
  if (hasPassword) return isOver ? null : el("span", null, peopleStrings.renewed(until));
  return el("strong", null, isOver ? peopleStrings.inviteEnded(until) : peopleStrings.invited(until));
}

/**
 * @param {api.Person} person
 * @param {() => Promise<void>} reload
 */
function newLinkButton(person, reload) {
  return el("button", {
    type: "button", class: "button", "data-key": `link ${person.id}`, "aria-label": strings.about(peopleStrings.newLink, person.username),
    on: { click: () => openInviteDialog({ person, made: () => void reload() }) },
  }, peopleStrings.newLink);
}

/**
 * @param {api.Person} person
 * @param {{ changed: (person: api.Person) => void, reload: () => Promise<void> }} options `changed`: what the server made of a save
 */
function changeForm(person, { changed, reload }) {
  const isNamed = person.origin === "proxy";
  const fields = el("div", { class: "stack" });
  const others = el("div", { class: "actions" });
  /** @type {Record<string, import("../components/field.js").Field>} */
  const known = {};
  /** @type {() => Parameters<typeof api.changePerson>[1] | null} what was edited; null if something is missing, with the error shown */
  let edited = () => null;

  /** @param {api.Person} now what is edited from here on */
  function begin(now) {
    const scope = scopeField({ role: now.role, apps: now.apps });
    const disabled = el("input", { type: "checkbox", checked: now.disabled });
    const password = passwordField({
      name: "password", label: peopleStrings.newPassword, hint: peopleStrings.newPasswordHint, autocomplete: "new-password",
    });
    const drop = el("input", { type: "checkbox" });
    // Only what was edited here is sent: another administrator may have changed the rest meanwhile.
    const disabling = () => (disabled.checked === now.disabled ? {} : { disabled: disabled.checked });
    const offered = now.apps?.filter((key) => store.apps.has(key)) ?? null;
    /** @param {{ role: api.Person["role"], apps: string[] | null }} chosen */
    const moving = ({ role, apps }) => ({
      ...(role === now.role ? {} : { role }),
      ...(same(apps && [...apps].sort(), offered && [...offered].sort()) ? {} : { apps }),
    });
    edited = () => {
      if (isNamed) return disabling();
      const chosen = scope.value();
      return chosen && {
        ...moving(chosen), ...disabling(), ...(password.control.value ? { password: password.control.value } : {}),
        ...(drop.checked ? { totp: /** @type {const} */ (false) } : {}),
      };
    };
    if (!isNamed) Object.assign(known, { role: scope.role, password });
    show(fields,
      isNamed ? el("p", { class: "hint" }, peopleStrings.ofProxyText) : [scope.element, password.element],
      el("label", { class: "check" }, disabled, peopleStrings.disabled),
      now.totp ? el("label", { class: "check" }, drop, peopleStrings.dropTOTP) : null);
    show(others,
      now.hasPassword === false || now.disabled || isNamed ? null : newLinkButton(now, reload),
      el("button", {
        type: "button", class: "button",
        on: {
          click: () => openConfirmDialog({
            title: peopleStrings.deleteTitle(now.username), text: isNamed ? peopleStrings.deleteOfProxyText : peopleStrings.deleteText,
            run: () => api.deletePerson(now.username), done: () => void reload(), lost: () => void reload(),
          }),
        },
      }, peopleStrings.delete(now.username)));
  }
  begin(person);

  return el("details", { class: "json", "data-key": `change ${person.id}` },
    el("summary", { "data-key": `changes ${person.id}`, "aria-label": strings.about(peopleStrings.change, person.username) },
      peopleStrings.change),
    saveForm({
      fields: known, content: [fields], allowed: true, about: person.username,
      save: async () => {
        const body = edited();
        return body ? api.changePerson(person.username, body) : false;
      },
      // Nothing else on the screen moves: other people's panels may be half written.
      saved: async (now) => { changed(now); begin(now); },
    }),
    others);
}

/** @param {() => Promise<void>} reload */
function addForm(reload) {
  const holder = el("div");
  function build() {
    const name = field(
      el("input", {
        name: "username", autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false", required: true,
      }),
      { label: peopleStrings.username },
    );
    const password = passwordField({
      name: "password", label: peopleStrings.password, hint: peopleStrings.passwordHint, autocomplete: "new-password",
    });
    const scope = scopeField({ role: "operator", apps: null });
    show(holder, saveForm({
      fields: { username: name, password, role: scope.role }, content: [name.element, password.element, scope.element], allowed: true,
      label: peopleStrings.add,
      save: async () => {
        const chosen = scope.value();
        if (!chosen) return false;
        await api.addPerson({ username: name.control.value.trim(), password: password.control.value, ...chosen });
        return true;
      },
      saved: async () => { build(); await reload(); },
      lost: reload,
    }));
  }
  build();
  return el("div", null, el("section", null,
    el("h2", null, peopleStrings.addTitle), el("p", { class: "hint" }, peopleStrings.addText), holder));
}
