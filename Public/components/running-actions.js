// @ts-check
/** Actions for a running window: end it now, extend it, or keep what it did. Each shows its plan and asks first. */
import { editWindow, planEdit } from "../api-schedule.js";
import { el, show } from "../dom.js";
import { alteredIn, isSelf, lastActor, RULES, sayAltered, sayTargets } from "../gate.js";
import { sayRefusal } from "../server-words.js";
import { afterwards, nameOf, store } from "../store.js";
import { newWindowStrings } from "../strings/new-window.js";
import { scheduleStrings } from "../strings/schedule.js";
import { inEnvironment } from "../strings/shared.js";
import { saidMoment } from "../time.js";
import { instantOf, wallAt } from "../zones.js";
import { mayChange } from "./cancel-dialog.js";
import { openPlanDialog } from "./plan-dialog.js";
import { plannedBodies } from "./planned-bodies.js";
import { unnamedTargets } from "./target-list.js";
import { lookingAgain, windowRun } from "./window-run.js";
import { zonedField } from "./zoned-field.js";

/** @typedef {import("../api-schedule.js").Window} Window */
/** @typedef {import("../api-schedule.js").ZonedTime} ZonedTime */

const MINUTE = 60_000;
/** Minutes to extend by; the first one is preset. */
const LONGER = [60, 30, 120];
const words = scheduleStrings.ongoing;
/**
 * A dialog's name, with the environment that it acts in.
 * @param {string} name
 */
const here = (name) => inEnvironment(name, store.environment);

/**
 * The buttons, or what to know where there are none because the window is about other people's apps, too.
 * @param {Window} window
 */
export function runningActions(window) {
  const { end, omitted } = window;
  if (!end) return [];
  if (!mayChange(window)) return omitted ? [el("p", { class: "hint" }, scheduleStrings.omitted(omitted, store.covers(null)))] : [];
  const { targets, isBlock, isAny } = heldBy(window);
  /** @param {string} key @param {string} name @param {(window: Window, end: ZonedTime) => unknown} open */
  const button = (key, name, open) => el("button", {
    type: "button", class: "button small", "data-key": `${key} ${window.id}`, on: { click: () => void open(window, end) },
  }, words.more(name));
  const about = /** @type {const} */ ([targets, saidMoment(end)]);
  return [
    button("end", words.end(...about, isBlock), openEndDialog),
    button("extend", words.extend(...about), openExtendDialog),
    // What people have changed stays in any case.
    isAny ? button("keep", words.keep(...about, isBlock), openKeepDialog) : null,
  ];
}

/** @param {Window["set"]} set @param {string[]} rules */
const isBlocking = (set, rules) => rules.some((rule) =>
  set[rule] && (rule === "killSwitch" || rule === "forceUpdate" || set[rule]?.blocking));

/**
 * What becomes of it at its end. Only a window that keeps people out opens then: of any other one, nobody is waiting to get in.
 * @param {Window} window
 */
export function sayThen(window) {
  const put = RULES.filter((rule) => window.set[rule]);
  return scheduleStrings.thenSaid(window.then, isBlocking(window.set, put) ? [] : put, sayAltered(window) !== "");
}

/**
 * The targets on which something is still as the window has put it, so that its end will do something there; all of its targets if there
 * are none.
 * @param {Window} window
 * @returns {{ targets: string, list: HTMLElement | null, isBlock: boolean, isAny: boolean }} `list`: their names, if `targets` only
 *   counts them; `isBlock`: on each of them that keeps people out
 */
function heldBy(window) {
  const { set, targets } = window;
  const altered = alteredIn(window);
  const held = targets.map((target) => ({
    target, rules: Object.keys(set).filter((rule) =>
      target.expected?.[rule] !== undefined && !altered.some((part) => part.target === target && part.rules.includes(rule))),
  })).filter(({ rules }) => rules.length > 0);
  const isAny = held.length > 0;
  const all = isAny ? held.map(({ target }) => target) : targets;
  return {
    targets: sayTargets(all), list: unnamedTargets(all, { key: "held" }), isAny,
    isBlock: isAny && held.every(({ rules }) => isBlocking(set, rules)),
  };
}

/**
 * The plan, with a warning of what was changed by hand: the plan of an edit is about the window's time alone.
 * @param {import("../documents.js").Plan} plan @param {Window} window
 */
function warned(plan, window) {
  const said = sayAltered(window);
  return said ? { ...plan, warnings: [...plan.warnings, { code: "changed_by_hand", detail: words.altered(said), versions: [] }] } : plan;
}

/**
 * The window's newest known state; the plan shows what others have done to it meanwhile.
 * @param {Window} window
 */
const now = (window) => store.windows.find((one) => one.id === window.id) ?? window;

/**
 * The body of an edit: the running window as it is, without its end.
 * @param {Window} window
 */
function bodyOf(window) {
  const { start, set, targets, then, revision } = now(window);
  return {
    targets: targets.map(({ app, platform }) => ({ app, platform, revision: store.targets.get(nameOf({ app, platform }))?.revision })),
    set, start: { at: start.at }, then, revision,
  };
}

