// @ts-check
/**
 * `#/schedule/new`: a change for a span of time; with `?w=12` in the place of a window that waits, with `?copy=12` once more. Which
 * instants are meant, and what they would do, is the server's word.
 */
import * as api from "../api.js";
import { editWindow, makeWindow, planEdit, planWindow, window as readWindow } from "../api-schedule.js";
import { sayActor, sayTarget, sayTargets } from "../describe.js";
import { el, show } from "../dom.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { newWindowStrings } from "../strings/new-window.js";
import { scheduleStrings } from "../strings/schedule.js";
import { strings } from "../strings/shared.js";
import { targetStrings } from "../strings/target.js";
import { ownZone, saidZoned } from "../time.js";
import { messageChips } from "../components/block-dialog.js";
import { confirmation } from "../components/confirmation.js";
import { stateOf } from "../components/day-strip.js";
import { draftAt, forgetDraft, putDraft } from "../components/drafts.js";
import { effectsView } from "../components/effects-view.js";
import { failure } from "../components/failure.js";
import { field } from "../components/field.js";
import { phonePreview } from "../components/phone-preview.js";
import { differenceTable, omittedNote, warningList } from "../components/plan-view.js";
import { requestKeys } from "../components/request-keys.js";
import { targetsField } from "../components/targets-field.js";
import { windowLine } from "../components/window-line.js";
import { windowStrip } from "../components/window-strip.js";
import { zoneField } from "../components/zone-field.js";
import { zonedField } from "../components/zoned-field.js";
import { ACTIONS, draftOf, isEditable, nextOf, presets } from "../window-draft.js";
import { instantOf } from "../zones.js";

const PLAN_DELAY = 300;
const LONGEST = 500;
const MINUTE = 60_000;
/** A block of more minutes than these is said more loudly. */
const LONG = 12 * 60;

/** @typedef {import("../api-schedule.js").Window} Window */
/** @typedef {import("../window-draft.js").Draft} Draft */

/** @param {import("../app.js").ViewContext} context */
export function newWindowView({ query, signal }) {
  const id = query.get("w") ?? query.get("copy");
  const name = query.has("w") ? newWindowStrings.editTitle(id ?? "") : newWindowStrings.title;
  const body = el("div");

  async function fill() {
    const mine = [...store.targets.values()].filter((target) => store.may("operator", target.app));
    if (mine.length === 0) return show(body, el("p", { class: "callout" }, strings.dialog.roleNeeded("operator")));
    try {
      const named = id === null ? null : store.windows.find((window) => String(window.id) === id) ?? await readWindow(id);
      if (!signal.aborted) show(body, formFor(mine, named));
    } catch (error) {
      if (!signal.aborted) show(body, failure(error, () => void fill()));
    }
  }

  /** @param {import("../api.js").Target[]} mine @param {Window | null} named */
  function formFor(mine, named) {
    // Each address has its draft, and each state of a window: what was written against another would overwrite it unread.
    const key = `window ${query} ${named?.revision ?? ""}`;
    const afresh = () => { forgetDraft(key); void fill(); };
    const kept = draftAt(key);
    if (!named) {
      const targets = (query.get("t") ?? "").split(",").filter(Boolean);
      return editor(mine, { targets, action: query.get("do") ?? "" }, { key, kept, afresh, signal });
    }
    const draft = draftOf(named);
    // What the form cannot say it must not replace.
    if (!draft || (query.has("w") && !isEditable(named))) return el("p", { class: "callout" }, newWindowStrings.notHere(String(named.id)));
    if (query.has("w")) return editor(mine, draft, { old: named, key, kept, afresh, signal });
    const next = nextOf(draft);
    const day = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeZone: "UTC" }).format(new Date(`${next.start}Z`));
    return editor(mine, next, { note: newWindowStrings.copied(named.id, day), key, kept, afresh, signal });
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

/**
 * Whether what was refused is the window itself, as it was seen.
 * @param {unknown} error
 */
const isOvertaken = (error) => error instanceof api.APIError && error.status === 412 && error.problem.field === "/revision";

/** @param {Window} window */
const lastActor = (window) => window.events[window.events.length - 1]?.actor ?? window.actor;

/**
 * @param {import("../api.js").Target[]} targets
 * @param {Partial<Draft>} fresh
 * @param {{ old?: Window, note?: string, key: string, kept?: Partial<Draft>, afresh: () => void, signal: AbortSignal }} options
 *   `old`: the window that the new one takes the place of; `kept`: what was written here before, under its key
 */
