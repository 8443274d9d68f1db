// @ts-check
/**
 * `#/schedule/new`: schedules a change for a span of time; with `?w=12` it replaces a waiting window, with `?copy=12` it copies one. The
 * server decides which instants are meant and what the window would do.
 */
import { window as readWindow } from "../api-schedule.js";
import { el, show } from "../dom.js";
import { command } from "../gatectl.js";
import { store } from "../store.js";
import { newAppStrings } from "../strings/new-app.js";
import { newWindowStrings } from "../strings/new-window.js";
import { scheduleStrings } from "../strings/schedule.js";
import { strings } from "../strings/shared.js";
import { draftOf, isEditable, nextOf } from "../window-draft.js";
import { draftAt, forgetDraft } from "../components/drafts.js";
import { failure } from "../components/shell.js";
import { WindowEditor } from "../components/window-editor.js";

/** @typedef {import("../api-schedule.js").Window} Window */

/** @param {import("../app.js").ViewContext} context */
export function newWindowView({ query, signal }) {
  const id = query.get("w") ?? query.get("copy");
  const name = query.has("w") ? newWindowStrings.editTitle(id ?? "") : newWindowStrings.title;
  const body = el("div");

  async function fill() {
    const mine = [...store.targets.values()].filter((target) => store.may("operator", target.app));
    if (mine.length === 0) {
      const isEmpty = store.targets.size === 0 && store.may("operator");
      return show(body, el("p", { class: "callout" }, isEmpty ? newWindowStrings.noTargets : strings.dialog.roleNeeded("operator")),
        isEmpty && store.mayAddApps ? el("a", { class: "button primary", href: "#/settings/apps/new" }, newAppStrings.title) : null);
    }
    try {
      const named = id === null ? null : store.windows.find((window) => String(window.id) === id) ?? await readWindow(id);
      if (!signal.aborted) show(body, formFor(mine, named));
    } catch (error) {
      if (!signal.aborted) show(body, failure(error, () => void fill(), { what: name, line: command("schedule", "show", id) }));
    }
  }

  /** @param {import("../documents.js").Target[]} mine @param {Window | null} named */
  function formFor(mine, named) {
    // One draft for each address and each revision of a window: a draft written against another revision would overwrite it unread.
    const keyAt = (revision = named?.revision) => `window ${query} ${revision ?? ""}`;
    const afresh = (/** @type {string} */ kept) => { forgetDraft(kept); void fill(); };
    const kept = draftAt(keyAt());
    if (!named) {
      const targets = (query.get("t") ?? "").split(",").filter(Boolean);
      return new WindowEditor(mine, { targets, action: query.get("do") ?? "" }, { keyAt, kept, afresh, signal }).element;
    }
    const draft = draftOf(named);
    // The form must not replace a window that it cannot fully express.
    if (!draft || (query.has("w") && !isEditable(named))) return el("p", { class: "callout" }, newWindowStrings.notHere(String(named.id)));
    if (query.has("w")) return new WindowEditor(mine, draft, { old: named, keyAt, kept, afresh, signal }).element;
    const next = nextOf(draft);
    const day = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeZone: "UTC" }).format(new Date(`${next.start}Z`));
    return new WindowEditor(mine, next, { note: newWindowStrings.copied(named.id, day), keyAt, kept, afresh, signal }).element;
  }

  void fill();
  return {
    title: name,
    element: el("div", null,
      el("p", { class: "crumbs" }, el("a", { href: "#/schedule" }, scheduleStrings.title)),
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, name)),
      body),
  };
}
