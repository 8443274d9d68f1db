// @ts-check
/** `#/history`: every change, newest first, by day. New changes wait behind a button, so that the list does not jump. */
import { changes as changesOf } from "../api-history.js";
import { el, show } from "../dom.js";
import { command } from "../gatectl.js";
import { store } from "../store.js";
import { historyStrings } from "../strings/history.js";
import { platformName } from "../strings/shared.js";
import { day, instantOf, wallOf } from "../time.js";
import { changeSummary } from "../components/change-summary.js";
import { field } from "../components/field.js";
import { failure, skeleton } from "../components/shell.js";

const PAGE = 50;

/**
 * The list that was left last, for whoever comes back to it from one of its changes: shown at once, so that the place in it is found
 * again.
 * @type {{ visit: number, user: string | undefined, shown: import("../documents.js").Change[], next: string | null, arrived: number[],
 *   sequence: number } | null}
 */
let left = null;

/** @param {import("../app.js").ViewContext} context */
export function historyView({ query, visit, signal }) {
  const filter = Object.fromEntries(["app", "platform", "actor", "since"].map((name) => [name, query.get(name) ?? ""]));
  const list = el("div", { class: "timeline" });
  const fresh = el("div", { class: "fresh" });
  const more = el("div", { class: "more" });
  /** @type {number[]} the sequences of what has arrived since the list was read; infinity: something may have that nobody told of */
  let arrived = [];
  /** Counts what was asked for: an answer that a later press has overtaken must not be added to the list. */
  let question = 0;
  /** @type {import("../documents.js").Change[]} */
  let shown = [];
  /** @type {string | null} where older changes begin */
  let older = null;

  const since = instantOf(filter.since);

  const line = command(
    "history", filter.app, filter.platform, filter.actor && `--actor=${filter.actor}`, since && `--since=${since}`,
  );

  async function load(/** @type {string | null} */ cursor = null) {
    question += 1;
    const mine = question;
    const before = arrived.length;
    if (!cursor && shown.length === 0) show(list, skeleton());
    try {
      const page = await changesOf({ ...filter, since, limit: PAGE, cursor });
      if (mine !== question || signal.aborted) return;
      const first = cursor ? shown.length : 0;
      shown = cursor ? [...shown, ...page.items] : page.items;
      // The first page has what had arrived when it was asked for, and perhaps what came later; older changes do not bring it.
      if (!cursor) arrived = arrived.slice(before).filter((sequence) => sequence > (page.items[0]?.sequence ?? 0));
      older = page.next;
      paint();
      // With the last page the pressed button is gone: the focus goes to what it brought.
      if (cursor && !page.next) list.querySelectorAll("a")[first]?.focus();
    } catch (error) {
      if (mine === question && !signal.aborted) show(list, failure(error, () => void load(cursor), { what: historyStrings.title, line }));
    }
  }

  function paint() {
    paintFresh();
    const filtered = Object.values(filter).some(Boolean);
    if (shown.length === 0) show(list, el("p", { class: "empty" }, filtered ? historyStrings.noMatch : historyStrings.empty));
    else {
      const days = Map.groupBy ? Map.groupBy(shown, (change) => day(change.at)) : grouped(shown);
      show(list, [...days].map(([name, changes]) =>
        el("section", null, el("h2", { class: "day" }, name),
          el("ol", { class: "changes" }, changes.map((change) => changeSummary(change, filter))))));
    }
    show(more, older
      ? el("button", { type: "button", class: "button", "data-key": "more", on: { click: () => void load(older) } }, historyStrings.more)
      : null);
  }

  function paintFresh() {
    show(fresh, arrived.length > 0
      ? el("button", { type: "button", class: "button primary", on: { click: () => void load() } },
        arrived.includes(Infinity) ? historyStrings.perhapsFresh : historyStrings.fresh(arrived.length))
      : null);
  }

  store.on("changes", (event) => {
    /** @type {import("../documents.js").Change[]} */
    const changes = event.detail;
    arrived.push(...changes.filter((change) => fits(change, filter)).map(({ sequence }) => sequence));
    paintFresh();
  }, signal);
  store.on("reset", () => {
    arrived.push(Infinity);
    paintFresh();
  }, signal);

  const user = store.session?.user.username;
  signal.addEventListener("abort", () => {
    left = shown.length > 0 ? { visit, user, shown, next: older, arrived, sequence: store.sequence } : null;
  });
  if (left?.visit === visit && left.user === user) {
    ({ shown, next: older } = left);
    // What came while another screen was shown was told to nobody.
    arrived = store.sequence > left.sequence ? [...left.arrived, Infinity] : left.arrived;
    paint();
  } else if (since || !filter.since) void load();
  else show(list, el("p", { class: "problem" }, historyStrings.sinceWrong));
  return {
    title: historyStrings.title,
    element: el("div", null,
      el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, historyStrings.title)),
      filterForm(filter, since), el("div", { role: "status" }, fresh), list, more),
  };
}

/** @param {import("../documents.js").Change[]} changes */
function grouped(changes) {
  /** @type {Map<string, import("../documents.js").Change[]>} */
  const days = new Map();
  for (const change of changes) days.set(day(change.at), [...(days.get(day(change.at)) ?? []), change]);
  return days;
}

/** @param {import("../documents.js").Change} change @param {Record<string, string>} filter */
function fits(change, filter) {
  return (!filter.app || change.app === filter.app || change.targets.some((target) => target.app === filter.app))
    && (!filter.platform || change.targets.some((target) => target.platform === filter.platform))
    && (!filter.actor || change.actor.name === filter.actor || change.actor.user === filter.actor);
}

/** @param {Record<string, string>} filter @param {string | null} since the filter's start, as an instant */
function filterForm(filter, since) {
  const platforms = [...new Set([...store.targets.values()].map((target) => target.platform))].sort();
  /** @param {string} name @param {[string, string][]} choices */
  const select = (name, choices) => {
    const value = filter[name];
    // What was deleted keeps its history, and what is filtered by stays named.
    const offered = value === "" || choices.some(([key]) => key === value) ? choices : [...choices, [value, value]];
    const control = el("select", { name },
      el("option", { value: "" }, historyStrings.all),
      offered.map(([key, text]) => el("option", { value: key }, text)));
    control.value = value;
    return control;
  };
  const form = el("form", {
    class: "filters", role: "search", "aria-label": historyStrings.filters,
    on: {
      submit: (event) => {
        event.preventDefault();
        const query = new URLSearchParams();
        for (const [name, value] of new FormData(form)) if (value) query.set(name, String(value).trim());
        location.hash = query.size > 0 ? `#/history?${query}` : "#/history";
      },
    },
  },
    field(select("app", [...store.apps.values()].map((app) => [app.key, app.name])), { label: historyStrings.app }).element,
    field(select("platform", platforms.map((key) => [key, platformName(key)])), { label: historyStrings.platform }).element,
    field(el("input", {
      name: "actor", autocomplete: "off", autocapitalize: "none", value: filter.actor,
    }), { label: historyStrings.actor }).element,
    field(el("input", {
      type: "date", name: "since", value: since ? wallOf(since).slice(0, 10) : "",
    }), { label: historyStrings.since }).element,
    el("div", { class: "actions" }, el("button", { type: "submit", class: "button" }, historyStrings.apply),
      Object.values(filter).some(Boolean) ? el("a", { class: "button quiet", href: "#/history" }, historyStrings.clear) : null));
  return form;
}
