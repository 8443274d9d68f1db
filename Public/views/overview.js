// @ts-check
/** `#/`: is anyone locked out right now? Every target, worst first. */
import { titleTarget } from "../describe.js";
import { el, show } from "../dom.js";
import { STATES } from "../gate.js";
import { nameOf, store } from "../store.js";
import { overviewStrings } from "../strings/overview.js";
import { strings } from "../strings/shared.js";
import { firstRun } from "../components/first-run.js";
import { clockShape, stateBadge } from "../components/state-badge.js";
import { TargetRow } from "../components/target-row.js";

/** @typedef {import("../api.js").Target} Target */

/** The filter's word for targets to which something is going to happen. */
const SCHEDULED = "scheduled";

/** @param {import("../app.js").ViewContext} context */
export function overviewView({ query, signal }) {
  /** @type {Map<string, TargetRow>} */
  const rows = new Map();
  const chips = el("div", { class: "state-chips", role: "group", "aria-label": overviewStrings.states });
  const filter = el("input", {
    type: "search", id: "filter", class: "filter", placeholder: overviewStrings.filterHint, "aria-label": overviewStrings.filter,
    autocomplete: "off", value: query.get("q") ?? "", on: { input: () => write() },
  });
  const list = el("ul", { class: "target-list", "aria-label": overviewStrings.targets });
  const rest = el("div");
  const element = el("div");
  const head = el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, overviewStrings.title), filter, chips);

  const wanted = () => new Set((query.get("state") ?? "").split(",").filter(Boolean));

  /** The filter lives in the address, so that it can be pasted into a chat. */
  function write() {
    if (filter.value.trim()) query.set("q", filter.value.trim());
    else query.delete("q");
    const text = query.toString();
    history.replaceState(null, "", text ? `#/?${text.replaceAll("%2C", ",")}` : "#/");
    paint();
  }

  /** @param {string} state */
  function toggle(state) {
    const states = wanted();
    if (!states.delete(state)) states.add(state);
    if (states.size > 0) query.set("state", [...states].join(","));
    else query.delete("state");
    write();
  }

  function clear() {
    filter.value = "";
    query.delete("state");
    write();
    filter.focus();
  }

  /** @param {Target[]} targets */
  const scheduledChip = (targets) => el("button", {
    type: "button", class: "state-chip", "data-key": "chip scheduled", "data-state": SCHEDULED,
    "aria-pressed": String(wanted().has(SCHEDULED)), on: { click: () => toggle(SCHEDULED) },
  }, el("span", { class: "badge", "data-state": SCHEDULED },
    clockShape(),
    el("span", { class: "badge-word" },
      `${targets.filter((target) => store.windowsOf(target).length > 0).length} ${strings.window.scheduled}`)));

  function paint() {
    if (!store.loaded) return;
    if (store.apps.size === 0) return show(element, firstRun());
    if (!head.isConnected) show(element, head, list, rest);
    const targets = [...store.targets.values()];
    const states = wanted();
    show(chips, STATES.map((state) => el("button", {
      type: "button", class: "state-chip", "data-key": `chip ${state}`, "data-state": state, "aria-pressed": String(states.has(state)),
      on: { click: () => toggle(state) },
    }, stateBadge(state, targets.filter((target) => target.state === state).length))), scheduledChip(targets));

    const shown = targets
      .filter((target) => (states.size === 0 || states.has(target.state) || (states.has(SCHEDULED) && store.windowsOf(target).length > 0))
        && matches(target, query.get("q") ?? ""))
      .sort(worstFirst);
    arrange(list, shown.map((target) => {
      const known = rows.get(nameOf(target));
      if (known) { known.update(target); return known.element; }
      const row = new TargetRow(target);
      rows.set(nameOf(target), row);
      return row.element;
    }));
    const bare = [...store.apps.values()].filter((app) => Object.keys(app.platforms).length === 0);
    show(rest,
      shown.length === 0 && targets.length > 0
        ? el("p", { class: "empty" },
          overviewStrings.none(targets.length), " ",
          el("button", { type: "button", class: "button small", on: { click: clear } }, overviewStrings.clear))
        : null,
      bare.map((app) => el("p", { class: "hint" }, overviewStrings.noPlatforms(app.name))));
  }

  for (const topic of /** @type {import("../store.js").Topic[]} */ (["targets", "apps", "session", "schedule"])) {
    store.on(topic, paint, signal);
  }
  store.on("changes", (event) => {
    for (const change of event.detail) {
      if (!store.own.has(change.sequence)) for (const target of change.targets) rows.get(nameOf(target))?.flash();
    }
  }, signal);
  paint();
  return { title: "", element };
}

/** @param {Target} target @param {string} text */
function matches(target, text) {
  const searched = `${nameOf(target)} ${titleTarget(target)}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => searched.includes(word));
}

/**
 * When the next window of a target is due; after every time for one without.
 * @param {Target} target
 */
const nextDue = (target) => store.windowsOf(target)[0]?.due ?? "~";

/**
 * Blocked longest first, then the lesser states, then what happens next, then by name.
 * @param {Target} one
 * @param {Target} other
 */
function worstFirst(one, other) {
  const rank = STATES.indexOf(one.state) - STATES.indexOf(other.state);
  if (rank !== 0) return rank;
  if (one.state === "blocked" && one.since !== other.since) return one.since < other.since ? -1 : 1;
  const [due, otherDue] = [nextDue(one), nextDue(other)];
  if (due !== otherDue) return due < otherDue ? -1 : 1;
  return titleTarget(one).localeCompare(titleTarget(other));
}

/**
 * Puts the rows in order with as few moves as there are, because a moved element loses focus.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} rows
 */
function arrange(list, rows) {
  const focused = document.activeElement;
  for (const child of [...list.children]) if (!rows.includes(/** @type {HTMLElement} */ (child))) child.remove();
  rows.forEach((row, index) => {
    if (list.children[index] !== row) list.insertBefore(row, list.children[index] ?? null);
  });
  if (focused instanceof HTMLElement && focused !== document.activeElement && list.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}
