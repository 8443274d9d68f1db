// @ts-check
/** `#/schedule`: what is going to happen by itself, what is running, what was missed, and what is past. */
import { pastWindows } from "../api-schedule.js";
import { el, show } from "../dom.js";
import { changedByHand, runsInPart, sayActor, sayAltered, sayTargets, spanOf, stateOf, willFail } from "../gate.js";
import { command } from "../gatectl.js";
import { icon } from "../icons.js";
import { sayServer } from "../server-words.js";
import { newestOnly, store } from "../store.js";
import { scheduleStrings } from "../strings/schedule.js";
import { strings } from "../strings/shared.js";
import { absolute, saidElement, saidMoment, saidZoned } from "../time.js";
import { draftOf, isEditable } from "../window-draft.js";
import { aboutWindow, mayChange, openCancelDialog } from "../components/cancel-dialog.js";
import { openRunDialog } from "../components/run-dialog.js";
import { runningActions, sayThen } from "../components/running-actions.js";
import { headingKey, savedStatus } from "../components/saved-window.js";
import { failure } from "../components/shell.js";
import { unnamedTargets } from "../components/target-list.js";
import { ROLE_NOTE, windowLine } from "../components/targets.js";

/** @typedef {import("../api-schedule.js").Window} Window */

/** Milliseconds: the planned time is shown too if the actual one differs by at least this much. */
const MINUTE = 60_000;
/** Past windows that are read at first, and with each press for older ones. */
const PAGE = 50;
/** The most that the server tells at once. */
const MOST = 500;

/** @param {import("../app.js").ViewContext} context */
export function scheduleView({ signal }) {
  const list = el("ul", { class: "window-cards" });
  const past = el("div");

  /** The windows to show; those that wait for a person come first. */
  const standing = () => [...store.troubled(), ...store.windows.filter((window) => window.state !== "missed")];
  let byHand = "";
  const paint = () => {
    byHand = changedByHand(store.windows);
    show(list, standing().length === 0
      ? el("li", { class: "empty" }, icon("calendar"), " ", scheduleStrings.none)
      : standing().map(windowPanel));
  };
  const about = { what: scheduleStrings.past, line: command("schedule", "list", "--all") };
  /**
   * As the server last told them, by identifier.
   * @type {Map<number, Window> | null}
   */
  let gone = null;
  /** @type {string | null} where the ones begin that are older than those */
  let older = null;
  let isWanted = false;
  const ask = newestOnly();
  function paintPast() {
    if (!gone) return;
    const above = new Set(standing().map((window) => window.id));
    const windows = [...gone.values()].filter((window) => !above.has(window.id)).sort((one, other) => other.id - one.id);
    show(past,
      el("h2", { tabindex: "-1" }, scheduleStrings.past),
      windows.length === 0
        ? el("p", { class: "empty" }, scheduleStrings.noPast)
        : el("ul", { class: "window-cards" }, windows.map(windowPanel)),
      older === null ? null : el("button", {
        type: "button", class: "button", "data-key": "older", on: { click: () => void loadOlder() },
      }, scheduleStrings.older));
  }
  /** Reads the past windows, or those again that are shown. */
  async function loadPast() {
    isWanted = true;
    const isNew = ask();
    try {
      const page = await pastWindows(Math.min(Math.max(PAGE, gone?.size ?? 0), MOST));
      if (signal.aborted || !isNew()) return;
      const isFirst = !gone;
      if (!gone || gone.size <= PAGE) older = page.next;
      gone = new Map([...gone ?? [], ...page.items.map((window) => /** @type {const} */ ([window.id, window]))]);
      paintPast();
      if (isFirst) past.querySelector("h2")?.focus();
    } catch (error) {
      if (!signal.aborted && isNew()) show(past, failure(error, () => void loadPast(), about));
    }
  }
  async function loadOlder() {
    try {
      const page = await pastWindows(PAGE, older);
      if (signal.aborted || !gone) return;
      const before = past.querySelectorAll("li.panel").length;
      older = page.next;
      gone = new Map([...page.items.map((window) => /** @type {const} */ ([window.id, window])), ...gone]);
      paintPast();
      // With the last page the pressed button is gone: the focus goes to what it brought.
      if (!older) past.querySelectorAll("li.panel")[before]?.querySelector("summary")?.focus();
    } catch (error) {
      if (!signal.aborted) show(past, failure(error, () => void loadPast(), about));
    }
  }
  show(past, el("button", { type: "button", class: "button", on: { click: () => void loadPast() } }, scheduleStrings.showPast));
  store.on("schedule", () => {
    paint();
    // A window that has just ended moves from this list to the past ones, which may still be on their way.
    paintPast();
    if (isWanted) void loadPast();
  }, signal);
  store.on("targets", () => { if (changedByHand(store.windows) !== byHand) paint(); }, signal);
  paint();
  return {
    title: scheduleStrings.title,
    element: el("div", null,
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, scheduleStrings.title),
        el("div", { class: "actions" }, store.may("operator")
          ? el("a", { class: "button primary", href: "#/schedule/new" }, icon("calendar"), strings.window.make)
          : el("button", {
            type: "button", class: "button", "aria-disabled": "true", "aria-describedby": ROLE_NOTE,
          }, icon("calendar"), strings.window.make))),
      store.may("operator") ? null : el("p", { class: "callout", id: ROLE_NOTE }, strings.dialog.roleNeeded("operator")),
      savedStatus(list), list, el("div", { class: "past" }, past)),
  };
}

