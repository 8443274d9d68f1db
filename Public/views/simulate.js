// @ts-check
/**
 * `#/simulate`: what phones show, for every version and library, now, at a past or future time, or with a draft. The server answers; this
 * only lays out its answer. The whole question is in the address, so that a link shows the same to whoever opens it.
 */
import * as api from "../api.js";
import { simulateMany } from "../api-simulate.js";
import { el, keepAddress, show, uniqueId } from "../dom.js";
import { leadingRule, reach, sayActor, sayTarget, stateOf } from "../gate.js";
import { command } from "../gatectl.js";
import { icon, stateBadge } from "../icons.js";
import { sayRefusal, sayServer } from "../server-words.js";
import { nameOf, store } from "../store.js";
import { newAppStrings } from "../strings/new-app.js";
import { strings } from "../strings/shared.js";
import { simulateStrings as words } from "../strings/simulate.js";
import { absolute, ownZone, saidElement, saidTime, serverNow } from "../time.js";
import { instantOf, wallAt } from "../zones.js";
import { copyButton } from "../components/copy-button.js";
import { fact } from "../components/fact.js";
import { field } from "../components/field.js";
import { failure, skeleton } from "../components/shell.js";

/** @typedef {import("../api-simulate.js").Matrix} Matrix */
/** @typedef {import("../api-simulate.js").Cell} Cell */
/** @typedef {import("../api-simulate.js").View} View */
/** @typedef {"both" | "everybody" | "version"} Feed */

const DELAY = 250;

/**
 * The state whose shape and colour stand for an outcome.
 * @type {Record<View["outcome"], import("../documents.js").State>}
 */
const STATE = {
  blocked: "blocked", broken: "blocked", updateRequired: "updateRequired", updateOffered: "notice", notice: "notice", open: "open",
  failed: "open",
};
/** @type {Record<Cell["meant"], View["outcome"]>} */
const MEANT = {
  blocked: "blocked", forced: "updateRequired", required: "updateRequired", optional: "updateOffered", alert: "notice", nothing: "open",
};

