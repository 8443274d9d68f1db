// @ts-check
/** `#/`: is anyone locked out right now? Every app with its platforms, worst first. */
import { APIError, NoAnswer } from "../api.js";
import { el, keepAddress, show, styleSheet } from "../dom.js";
import { changedByHand, runsInPart, sayTargets, STATES, titleTarget } from "../gate.js";
import { icon, stateBadge } from "../icons.js";
import { codeTrouble, isCodeTrouble, nameOf, store } from "../store.js";
import { overviewStrings, platformName, strings } from "../strings/shared.js";
import { saidElement } from "../time.js";
import { Picks, setPicked } from "../components/actions.js";
import { failure } from "../components/shell.js";
import { AppRow, arrange, ROLE_NOTE, windowLine } from "../components/targets.js";

/** @typedef {import("../documents.js").Target} Target */
/** @typedef {[app: string, targets: Target[]]} Group */

/** The filter's word for targets with scheduled windows. */
const SCHEDULED = "scheduled";
/** With more platforms than this, columns would be too narrow to read, so cells stand wherever there is room. */
const MOST_COLUMNS = 4;

/** @param {import("../app.js").ViewContext} context */
export function overviewView({ query, signal }) {
  /** @type {Map<string, AppRow>} */
  const rows = new Map();
  /** @type {AppRow[]} */
  let standing = [];
  const order = new OverviewOrder();
  const picks = new Picks(() => standing.flatMap((row) => row.pickable()), () => paintPicks());
  const chips = el("div", { class: "state-chips", role: "group", "aria-label": overviewStrings.states });
  const filter = el("input", {
    type: "search", id: "filter", class: "filter", placeholder: overviewStrings.filterHint, "aria-label": overviewStrings.filter,
    autocomplete: "off", value: query.get("q") ?? "",
    on: {
      input: () => write(),
      keydown: (event) => {
        if (event.isComposing) return;
        if (event.key === "Enter") openOnly();
        if (event.key !== "Escape") return;
        // Leave the field instead of emptying it as browsers do, so that the keys work on the filtered rows.
        event.preventDefault();
        filter.blur();
      },
    },
  });
  const count = el("p", { class: "hint", role: "status" });
  const sort = el("button", {
    type: "button", class: "button small", hidden: true, on: { click: sortAgain },
  }, overviewStrings.sort);
  const trouble = windowTrouble(signal);
  const note = el("p", { class: "callout", id: ROLE_NOTE }, overviewStrings.operatorNeeded);
  /** @type {HTMLInputElement} */
  const every = el("input", {
    type: "checkbox", class: "pick-box", "aria-label": overviewStrings.pickAll,
    on: { click: () => picks.toggle(picks.shown(), every.checked) },
  });
  const everyLabel = el("label", { class: "pick" }, every);
  const columnHeads = el("div", { class: "app-cells", "aria-hidden": "true" });
  const everyText = el("span", { "aria-hidden": "true" }, overviewStrings.pickAll);
  const listHead = el("div", { class: "list-head" }, el("div", { class: "app-head" }, everyLabel, everyText), columnHeads);
  const list = el("ul", { class: "app-rows", "aria-label": overviewStrings.apps });
  const rest = el("div");
  const beginning = el("div", { class: "beginning" });
  /** @type {HTMLElement | undefined} */
  let greeting;
  /** @type {Map<string, Promise<void>>} by app */
  const awaited = new Map();
  const element = el("div", { class: "overview" });
  const head = el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, overviewStrings.title), count, sort,
    el("div", { class: "filter-box" }, icon("search"), filter), chips);

  const wanted = () => new Set((query.get("state") ?? "").split(",").filter(Boolean));

  /** Keeps the filter in the address, so that it can be pasted into a chat. */
  function write() {
    if (filter.value.trim()) query.set("q", filter.value.trim());
    else query.delete("q");
    const text = query.toString();
    keepAddress(text ? `#/?${text.replaceAll("%2C", ",")}` : "#/");
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

  function sortAgain() {
    order.renew();
    for (const row of rows.values()) row.standing = [];
    paint();
    filter.focus();
  }

  function clear() {
    filter.value = "";
    query.delete("state");
    write();
    filter.focus();
  }

  /** Opens the only matching target; if the only match is an app with several, focuses its first platform. */
  function openOnly() {
    if (standing.length !== 1) return;
    const [row] = standing;
    if (row.shown.length === 1) location.hash = `#/t/${row.shown[0]}`;
    else row.element.querySelector("a")?.focus();
  }

  /** @param {number} count */
  const scheduledChip = (count) => el("button", {
    type: "button", class: "state-chip", "data-key": "chip scheduled", "data-state": SCHEDULED, "data-count": count,
    "aria-pressed": String(wanted().has(SCHEDULED)), on: { click: () => toggle(SCHEDULED) },
  }, el("span", { class: "badge", "data-state": SCHEDULED },
    icon("pending"), el("span", { class: "badge-word" }, `${count} ${strings.window.scheduled}`)));

  function paint() {
    if (!store.loaded) return;
    if (store.apps.size === 0) return void welcome();
    if (!head.isConnected) show(element, head, trouble, note, listHead, list, rest, beginning, picks.bar);
    void awaitFirstPoll();
    const targets = [...store.targets.values()];
    const states = wanted();
    /** @param {string} state */
    const countOf = (state) => targets.filter((target) => target.state === state).length;
    show(chips, STATES.map((state) => el("button", {
      type: "button", class: "state-chip", "data-key": `chip ${state}`, "data-state": state, "aria-pressed": String(states.has(state)),
      "data-count": countOf(state), on: { click: () => toggle(state) },
    }, stateBadge(state, countOf(state)))),
      scheduledChip(targets.filter((target) => store.windowsOf(target).length > 0).length));
    note.hidden = targets.every((target) => store.may("operator", target.app));

    const shown = targets.filter((target) =>
      (states.size === 0 || states.has(target.state) || (states.has(SCHEDULED) && store.windowsOf(target).length > 0))
      && matches(target, query.get("q") ?? ""));
    const columns = paintColumns(targets);
    // Apps that are filtered out keep their place for when they come back.
    order.apply(groupsOf(targets));
    const groups = order.apply(groupsOf(shown));
    standing = groups.map(([app, mine]) => {
      const row = rows.get(app) ?? new AppRow(app, picks);
      rows.set(app, row);
      row.update(mine, (platform) => columns.indexOf(platform) + 1);
      return row;
    });
    arrange(list, standing.map((row) => row.element));
    listHead.hidden = shown.length === 0;
    sort.hidden = !order.isOld(groupsOf(targets));
    const text = shown.length === targets.length
      ? overviewStrings.all(targets.length, store.apps.size)
      : overviewStrings.some(shown.length, targets.length);
    if (count.textContent !== text) count.textContent = text;
    const bare = [...store.apps.values()].filter((app) => Object.keys(app.platforms).length === 0);
    show(rest,
      shown.length === 0 && targets.length > 0
        ? el("p", { class: "empty" },
          overviewStrings.none(targets.length), " ",
          el("button", { type: "button", class: "button small", on: { click: clear } }, overviewStrings.clear))
        : null,
      bare.map((app) => el("p", { class: "hint" }, overviewStrings.noPlatforms(app.name))));
    paintPicks();
  }

  /** Shows the first steps while there is no app yet. */
  async function welcome() {
    if (greeting?.isConnected) return;
    let code;
    try {
      [code] = await Promise.all([import("../components/first-run.js"), styleSheet("first-run.css")]);
    } catch (error) {
      const trouble = await codeTrouble(error);
      if (!trouble) throw error;
      if (!signal.aborted) show(element, failure(trouble, paint, { what: overviewStrings.title, line: "gatectl status" }));
      return;
    }
    if (signal.aborted || store.apps.size > 0 || greeting?.isConnected) return;
    greeting = code.firstRun({
      done: async (trouble) => {
        await awaitFirstPoll();
        if (trouble) beginning.prepend(el("p", { class: "callout", role: "alert" }, trouble));
        beginning.querySelector("h2")?.focus();
      },
    });
    show(element, greeting);
    // When the route focused a heading, there was none yet.
    if (document.activeElement === document.body) element.querySelector("h1")?.focus({ preventScroll: true });
  }

  /** While no phone has polled the only app, shows the next step below it, until the screen is left. */
  function awaitFirstPoll() {
    const [app] = store.apps.keys();
    if (store.apps.size !== 1 || store.targets.size === 0 || !store.may("operator", app)) return Promise.resolve();
    const known = awaited.get(app) ?? showFirstPoll(app);
    awaited.set(app, known);
    return known;
  }

  /** @param {string} app */
  async function showFirstPoll(app) {
    try {
      const [{ firstPoll, isUnpolled }, { firstRunStrings }] = await Promise.all([
        import("../components/first-poll.js"), import("../strings/first-run.js"), styleSheet("first-run.css"),
      ]);
      if (!await isUnpolled([...store.targets.values()]) || signal.aborted) return;
      show(beginning, el("h2", { tabindex: "-1" }, firstRunStrings.next(store.appName(app))),
        el("p", { class: "hint" }, saidElement(() => firstRunStrings.nextHint([...store.targets.values()]))), firstPoll(app, signal, 3));
    } catch (error) {
      // Without an answer, the overview does without it.
      if (!(error instanceof APIError) && !(error instanceof NoAnswer) && !isCodeTrouble(error)) throw error;
    }
  }

  /**
   * Gives each platform a column, if there are few enough of them.
   * @param {Target[]} targets
   */
  function paintColumns(targets) {
    const platforms = [...new Set(targets.map((target) => target.platform))].sort(byPlatform);
    const columns = platforms.length <= MOST_COLUMNS ? platforms : [];
    element.dataset.columns = String(columns.length);
    show(columnHeads, columns.map((platform) => el("span", null, el("span", null, platformName(platform)),
      el("span", null, overviewStrings.killSwitch))));
    return columns;
  }

  function paintPicks() {
    for (const row of standing) row.showPicks();
    const mine = picks.shown();
    const picked = mine.filter((name) => picks.names.has(name)).length;
    everyLabel.hidden = everyText.hidden = mine.length < 2;
    every.checked = mine.length > 0 && picked === mine.length;
    every.indeterminate = picked > 0 && picked < mine.length;
    picks.paint();
  }

  setPicked(picks, signal);
  for (const topic of /** @type {import("../store.js").Topic[]} */ (["targets", "apps", "session", "schedule"])) {
    store.on(topic, paint, signal);
  }
  store.on("changes", (event) => {
    for (const change of event.detail) {
      if (store.own.has(change.sequence)) continue;
      for (const target of change.targets) rows.get(target.app)?.cells.get(nameOf(target))?.flash();
    }
  }, signal);
  paint();
  return { title: "", element };
}