/** @param {Window} window */
const done = ({ targets }) => afterwards(Promise.all([store.reloadWindows(), store.refresh(targets)]));

/**
 * How a plan dialog asks for an edit and sends it: with the revisions that were planned, so that the server refuses what has moved since.
 * @param {Window} window
 * @param {() => object} compose
 * @param {(planned: Window) => void} [show] shows the window that the plan leads to
 */
function edited(window, compose, show) {
  /** @type {ReturnType<typeof plannedBodies<object>>} */
  const bodies = plannedBodies();
  return {
    /** @param {import("../api-apps.js").Terms} terms */
    async ask(terms) {
      const body = compose();
      const { plan, window: planned } = await planEdit(window.id, { ...body, ...terms });
      show?.(planned);
      return bodies.keep(plan && warned(plan, now(window)), body);
    },
    /** @param {import("../api-apps.js").Terms} terms @param {import("./plan-dialog.js").Sending} sending */
    async send(terms, { keyFor, plan }) {
      const body = { ...bodies.of(plan), ...terms };
      await lookingAgain(() => editWindow(window.id, body, keyFor(body)));
      await done(window);
    },
  };
}

/** @param {Window} window @param {ZonedTime} end */
function openEndDialog(window, end) {
  const { targets, list, isBlock } = heldBy(window);
  const text = el("span");
  const run = windowRun(window, { step: "end" }, () => done(window));
  return openPlanDialog({
    title: here(words.end(targets, saidMoment(end), isBlock)), working: words.working, text, about: list, window, ...run,
    ask(terms) {
      text.textContent = words.endText(saidMoment(end), sayThen(now(window)));
      return run.ask(terms);
    },
  });
}

/** @param {Window} window @param {ZonedTime} end */
function openKeepDialog(window, end) {
  const { targets, isBlock } = heldBy(window);
  const text = el("span");
  const about = el("div", { hidden: true });
  const edit = edited(window, () => bodyOf(window));
  return openPlanDialog({
    title: here(words.keep(targets, saidMoment(end), isBlock)), working: words.working, text, about, window, ...edit,
    ask(terms) {
      const held = heldBy(now(window));
      text.textContent = held.isAny ? words.keepText(held.targets, saidMoment(end), held.isBlock) : words.keepNothing;
      show(about, held.isAny ? held.list : null);
      about.hidden = about.childElementCount === 0;
      return edit.ask(terms);
    },
  });
}

/** @param {Window} window @param {ZonedTime} end */
function openExtendDialog(window, end) {
  const { targets, list } = heldBy(window);
  const said = el("p", { role: "status" });
  const time = zonedField(`${words.newEnd} (${end.zone})`, () => end.zone, () => said.dispatchEvent(new Event("input", { bubbles: true })));
  /** The end to count from: the one that was shown, or the one to which somebody else has moved it since. */
  let from = end;
  /** @param {number} minutes */
  const add = (minutes) => time.write(wallAt(Date.parse(from.at) + minutes * MINUTE, end.zone));
  add(LONGER[0]);
  const chips = el("div", { class: "chips", role: "group", "aria-label": words.add }, [...LONGER].sort((one, other) => one - other)
    .map((minutes) => el("button", {
      type: "button", class: "chip", on: {
        click: () => { add(minutes); time.field.control.dispatchEvent(new Event("input", { bubbles: true })); },
      },
    }, words.longer(newWindowStrings.length(minutes)))));
  /** The instant of the new end; null if none is entered or clocks skip it. */
  function instant() {
    const asked = time.value();
    return asked ? instantOf(asked.wallTime, end.zone, asked.fold) : null;
  }
  return openPlanDialog({
    title: here(words.extend(targets, saidMoment(end))), working: words.working, about: list,
    name: () => {
      const at = instant();
      if (at === null) return here(words.extend(targets, saidMoment(end)));
      return here(words.extendTo(targets, saidMoment({ ...end, at: new Date(at).toISOString() })));
    },
    edit: {
      element: el("div", { class: "stack" }, time.element, chips, said),
      missing() {
        if (time.value()) return null;
        time.field.error(newWindowStrings.endMissing);
        return time.field.control;
      },
      refused(refusal) {
        if (!refusal.field?.startsWith("/end")) return false;
        time.refuse(sayRefusal(refusal, end.zone), refusal.choices ?? []);
        return true;
      },
    },
    window,
    ...edited(window, () => ({ ...bodyOf(window), end: time.value() }), (planned) => {
      if (!planned.end) return;
      const present = now(window);
      if (present.end && !isSelf(lastActor(present))) from = present.end;
      const minutes = Math.round((Date.parse(planned.end.at) - Date.parse(from.at)) / MINUTE);
      const length = (minutes < 0 ? words.shorter : words.longer)(newWindowStrings.length(Math.abs(minutes)) || newWindowStrings.none);
      time.say(planned.end);
      said.textContent = words.extendText(saidMoment(from), saidMoment(planned.end), length);
    }),
  });
}