/** @param {import("../app.js").ViewContext} context */
export function simulateView({ query, signal }) {
  const targets = [...store.targets.values()].sort((one, other) => sayTarget(one).localeCompare(sayTarget(other)));
  const named = query.get("t") ?? "";
  const head = el("div", { class: "view-head" }, el("h1", { tabindex: "-1" }, words.title));
  if (targets.length === 0 && !named) {
    const add = store.mayAddApps ? el("a", { class: "button primary", href: "#/settings/apps/new" }, newAppStrings.title) : null;
    return { title: words.title, element: el("div", { class: "simulate" }, head, el("p", { class: "empty" }, words.empty), add) };
  }
  /** @type {Record<string, unknown> | null} */
  let draft = readDraft(query.get("set"));
  /** @type {string[]} */
  let proposed = [];
  /** @type {Matrix | null} */
  let answer = null;
  /** The time in the address, to the millisecond, until the user enters another. */
  let exact = query.get("at");
  /** The key of the cell whose reason is open. */
  let open = "";
  let question = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  signal.addEventListener("abort", () => clearTimeout(timer));

  /** @param {string} name @param {[string, string][]} choices @param {string} value */
  function select(name, choices, value) {
    const control = el("select", { name }, choices.map(([key, text]) => el("option", { value: key }, text)));
    control.value = choices.some(([key]) => key === value) ? value : choices[0][0];
    return control;
  }
  const known = targets.map((target) => /** @type {[string, string]} */ ([nameOf(target), sayTarget(target)]));
  const target = select("t", named && !store.targets.has(named) ? [[named, named], ...known] : known, named);
  const versions = el("input", {
    name: "v", class: "mono", value: query.get("v") ?? "", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
  });
  const moment = select("moment", Object.entries(words.moments), query.has("revision") ? "revision" : query.has("at") ? "at" : "now");
  const at = el("input", { name: "at", type: "datetime-local", step: 60, value: wallOf(Date.parse(query.get("at") ?? "")) });
  const revision = el("input", {
    name: "revision", type: "number", min: 1, step: 1, inputmode: "numeric", value: query.get("revision") ?? "",
  });
  const seen = select("seen", [["", words.fresh], ["1", words.seen]], query.get("seen") ?? "");
  const feed = select("feed", Object.entries(words.feeds), query.get("feed") ?? "both");

  const versionsField = field(versions, { label: words.versions, hint: words.versionsHint });
  versionsField.element.classList.add("sim-versions");
  const atField = field(at, { label: words.at, hint: ownZone });
  const revisionField = field(revision, { label: words.revision });
  const chips = el("div", { class: "chips", role: "group", "aria-label": words.proposed });
  const result = el("section", { class: "sim-result", "aria-label": words.result }, skeleton());
  const form = el("form", {
    class: "filters", role: "search", "aria-label": words.form,
    on: { submit: (event) => { event.preventDefault(); ask(0); }, input: changed },
  },
    field(target, { label: words.target }).element, versionsField.element, field(moment, { label: words.moment }).element,
    atField.element, revisionField.element, field(seen, { label: words.people }).element, field(feed, { label: words.feed }).element);

  /** @param {Event} event */
  function changed(event) {
    if (event.target === target) {
      // Versions typed for one target mean nothing for another.
      versions.value = "";
      revision.value = "";
      draft = null;
      proposed = [];
      if (moment.value === "revision") moment.value = "now";
    }
    if (event.target === at) exact = null;
    if (event.target === moment && moment.value === "at" && !at.value) at.value = wallAt(serverNow(), ownZone);
    if (event.target === moment && moment.value === "revision" && !revision.value) {
      revision.value = String(store.targets.get(target.value)?.revision ?? 1);
    }
    if (event.target === feed) {
      remember();
      return paint();
    }
    ask(event.target instanceof HTMLSelectElement ? 0 : DELAY);
  }

  function paintForm() {
    atField.element.hidden = moment.value !== "at";
    revisionField.element.hidden = moment.value !== "revision";
    const time = instant();
    if (!atField.element.hidden) atField.hint(time ? saidElement(() => saidTime(time)) : ownZone);
  }

  const listed = () => versions.value.split(",").map((version) => version.trim()).filter(Boolean);

  /** The time entered; null if there is none, or if clocks skip it. */
  function instant() {
    if (exact && !Number.isNaN(Date.parse(exact))) return new Date(exact).toISOString();
    const found = at.value ? instantOf(at.value, ownZone) : null;
    return found === null ? null : new Date(found).toISOString();
  }

  /** Puts the question into the address, without a new history entry. */
  function remember() {
    const asked = new URLSearchParams({ t: target.value });
    const time = instant();
    if (listed().length > 0) asked.set("v", listed().join(","));
    if (moment.value === "at" && time) asked.set("at", time);
    if (moment.value === "revision" && revision.value) asked.set("revision", revision.value);
    if (seen.value) asked.set("seen", seen.value);
    if (feed.value !== "both") asked.set("feed", feed.value);
    if (draft) asked.set("set", JSON.stringify(draft));
    keepAddress(`#/simulate?${asked}`);
  }

  /** @param {number} delay milliseconds to wait, because the user may go on writing */
  function ask(delay) {
    paintForm();
    remember();
    clearTimeout(timer);
    timer = setTimeout(() => void look(), delay);
  }

  async function look() {
    question += 1;
    const mine = question;
    const time = instant();
    const number = Number(revision.value);
    const isPast = moment.value === "revision";
    const lacking = moment.value === "at" && !time ? atField : isPast && !(Number.isInteger(number) && number > 0) ? revisionField : null;
    const what = lacking === revisionField ? words.noRevision : at.value ? words.skipped : words.noTime;
    for (const one of [versionsField, atField, revisionField]) one.error(null);
    const [app, platform] = target.value.split("/");
    result.setAttribute("aria-busy", "true");
    try {
      if (lacking) { answer = null; show(result); return lacking.error(what); }
      const found = await simulateMany({
        app, platform, versions: listed(), seen: seen.value === "1",
        ...(moment.value === "at" && time ? { at: time } : {}), ...(isPast ? { revision: number } : {}),
        ...(draft && !isPast ? { set: draft } : {}),
      });
      if (mine !== question || signal.aborted) return;
      answer = found;
      if (found.proposed) proposed = found.versions;
      paint();
    } catch (error) {
      if (mine !== question || signal.aborted) return;
      answer = null;
      refuse(error);
    } finally {
      if (mine === question) result.removeAttribute("aria-busy");
    }
  }

  /** The command that asks the same; none for a draft, which it reads from a file. */
  const line = () => (draft ? undefined : command("simulate", ...target.value.split("/"), ...listed(),
    moment.value === "at" && `--at=${instant()}`, moment.value === "revision" && `--revision=${revision.value}`, seen.value && "--seen"));

  /** @param {unknown} error */
  function refuse(error) {
    show(chips);
    if (error instanceof api.NoAnswer) return show(result, failure(error, () => ask(0), { what: words.result, line: line() }));
    if (!(error instanceof api.APIError)) throw error;
    const { field: place = "" } = error.problem;
    const detail = sayRefusal(error.problem);
    const at = place.startsWith("/versions") ? versionsField : place === "/at" ? atField : place === "/revision" ? revisionField : null;
    // Show the error at its field if that is visible, otherwise in place of the result.
    if (at && !at.element.hidden) at.error(detail);
    show(result, at && !at.element.hidden ? null : el("p", { class: "callout", role: "alert" }, detail));
  }

  function paint() {
    paintForm();
    paintChips();
    if (!answer) return;
    show(result, summary(answer), table(answer, /** @type {Feed} */ (feed.value)), wrong(answer, /** @type {Feed} */ (feed.value)));
  }

  function paintChips() {
    const chosen = new Set(listed());
    show(chips, proposed.map((version) => el("button", {
      type: "button", class: "chip mono", "data-key": `version ${version}`, "aria-pressed": String(chosen.has(version)),
      "aria-label": words.add(version),
      on: {
        click: () => {
          const now = listed();
          versions.value = (now.includes(version) ? now.filter((one) => one !== version) : [...now, version]).join(", ");
          ask(0);
        },
      },
    }, version)));
  }

  /** @param {Matrix} found the answer to summarise */
  function summary(found) {
    const rule = leadingRule(found.gate);
    const { change } = found;
    const isPast = found.moment === "past" || found.moment === "revision";
    return [
      found.draft
        ? el("p", { class: "callout" }, words.draft, ". ", el("button", {
          type: "button", class: "button small", "data-key": "no draft", on: { click: () => { draft = null; ask(0); } },
        }, words.withoutDraft))
        : null,
      el("div", { class: "sim-head" },
        stateBadge(stateOf(found.gate)),
        el("strong", null, sayTarget(found)),
        el("span", null, words.when[found.moment](absolute(found.at), found.revision)),
        el("span", { class: "hint" }, rule ? reach(rule, found.gate) : words.noRules),
        copyButton(words.link, () => location.href, { class: "button quiet small", key: "copy link" })),
      el("dl", { class: "fact-list inline" },
        fact(words.revisionName, String(found.revision)),
        isPast && change ? [
          fact(words.change, el("a", { href: `#/history/${change.sequence}` }, words.changeOf(change.sequence))),
          fact(words.by, sayActor(change.actor)),
          change.reason ? fact(words.reason, el("span", { dir: "auto" }, change.reason)) : null,
          fact(words.since, absolute(change.at)), fact(words.until, found.until ? absolute(found.until) : words.stillInForce),
        ] : null),
      found.notes.map((note) => el("p", { class: "callout" }, sayServer(note))),
    ];
  }

  /** @param {Matrix} found @param {Feed} which */
  function table(found, which) {
    const shown = el("div", { class: "sim-table", role: "table", "aria-label": words.result });
    shown.style.setProperty("--columns", String(found.clients.length));
    show(shown,
      el("div", { class: "sim-row sim-columns", role: "row" },
        [words.version, words.meant, ...found.clients.map((client) => strings.library[client])]
          .map((text) => el("span", { role: "columnheader" }, text))),
      found.versions.flatMap((version) => {
        const cells = found.cells.filter((cell) => cell.version === version);
        const opened = cells.find((cell) => keyOf(cell) === open);
        return [
          el("div", { class: "sim-row", role: "row" },
            el("span", { class: "sim-version", role: "rowheader" }, version),
            el("span", { role: "cell" }, el("span", { class: "sim-label" }, words.meant), cells[0] ? badge(MEANT[cells[0].meant]) : null),
            cells.map((cell) => el("div", { class: "sim-box", role: "cell" },
              el("span", { class: "sim-label", "aria-hidden": "true" }, strings.library[cell.client]), cellButton(cell, which)))),
          opened ? el("div", { role: "row" }, reasonOf(opened)) : null,
        ];
      }));
    return [shown, el("p", { class: "hint" }, words.legend)];
  }

  const reasonId = uniqueId("reason");

  /** @param {Cell} cell @param {Feed} which */
  function cellButton(cell, which) {
    const isBoth = which === "both" && cell.static.outcome !== cell.targeted.outcome;
    const view = which === "version" ? cell.targeted : cell.static;
    const isOpen = keyOf(cell) === open;
    return el("button", {
      type: "button", class: "sim-cell", "data-key": keyOf(cell), "data-deviation": view.deviation,
      "aria-expanded": String(isOpen), "aria-controls": isOpen ? reasonId : null,
      on: { click: () => { open = isOpen ? "" : keyOf(cell); paint(); } },
    },
      el("span", { class: "visually-hidden" }, `${words.cell(strings.library[cell.client], cell.version)}: `),
      el("span", { class: "sim-view" }, badge(view.outcome), isBoth ? el("small", null, words.everybody) : null),
      isBoth ? el("span", { class: "sim-view" }, badge(cell.targeted.outcome), el("small", null, words.asked)) : null,
      view.deviation ? el("span", { class: "sim-mark" }, icon("warning"), words.differs) : null);
  }

  /** @param {Cell} cell */
  function reasonOf(cell) {
    const alike = cell.static.outcome === cell.targeted.outcome && cell.static.detail === cell.targeted.detail;
    // The close button has the same key as the cell that opens it, so that the focus returns there.
    return el("div", { class: "sim-reason", id: reasonId, role: "cell" },
      el("h2", null, words.cell(strings.library[cell.client], cell.version)),
      el("p", null, `${words.meant}: `, badge(MEANT[cell.meant])),
      cell.why ? el("p", null, el("strong", null, `${words.wrong}. `), cell.why) : null,
      cell.cure ? el("p", null, cell.cure) : null,
      said(words.feedEverybody, cell.static),
      alike ? null : said(words.feedAsked, cell.targeted),
      cell.hidden.length > 0
        ? el("ul", null, cell.hidden.map(({ rule, detail }) =>
          el("li", null, el("strong", null, `${words.notShown} ${strings.rule[rule] ?? rule}.`), ` ${detail}`)))
        : null,
      el("div", { class: "actions" }, el("button", {
        type: "button", class: "button small", "data-key": keyOf(cell), on: { click: () => { open = ""; paint(); } },
      }, words.closeReason)));
  }

  let revisionShown = store.targets.get(target.value)?.revision;
  const follow = () => {
    revisionShown = store.targets.get(target.value)?.revision;
    // Answers about the past do not change.
    if (answer?.moment === "now" || answer?.moment === "future") ask(DELAY);
  };
  store.on("schedule", follow, signal);
  store.on("targets", () => { if (store.targets.get(target.value)?.revision !== revisionShown) follow(); }, signal);
  paintForm();
  void look();
  return {
    title: words.title,
    element: el("div", { class: "simulate" }, head, el("p", { class: "hint" }, words.lead), form, chips, result),
  };
}