/** @param {string} one @param {string} other */
const byPlatform = (one, other) => platformName(one).localeCompare(platformName(other));

/**
 * The targets by app, in the order of the columns.
 * @param {Target[]} targets
 * @returns {Group[]}
 */
function groupsOf(targets) {
  /** @type {Map<string, Target[]>} */
  const groups = new Map();
  for (const target of targets) groups.set(target.app, [...(groups.get(target.app) ?? []), target]);
  for (const mine of groups.values()) mine.sort((one, other) => byPlatform(one.platform, other.platform));
  return [...groups];
}

/** @param {Target} target @param {string} text */
function matches(target, text) {
  const searched = `${nameOf(target)} ${titleTarget(target)}`.toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => searched.includes(word));
}

/**
 * When a target's next window is due; a text that sorts after every time if there is none.
 * @param {Target} target
 */
const nextDue = (target) => store.windowsOf(target)[0]?.due ?? "~";

/** @param {Target} target */
const rank = (target) => STATES.indexOf(target.state);

/** @param {Target[]} targets */
const leading = (targets) => {
  const worst = Math.min(...targets.map(rank));
  const such = targets.filter((target) => rank(target) === worst);
  return {
    worst, since: such.map((target) => target.since).sort()[0],
    due: targets.map(nextDue).sort()[0],
  };
};