/**
 * The advice for a window that is in trouble.
 * @param {Window} window
 */
function hintOf(window) {
  if (window.state !== "missed") return "failedHint";
  return spanOf(window).began ? "missedEndHint" : "missedHint";
}

/** @param {Window} window */
function windowPanel(window) {
  const allowed = mayChange(window);
  const names = sayTargets(window.targets);
  const about = aboutWindow(window);
  const isTrouble = window.state === "missed" || window.state === "failed";
  const fails = willFail(window);
  const isPart = runsInPart(window);
  const isAltered = sayAltered(window) !== "";
  const isOff = fails || isPart || isAltered;
  return el("li", {
    class: `panel window-card${isTrouble ? " danger" : ""}`, "data-window": window.state, "data-fails": isOff,
    "data-state": window.state === "running" ? stateOf(/** @type {import("../documents.js").Gate} */ (window.set)) : null,
  },
    el("div", { class: "window-head" },
      el("h2", { tabindex: "-1", "data-key": headingKey(window) }, names),
      el("span", { class: "window-state" }, icon(isOff ? "warning" : window.state),
        el("span", null, fails ? strings.window.fails : isPart ? strings.window.inPart : strings.window.state[window.state]))),
    el("div", { class: "stack" }, windowLine(window, true), unnamedTargets(window.targets, {
      key: `targets ${window.id}`, name: (more) => scheduleStrings.moreOf(more, about),
    })),
    el("dl", { class: "window-times" }, times(window)),
    isTrouble ? el("p", { class: "callout" }, scheduleStrings[hintOf(window)]) : null,
    fails ? el("p", { class: "callout" }, scheduleStrings.failsHint) : null,
    isPart ? el("p", { class: "callout" }, scheduleStrings.partHint) : null,
    isAltered ? el("p", { class: "callout" }, scheduleStrings.alteredHint) : null,
    window.omitted ? el("p", { class: "callout" }, scheduleStrings.omitted(window.omitted, store.covers(null))) : null,
    el("details", { class: "json", "data-key": `events ${window.id}` },
      el("summary", { "data-key": `steps ${window.id}`, "aria-label": scheduleStrings.eventsOf(about) },
        scheduleStrings.events(window.events.length)),
      el("ul", { class: "events" }, window.events.map((event) => el("li", null,
      el("time", { datetime: event.at }, absolute(event.at)),
      ` ${scheduleStrings.what[event.what]}${scheduleStrings.often(event.times ?? 1)} `, strings.by(sayActor(event.actor)),
      event.detail ? ` – ${sayServer(event.detail)}` : "",
      event.sequence ? [" ", el("a", {
        href: `#/history/${event.sequence}`, "data-key": `event ${window.id} ${event.sequence}`,
        "aria-label": scheduleStrings.detailsOf(scheduleStrings.what[event.what], about),
      }, strings.details)] : null)))),
    allowed ? el("div", { class: "actions" }, actions(window)) : null);
}

/**
 * When a window begins and ends, or did; with the planned times where the actual ones differ.
 * @param {Window} window
 */
function times(window) {
  const { start, end, began, ended } = spanOf(window);
  const waits = window.state === "pending" || window.state === "running";
  const words = willFail(window) ? { ...scheduleStrings.times, ...scheduleStrings.times.ifAtAll } : scheduleStrings.times;
  /** @param {string} name @param {import("../time.js").Moment} time @param {import("../time.js").Moment | null} planned */
  const line = (name, time, planned, more = "") => el("div", null, el("dt", null, name), " ", el("dd", null,
    saidElement(() => saidZoned(time)), more,
    planned && Math.abs(Date.parse(planned.at) - Date.parse(time.at)) >= MINUTE ? words.planned(saidMoment(planned)) : ""));
  return [
    line(began ? words.began : waits ? words.begins : words.wasToBegin, start, window.start),
    end
      ? line(ended ? words.ended : waits ? words.ends : words.wasToEnd, end, window.end,
        `, ${sayThen(window)}`)
      : el("div", null, el("dt", null, words.ends), " ", el("dd", null, scheduleStrings.stays)),
  ];
}

/** @param {Window} window */
function actions(window) {
  const about = aboutWindow(window);
  const waits = window.state === "pending" || window.state === "missed";
  return [
    window.state === "running" ? runningActions(window) : null,
    isEditable(window)
      ? el("a", {
        class: "button small", "data-key": `edit ${window.id}`, href: `#/schedule/new?w=${window.id}`,
        "aria-label": scheduleStrings.editOf(about),
      }, icon("edit"), scheduleStrings.edit)
      : null,
    draftOf(window)
      ? el("a", {
        class: "button small", "data-key": `duplicate ${window.id}`, href: `#/schedule/new?copy=${window.id}`,
        "aria-label": scheduleStrings.duplicateOf(about),
      }, icon("copy"), scheduleStrings.duplicate)
      : null,
    waits ? el("button", {
      type: "button", class: "button small", "data-key": `run ${window.id}`, "aria-label": strings.about(scheduleStrings.run, about),
      on: { click: () => void openRunDialog(window) },
    }, icon("run"), scheduleStrings.run) : null,
    waits ? el("button", {
      type: "button", class: "button small", "data-key": `cancel ${window.id}`, "aria-label": strings.about(scheduleStrings.cancel, about),
      on: { click: () => openCancelDialog(window) },
    }, icon("cancelled"), scheduleStrings.cancel) : null,
  ];
}