/** @param {Cell} cell */
const keyOf = (cell) => `cell ${cell.version} ${cell.client}`;

/** @param {View["outcome"]} outcome */
const badge = (outcome) => stateBadge(STATE[outcome], undefined, [words.outcome[outcome], ""]);

/** @param {string} name of the feed @param {View} view */
function said(name, view) {
  return el("div", null,
    el("p", null, el("strong", null, `${name}: `), badge(view.outcome), ` ${view.detail}`),
    view.message
      ? el("blockquote", { class: "said", dir: "auto" }, view.title ? `${view.title}: ` : null, view.message)
      : null,
    view.buttons.length > 0 ? el("p", { class: "hint" }, view.buttons.map((text) => `[${text}]`).join(" ")) : null);
}

/**
 * Lists what is not shown as intended, library by library, with the versions that share a reason together.
 * @param {Matrix} found
 * @param {Feed} which
 */
function wrong(found, which) {
  /** @type {Map<string, Cell[]>} */
  const groups = new Map();
  for (const cell of found.cells) {
    const { deviation } = which === "version" ? cell.targeted : cell.static;
    if (!deviation) continue;
    const kind = JSON.stringify([cell.client, deviation, cell.meant, cell.targeted.deviation, (cell.why ?? "").split(/\d/)[0]]);
    groups.set(kind, [...(groups.get(kind) ?? []), cell]);
  }
  if (groups.size === 0) return el("p", null, words.allMeant);
  return el("section", { class: "sim-wrong" },
    el("h2", null, words.wrong),
    el("ul", null, [...groups.values()].map((cells) => {
      const [first] = cells;
      const { deviation } = which === "version" ? first.targeted : first.static;
      return el("li", deviation ? { "data-deviation": deviation } : null,
        el("p", null, el("strong", null, strings.library[first.client]), ` ${words.versionsAlike(cells.map((cell) => cell.version))}: `,
          deviation ? words.deviation[deviation] : null, "."),
        first.why ? el("p", null, first.why) : null, first.cure ? el("p", null, first.cure) : null);
    })));
}

/**
 * The draft in an address; null if there is none or it cannot be read.
 * @param {string | null} text
 * @returns {Record<string, unknown> | null}
 */
function readDraft(text) {
  if (!text) return null;
  try {
    const draft = JSON.parse(text);
    return draft !== null && typeof draft === "object" && !Array.isArray(draft) ? draft : null;
  } catch {
    // Perhaps the address was cut short. Then the gate in force is shown, and the answer says so.
    return null;
  }
}

/** @param {number} instant NaN if the address has none @returns {string} as a time input writes it */
const wallOf = (instant) => (Number.isNaN(instant) ? "" : wallAt(instant, ownZone));