/**
 * Sorts worst state first; then those blocked longest, those whose next window is due first, and by name.
 * @param {Group[]} groups
 */
function worstFirst(groups) {
  const keyed = groups.map(([app, targets]) => ({ app, name: store.appName(app), ...leading(targets) }));
  return keyed.sort((one, other) => {
    if (one.worst !== other.worst) return one.worst - other.worst;
    if (STATES[one.worst] === "blocked" && one.since !== other.since) return one.since < other.since ? -1 : 1;
    if (one.due !== other.due) return one.due < other.due ? -1 : 1;
    return one.name.localeCompare(other.name);
  }).map(({ app }) => app);
}

/** The order of the apps: worst first when the overview is opened; after that, each keeps its place. */
class OverviewOrder {
  /** @type {string[]} */
  #apps = [];

  /**
   * Sorts the groups: an app whose state has changed keeps its place; new apps come last.
   * @param {Group[]} groups
   */
  apply(groups) {
    const known = new Set(this.#apps);
    this.#apps.push(...worstFirst(groups.filter(([app]) => !known.has(app))));
    const place = new Map(this.#apps.map((app, index) => [app, index]));
    return [...groups].sort(([one], [other]) => (place.get(one) ?? 0) - (place.get(other) ?? 0));
  }

  /**
   * Whether the apps are no longer in worst-first order.
   * @param {Group[]} groups
   */
  isOld(groups) {
    const wanted = worstFirst(groups);
    return this.apply(groups).some(([app], index) => app !== wanted[index]);
  }

  renew() {
    this.#apps = [];
  }
}

/** How many windows are named; the rest are only counted. */
const NAMED = 3;

/**
 * The red banner about windows that were missed, failed, or run only in part: something planned has not happened, and somebody has to know.
 * @param {AbortSignal} signal
 */
function windowTrouble(signal) {
  const element = el("section", { class: "trouble", role: "alert", hidden: true });
  let shown = "";

  function paint() {
    const partly = store.windows.filter(runsInPart);
    const windows = [...store.troubled(), ...partly];
    const now = windows.map(({ id, state }) => `${id} ${state}`).join() + changedByHand(partly);
    // Rewriting an alert would have it read out again.
    if (now === shown) return;
    shown = now;
    element.hidden = windows.length === 0;
    const count = (/** @type {string} */ wanted) => windows.filter(({ state }) => state === wanted).length;
    const [missed, failed] = [count("missed"), count("failed")];
    // On a phone only the line is shown, so that the blocked targets below it stay in view.
    show(element,
      el("a", { class: "trouble-line", href: "#/schedule", "data-key": "trouble line" },
        icon("warning"), el("span", null, overviewStrings.troubleShort(missed, failed, partly.length)), icon("next")),
      el("div", { class: "trouble-whole" },
        el("h2", null, overviewStrings.trouble(missed, failed, partly.length)),
        el("ul", null, windows.slice(0, NAMED).map((window) =>
          el("li", null, el("strong", null, sayTargets(window.targets)), windowLine(window)))),
        windows.length > NAMED ? el("p", null, overviewStrings.moreTrouble(windows.length - NAMED)) : null,
        el("a", { class: "button", href: "#/schedule", "data-key": "trouble" }, overviewStrings.seeTrouble)));
  }

  for (const topic of /** @type {const} */ (["schedule", "targets"])) store.on(topic, paint, signal);
  paint();
  return element;
}
