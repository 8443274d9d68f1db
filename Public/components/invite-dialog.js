// @ts-check
/** Invites somebody: asks what they may do, then shows, once, the link with which they set their password. */
import * as api from "../api-people.js";
import { APIError, NoAnswer } from "../api.js";
import { el, show, uniqueId } from "../dom.js";
import { sayRefused } from "../server-words.js";
import { peopleStrings } from "../strings/people.js";
import { strings } from "../strings/shared.js";
import { absolute } from "../time.js";
import { copyButton } from "./copy-button.js";
import { forgetDraft, keepDraft, readFields, restoreDraft } from "./drafts.js";
import { field } from "./field.js";
import { focusReturn } from "./focus-return.js";
import { heldDialog, submitKeys } from "./held-dialog.js";
import { qrDrawing } from "./qr-drawing.js";
import { scopeField } from "./scope-field.js";

const DRAFT = "invite";

/**
 * @param {object} options
 * @param {api.Person} [options.person] the person who gets a new link; without it, a new person is added
 * @param {() => void} options.made a link was made, or may have been
 */
export function openInviteDialog({ person, made }) {
  const titleId = uniqueId("invite");
  const title = person ? peopleStrings.newLinkTitle(person.username) : peopleStrings.inviteTitle;
  const problem = el("div", { class: "problem", role: "alert" });
  const action = el("button", { type: "submit", class: "button primary" }, peopleStrings.makeLink);
  const name = field(
    el("input", {
      name: "username", autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false", required: true,
    }),
    { label: peopleStrings.username },
  );
  const scope = person ? null : scopeField({ role: "operator", apps: null });
  const ended = new AbortController();
  const giveBack = focusReturn();
  let busy = false;

  /** @returns {Promise<api.InvitedPerson | null>} null if something is missing, with the error shown */
  async function invite() {
    if (person) return api.invitePerson(person.username);
    const username = name.control.value.trim();
    if (username === "") { name.error(peopleStrings.missingUsername); name.control.focus(); return null; }
    const chosen = scope?.value();
    return chosen ? api.addPerson({ username, ...chosen }) : null;
  }

  async function submit() {
    if (busy) return;
    busy = true;
    cancel.setAttribute("aria-disabled", "true");
    problem.textContent = "";
    action.textContent = peopleStrings.makingLink;
    try {
      const invited = await invite();
      if (invited?.invitation) {
        if (!person) forgetDraft(DRAFT);
        made();
        showLink(invited, invited.invitation);
      }
    } catch (error) {
      // Perhaps the person is there all the same; the list then says so, and offers a new link.
      if (error instanceof NoAnswer) { problem.textContent = strings.dialog.outcomeUnknown; made(); }
      else if (error instanceof APIError) refuse(error);
      else throw error;
    } finally {
      busy = false;
      cancel.removeAttribute("aria-disabled");
      action.textContent = peopleStrings.makeLink;
    }
  }

  /** @param {APIError} error */
  function refuse(error) {
    const at = error.problem.field === "/username" ? name : error.problem.field === "/role" ? scope?.role : null;
    if (at) { at.error(error.message); at.control.focus(); }
    else problem.textContent = sayRefused(error.problem);
  }

  /** @param {api.Person} invited @param {api.Invitation} invitation */
  function showLink(invited, { token, expiresAt }) {
    const link = `${location.origin}${location.pathname}#/invitation/${token}`;
    const heading = el("h2", { id: titleId, tabindex: "-1" }, peopleStrings.linkTitle(invited.username));
    show(dialog, el("form", { on: { submit: (event) => { event.preventDefault(); end(); } } },
      el("header", { class: "dialog-head" }, heading),
      el("div", { class: "dialog-body" },
        el("p", null, peopleStrings.linkText(invited.username)),
        el("p", null, el("code", { class: "phrase" }, link)),
        el("p", { class: "callout" }, peopleStrings.linkOnce(absolute(expiresAt))),
        isLocal() ? el("p", { class: "callout" }, peopleStrings.linkLocal) : null,
        el("details", { class: "rest" }, el("summary", null, peopleStrings.qr), qrDrawing(link, peopleStrings.qr))),
      el("footer", { class: "dialog-foot" }, el("div", { class: "actions" },
        el("button", { type: "submit", class: "button" }, strings.close),
        copyButton(peopleStrings.copyLink, () => link, { class: "button primary" })))));
    heading.focus();
  }

  const leave = () => { if (!busy) end(); };
  const cancel = el("button", { type: "button", class: "button", on: { click: leave } }, strings.cancel);
  const form = el("form", { novalidate: true, on: { submit: (event) => { event.preventDefault(); void submit(); } } },
    el("header", { class: "dialog-head" }, el("h2", { id: titleId }, title)),
    el("div", { class: "dialog-body" },
      person
        ? el("p", null, person.hasPassword === false ? peopleStrings.newLinkText : peopleStrings.newPasswordText)
        : [el("p", null, peopleStrings.inviteText), name.element, scope?.element]),
    el("footer", { class: "dialog-foot" }, problem, el("div", { class: "actions" }, cancel, action)));
  form.addEventListener("keydown", submitKeys(form));
  if (!person) {
    const began = readFields(form);
    restoreDraft(DRAFT, form);
    form.addEventListener("input", () => keepDraft(DRAFT, form, { began, bases: [] }));
  }
  const dialog = el("dialog", { class: "change-dialog", "aria-labelledby": titleId }, form);
  const end = heldDialog(dialog, { leave, closed: () => { ended.abort(); dialog.remove(); giveBack(); } });
  // Leaving the screen closes the dialog, unless a link is being made: it is shown only here, and only once.
  addEventListener("hashchange", leave, { signal: ended.signal });
  document.body.append(dialog);
  dialog.showModal();
  (person ? action : name.control).focus();
}

/** Whether the page's address is a loopback address, which would mean a different machine for anybody else. */
const isLocal = () => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);
