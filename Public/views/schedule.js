// @ts-check
/** `#/schedule`: what is going to happen by itself, what is running, what was missed, and what is past. */
import * as api from "../api-schedule.js";
import { sayActor, sayTarget } from "../describe.js";
import { el, show } from "../dom.js";
import { store } from "../store.js";
import { scheduleStrings } from "../strings/schedule.js";
import { strings } from "../strings/shared.js";
import { absolute, saidZoned } from "../time.js";
import { openConfirmDialog } from "../components/confirm-dialog.js";
import { failure } from "../components/failure.js";
import { openRunDialog } from "../components/run-dialog.js";
import { windowLine } from "../components/window-line.js";
import { draftOf } from "../window-draft.js";

/** @param {import("../app.js").ViewContext} context */
export function scheduleView({ signal }) {
  const list = el("ul", { class: "app-list" });
  const past = el("div");

  const paint = () =>
    show(list, store.windows.length === 0 ? el("li", { class: "empty" }, scheduleStrings.none) : store.windows.map(windowPanel));
  async function loadPast() {
    try {
      const windows = await api.windows("done,cancelled,failed");
      if (!signal.aborted) {
        show(past,
          el("h2", { tabindex: "-1" }, scheduleStrings.past),
          windows.length === 0
            ? el("p", { class: "empty" }, scheduleStrings.noPast)
            : el("ul", { class: "app-list" }, windows.map(windowPanel)));
      }
      past.querySelector("h2")?.focus();
    } catch (error) {
      if (!signal.aborted) show(past, failure(error, () => void loadPast()));
    }
  }
  show(past, el("button", { type: "button", class: "button", on: { click: () => void loadPast() } }, scheduleStrings.showPast));
  store.on("schedule", paint, signal);
  paint();
  return {
    title: scheduleStrings.title,
    element: el("div", null,
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, scheduleStrings.title),
        store.may("operator")
          ? el("div", { class: "actions" }, el("a", { class: "button primary", href: "#/schedule/new" }, strings.window.make))
          : null),
      list, el("div", { class: "past" }, past)),
  };
}

/** @param {api.Window} window */
function windowPanel(window) {
  const allowed = window.targets.every((target) => store.may("operator", target.app));
  const active = window.state === "pending" || window.state === "running";
  return el("li", { class: "panel" },
    el("h2", null, window.targets.map(sayTarget).join(", "), " ", el("small", null, strings.window.state[window.state])),
    windowLine(window),
    el("p", { class: "hint" }, saidZoned(window.start)),
    window.end
      ? el("p", { class: "hint" }, saidZoned(window.end), ", ", scheduleStrings.then[window.then])
      : el("p", { class: "hint" }, scheduleStrings.stays),
    window.state === "missed" ? el("p", { class: "callout" }, scheduleStrings.missedHint) : null,
    el("ul", { class: "events" }, window.events.map((event) => el("li", null,
      el("time", { datetime: event.at }, absolute(event.at)), ` ${scheduleStrings.what[event.what]} `, strings.by(sayActor(event.actor)),
      event.detail ? ` – ${event.detail}` : "",
      event.sequence ? [" ", el("a", { href: `#/history/${event.sequence}` }, strings.details)] : null))),
    allowed && (active || window.state === "missed") ? el("div", { class: "actions" },
      draftOf(window) ? el("a", { class: "button small", href: `#/schedule/new?w=${window.id}` }, scheduleStrings.edit) : null,
      window.state === "running"
        ? null
        : el("button", {
          type: "button", class: "button small", "data-key": `run ${window.id}`, on: { click: () => void openRunDialog(window) },
        }, scheduleStrings.run),
      el("button", {
        type: "button", class: "button small", "data-key": `cancel ${window.id}`,
        on: {
          click: () => openConfirmDialog({
            title: scheduleStrings.cancelTitle(window.targets.map(sayTarget).join(", ")), text: scheduleStrings.cancelText,
            run: () => api.cancelWindow(window.id), done: () => void store.reloadWindows(),
          }),
        },
      }, scheduleStrings.cancel)) : null);
}