function editor(targets, fresh, { old, note, key, kept, afresh, signal }) {
  const draft = { ...fresh, ...kept };
  const chosen = targetsField(targets, draft.targets ?? [], () => edited());
  const action = field(
    el("select", { name: "action" }, Object.entries(newWindowStrings.actions).map(([value, text]) => el("option", { value }, text))),
    { label: newWindowStrings.action },
  );
  if (ACTIONS[draft.action ?? ""]) action.control.value = draft.action ?? "";
  const version = field(
    el("input", {
      name: "version", autocomplete: "off", autocapitalize: "none", spellcheck: "false", class: "mono", value: draft.version ?? "",
    }),
    { label: newWindowStrings.version },
  );
  const text = el("textarea", { name: "message", rows: 3, dir: "auto", required: true, value: draft.message ?? "" });
  const message = field(text, { label: dialogStrings.block.message, counter: LONGEST, after: [messageChips(text)] });
  const zone = zoneField(draft.zone ?? ownZone);
  const ending = field(
    el("select", { name: "ending" }, Object.entries(newWindowStrings.endings).map(([value, text]) => el("option", { value }, text))),
    { label: newWindowStrings.ending },
  );
  const zoneName = () => zone.value() ?? "UTC";
  const start = zonedField(newWindowStrings.start, zoneName, () => edited());
  const end = zonedField(newWindowStrings.end, zoneName, () => edited());
  ending.control.value = draft.ending ?? "open";
  start.write(draft.start ?? "");
  end.write(draft.end ?? "");
  const chips = el("div", { class: "chips", role: "group", "aria-label": newWindowStrings.presets });
  const strip = windowStrip();
  const length = el("p", { class: "window-length", role: "status" });
  const shownOn = field(el("select", null), { label: newWindowStrings.shownOn });
  const phone = el("div");
  const news = el("div", { class: "window-news", role: "status" });
  const planArea = el("div", { class: "dialog-plan" });
  const asked = confirmation();
  asked.fields.reason.control.value = draft.reason ?? "";
  const problem = el("div", { class: "problem", role: "alert" });
  const go = el("button", { type: "submit", class: "button primary" });
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let question = 0;
  let busy = false;
  const keyFor = requestKeys();

  /** @type {{ of: string, stop: AbortController, preview: import("../components/phone-preview.js").Preview } | null} */
  let shown = null;

  function paint() {
    version.element.hidden = !ACTIONS[action.control.value].version;
    end.element.hidden = ending.control.value === "none";
    if (!busy) go.textContent = (old ? newWindowStrings.save : newWindowStrings.make)(sayTargets(chosen.value()), store.environment);
    paintTimes();
    paintPhone();
  }

  function paintTimes() {
    const name = zone.value();
    const offered = name ? presets(name) : [];
    if ([...chips.children].map((chip) => chip.textContent).join() !== offered.map((preset) => preset.name).join()) {
      show(chips, offered.map((preset, index) => el("button", {
        type: "button", class: "chip", "data-key": `preset ${index}`,
        on: {
          click: () => {
            // Alike in words, they are other days in another zone, and after midnight.
            const now = presets(zoneName())[index];
            start.write(now.start);
            end.write(now.end);
            if (ending.control.value === "none") ending.control.value = "open";
            edited();
          },
        },
      }, preset.name)));
    }
    const endless = ending.control.value === "none";
    const [from, to] = [start, end].map((time) => {
      const asked = time.value();
      return name && asked ? instantOf(asked.wallTime, name, asked.fold) : null;
    });
    zone.say(from, endless ? null : to);
    strip.show(from, endless ? null : to ?? from, zoneName(), stateOf({ set: { [ACTIONS[action.control.value].rule]: {} } }));
    sayLength(from, to, endless);
  }

  /** @param {number | null} from @param {number | null} to @param {boolean} endless */
  function sayLength(from, to, endless) {
    const isBlock = action.control.value === "kill";
    const minutes = from === null || to === null || endless ? null : Math.round((to - from) / MINUTE);
    const said = minutes === null ? "" : newWindowStrings.length(minutes);
    const isLong = isBlock && from !== null && (endless || (minutes ?? 0) > LONG);
    const told = minutes !== null && minutes <= 0
      ? newWindowStrings.backwards
      : isLong ? (endless ? newWindowStrings.endless : newWindowStrings.long(said)) : said;
    length.classList.toggle("callout", isLong);
    if (length.textContent !== told) length.textContent = told;
  }

  function paintPhone() {
    const mine = chosen.value();
    const names = mine.map(nameOf);
    if ([...shownOn.control.querySelectorAll("option")].map((option) => option.value).join() !== names.join()) {
      const before = shownOn.control.value;
      show(shownOn.control, mine.map((target) => el("option", { value: nameOf(target) }, sayTarget(target))));
      if (names.includes(before)) shownOn.control.value = before;
    }
    shownOn.element.hidden = mine.length < 2;
    const target = mine.find((one) => nameOf(one) === shownOn.control.value);
    if (shown?.of !== (target && nameOf(target))) {
      shown?.stop.abort();
      shown = null;
      show(phone, target ? null : el("p", { class: "hint" }, targetStrings.preview.incomplete));
    }
    if (!target) return;
    if (!shown) {
      const stop = new AbortController();
      shown = { of: nameOf(target), stop, preview: phonePreview(target, stop.signal, { folded: true }) };
      show(phone, shown.preview.element);
    }
    shown.preview.show(target, rules());
  }

  /** @returns {Record<string, object> | null} null while something of it is missing */
  function rules() {
    const { rule, version: member } = ACTIONS[action.control.value];
    const written = message.control.value.trim();
    if (written === "" || (member && version.control.value.trim() === "")) return null;
    return {
      [rule]: {
        message: written, ...(member ? { [member]: version.control.value.trim() } : {}), ...(rule === "alert" ? { blocking: false } : {}),
      },
    };
  }

  /** @returns {object | null} null while something is missing */
  function compose() {
    const set = rules();
    const from = start.value();
    const to = ending.control.value === "none" ? null : end.value();
    if (!set || !from || (ending.control.value !== "none" && !to) || !zone.value() || chosen.missing()) return null;
    return {
      targets: chosen.value().map(({ app, platform, revision }) => ({ app, platform, revision })), set, start: from,
      ...(to ? { end: to, then: ending.control.value } : {}),
    };
  }

  function edited() {
    putDraft(key, {
      targets: chosen.value().map(nameOf), action: action.control.value, version: version.control.value, message: message.control.value,
      zone: zone.field.control.value, start: start.read(), end: end.read(), ending: ending.control.value,
      reason: asked.fields.reason.control.value,
    });
    paint();
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), PLAN_DELAY);
  }

  /** @param {unknown} [refusal] of what has just been sent, which stays said beside the new plan */
  async function ask(refusal) {
    clearTimeout(timer);
    const wanted = compose();
    question += 1;
    const mine = question;
    if (!wanted) return show(planArea);
    try {
      const outcome = await (old ? planEdit(old.id, { ...wanted, revision: old.revision }) : planWindow(wanted));
      if (mine !== question || signal.aborted || !outcome.plan) return;
      problem.textContent = "";
      start.say(saidZoned(outcome.window.start));
      end.say(outcome.window.end ? saidZoned(outcome.window.end) : "");
      showPlan(outcome.plan);
      if (refusal) say(refusal);
    } catch (error) {
      if (mine !== question || signal.aborted) return;
      show(planArea);
      if (isOvertaken(error)) return void lookAgain();
      say(error);
    }
  }

  /**
   * Somebody has changed the window that is edited: what it is now is shown, and the plan is asked for against that.
   * @returns {Promise<void>}
   */
  async function lookAgain() {
    if (!old) return;
    try {
      const [current] = await Promise.all([readWindow(String(old.id)), store.reloadWindows()]);
      if (signal.aborted) return;
      const isOver = !isEditable(current);
      old = current;
      asked.reset();
      show(news, el("div", { class: "callout" },
        el("p", null, (isOver ? newWindowStrings.overtakenBy : newWindowStrings.changedBy)(sayActor(lastActor(current)))),
        windowLine(current)));
      news.scrollIntoView({ block: "nearest" });
      if (!isOver) await ask();
    } catch (error) {
      if (!signal.aborted) say(error);
    }
  }

  /** @param {import("../api.js").Plan} plan */
  function showPlan(plan) {
    asked.apply(plan);
    go.className = `button ${plan.tier >= 2 ? "restrict" : "primary"}`;
    show(planArea,
      el("h2", null, strings.dialog.changes),
      effectsView(plan),
      differenceTable(plan.diff, { caption: strings.dialog.changes, targets: chosen.value().length > 1 }),
      omittedNote(plan),
      warningList(plan.warnings));
  }

  /** @param {unknown} error */
  function say(error) {
    if (error instanceof api.NoAnswer) { problem.textContent = scheduleStrings.uncertain; return; }
    if (!(error instanceof api.APIError)) throw error;
    const { field: at = "", detail, choices, requestId } = error.problem;
    if (at.startsWith("/start")) start.refuse(detail, choices ?? []);
    else if (at.startsWith("/end")) end.refuse(detail, choices ?? []);
    else if (at.endsWith("/message")) message.error(detail);
    else if (/Version$/.test(at)) version.error(detail);
    else problem.textContent = strings.dialog.refused(detail, requestId);
  }

  /**
   * The plan that was on the screen is not what came of it.
   * @param {unknown} error
   */
  function refuse(error) {
    show(planArea);
    if (isOvertaken(error)) return void lookAgain();
    say(error);
    if (!(error instanceof api.APIError)) return;
    if (error.problem.current) store.put([error.problem.current]);
    if (error.problem.plan) showPlan(error.problem.plan);
    else void ask(error);
  }

  /**
   * Says what is missing, first things first.
   * @returns {HTMLElement | null} where to go
   */
  function missing() {
    /** @type {[boolean, { error: (text: string) => void, control: HTMLElement }, string][]} */
    const needs = [
      [chosen.missing(), chosen, newWindowStrings.targetsMissing],
      [!version.element.hidden && version.control.value.trim() === "", version, targetStrings.ruleDialog.versionMissing],
      [message.control.value.trim() === "", message, dialogStrings.block.messageMissing],
      [start.value() === null, start.field, newWindowStrings.startMissing],
      [!end.element.hidden && end.value() === null, end.field, newWindowStrings.endMissing],
      [zone.value() === null, zone.field, newWindowStrings.zoneUnknown],
    ];
    const lacking = needs.filter(([lacks]) => lacks);
    for (const [, where, text] of lacking) where.error(text);
    const first = [...lacking.map(([, where]) => where), ...asked.missing()][0];
    return first?.control ?? null;
  }

  async function submit() {
    if (busy) return;
    const where = missing();
    if (where) return where.focus();
    busy = true;
    // What is sent now needs no plan any more, and one that came later would be of another state.
    clearTimeout(timer);
    question += 1;
    go.textContent = newWindowStrings.making;
    const write = { ...compose(), ...asked.values() };
    try {
      if (old) await editWindow(old.id, { ...write, revision: old.revision }, keyFor({ ...write, revision: old.revision }));
      else await makeWindow(write, keyFor(write));
      forgetDraft(key);
      await store.reloadWindows();
      location.hash = "#/schedule";
    } catch (error) {
      refuse(error);
    } finally {
      busy = false;
      paint();
    }
  }

  signal.addEventListener("abort", () => shown?.stop.abort());
  paint();
  void ask();
  return el("form", {
    class: "planner", novalidate: true,
    on: { submit: (event) => { event.preventDefault(); void submit(); }, input: edited },
  },
    el("div", { class: "stack" },
      old ? el("p", { class: "callout" }, newWindowStrings.replaces(old.id)) : null,
      news,
      kept ? el("div", { class: "callout actions" }, newWindowStrings.kept,
        el("button", { type: "button", class: "button small", on: { click: afresh } }, newWindowStrings.afresh)) : null,
      note && !kept ? el("p", { class: "callout" }, note) : null,
      chosen.element, el("div", { class: "two" }, action.element, version.element), message.element,
      el("fieldset", null,
        el("legend", null, newWindowStrings.when),
        chips, el("div", { class: "two" }, start.element, end.element), el("div", { class: "two" }, zone.element, ending.element),
        strip.element, length)),
    el("aside", { class: "planner-side", "aria-label": newWindowStrings.preview },
      // On a phone it is one tap away.
      el("details", { open: !matchMedia("(max-width: 640px)").matches },
        el("summary", null, el("h2", null, newWindowStrings.preview)), shownOn.element, phone)),
    el("div", { class: "stack" }, planArea, asked.element, problem, el("div", { class: "actions" }, go)));
}
