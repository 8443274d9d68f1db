// @ts-check
/** How targets are shown: on the overview a row per app with a cell per platform, and the parts that other screens use too. */
import { el, show, uniqueId } from "../dom.js";
import {
  changedByHand, doesText, endingOf, hasWord, leadingRule, librariesIn, messageText, openingPercent, reach, RULES, sayActor, sayAltered,
  sayLacking, sayTarget, spanOf, STATES, titleTarget, willFail,
} from "../gate.js";
import { icon, maskedBadge, stateBadge } from "../icons.js";
import { nameOf, store } from "../store.js";
import { overviewStrings, platformName, strings } from "../strings/shared.js";
import { absolute, ago, lasting, saidElement, saidMoment, saidSpan, secondsSince, serverNow, tick, within } from "../time.js";
import { askToFlip } from "./actions.js";

/** @typedef {import("../documents.js").Target} Target */
/** @typedef {import("../api-schedule.js").Window} Window */

/** Below this width, platforms are stacked instead of in columns. */
const narrow = matchMedia("(max-width: 899px)");

/** One app on the overview: its name, and a cell for each of its platforms. */
export class AppRow {
  /**
   * @param {string} app
   * @param {import("./actions.js").Picks} picks
   */
  constructor(app, picks) {
    this.app = app;
    this.picks = picks;
    /** @type {Map<string, TargetCell>} */
    this.cells = new Map();
    /** @type {string[]} the names of the targets it shows */
    this.shown = [];
    /**
     * The order of the stacked platforms on a phone: worst first when they were first seen, unchanged from then on.
     * @type {string[]}
     */
    this.standing = [];
    /** @type {HTMLInputElement} */
    this.box = el("input", {
      type: "checkbox", class: "pick-box", "data-key": `pick ${app}`,
      on: { click: () => picks.toggle(this.pickable(), this.box.checked) },
    });
    this.pick = el("label", { class: "pick" }, this.box);
    this.name = el("span", { dir: "auto" });
    this.list = el("div", { class: "app-cells" });
    this.element = el("li", { class: "app-row" },
      el("div", { class: "app-head" }, this.pick, el("h2", { class: "app-name" }, this.name, " ", el("code", null, app))),
      this.list);
  }

  pickable() {
    return store.may("operator", this.app) ? this.shown : [];
  }

  /**
   * @param {Target[]} targets those to show
   * @param {(platform: string) => number} columnOf a platform's column on a wide screen, from 1; 0 for any free place
   */
  update(targets, columnOf) {
    this.name.textContent = store.appName(this.app);
    if (narrow.matches) targets = this.#worstFirst(targets);
    this.shown = targets.map(nameOf);
    this.element.dataset.state = STATES.find((state) => targets.some((target) => target.state === state)) ?? "open";
    const elements = targets.map((target) => {
      const name = nameOf(target);
      let cell = this.cells.get(name);
      if (cell) cell.update(target);
      else {
        cell = new TargetCell(target, (one, range) => this.picks.press(one, range));
        this.cells.set(name, cell);
      }
      cell.element.dataset.column = String(columnOf(target.platform));
      return cell.element;
    });
    arrange(this.list, elements);
    this.showPicks();
  }

  /** @param {Target[]} targets */
  #worstFirst(targets) {
    const fresh = targets.filter((target) => !this.standing.includes(nameOf(target)));
    fresh.sort((one, other) => STATES.indexOf(one.state) - STATES.indexOf(other.state));
    this.standing.push(...fresh.map(nameOf));
    return [...targets].sort((one, other) => this.standing.indexOf(nameOf(one)) - this.standing.indexOf(nameOf(other)));
  }

  showPicks() {
    for (const [name, cell] of this.cells) cell.box.checked = this.picks.names.has(name);
    const mine = this.pickable();
    const count = mine.filter((name) => this.picks.names.has(name)).length;
    this.pick.hidden = mine.length < 2;
    this.box.checked = mine.length > 0 && count === mine.length;
    this.box.indeterminate = count > 0 && count < mine.length;
    this.box.setAttribute("aria-label", overviewStrings.pickApp(store.appName(this.app)));
  }
}

/**
 * Puts elements in order, moving only those out of place, because a moved element loses focus.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} elements
 */
export function arrange(list, elements) {
  const focused = document.activeElement;
  const wanted = new Set(elements);
  for (const child of [...list.children]) if (!wanted.has(/** @type {HTMLElement} */ (child))) child.remove();
  elements.forEach((element, index) => {
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  });
  if (focused instanceof HTMLElement && focused !== document.activeElement && list.contains(focused)) {
    focused.focus({ preventScroll: true });
  }
}

/** Seconds after which a block asks whether it is still needed. */
const LONG = 3600;
const OUTLINED_FOR = 2000;
/** The id of the one element of a screen that says, for all its controls, which role they need. */
export const ROLE_NOTE = "role-note";

/** One platform of an app on the overview. A cell lives as long as its target does, so that focus and hover survive live updates. */
class TargetCell {
  /**
   * @param {import("../documents.js").Target} target
   * @param {(name: string, range: boolean) => void} pick `range`: pick everything from the last one to this one
   */
  constructor(target, pick) {
    const name = nameOf(target);
    const titleId = uniqueId("target");
    this.app = el("span", { class: "visually-hidden" });
    this.link = el("a", { href: `#/t/${name}`, "data-row": true, "data-key": `link ${name}`, id: titleId },
      this.app, platformName(target.platform));
    this.state = el("div", { class: "row-state" });
    this.detail = el("div", { class: "row-detail" });
    this.box = el("input", {
      type: "checkbox", class: "pick-box", "data-key": `pick ${name}`, on: { click: (event) => pick(name, event.shiftKey) },
    });
    this.pick = el("label", { class: "pick" }, this.box);
    this.switch = gateSwitch({
      label: overviewStrings.killSwitch, key: `kill ${name}`, describedBy: titleId,
      press: (isOn) => { if (store.may("operator", target.app)) void askToFlip(target, isOn); },
    });
    /** @type {import("../documents.js").Target | null} */
    this.target = null;
    this.windows = store.windows;
    /** Which of its windows will fail, perhaps because of another target. */
    this.byHand = "";
    this.element = el("div", { class: "target-row", "data-target": name },
      this.pick,
      el("div", { class: "row-head" }, this.state,
        el("h3", { class: "row-title" }, this.link, el("code", { class: "visually-hidden" }, ` ${name}`))),
      this.detail, this.switch.element);
    this.update(target);
  }

  /** @param {import("../documents.js").Target} target */
  update(target) {
    const allowed = store.may("operator", target.app);
    this.pick.hidden = !allowed;
    this.box.setAttribute("aria-label", overviewStrings.pick(sayTarget(target)));
    this.switch.input.setAttribute("aria-disabled", String(!allowed));
    if (allowed) this.switch.input.removeAttribute("aria-describedby");
    else this.switch.input.setAttribute("aria-describedby", ROLE_NOTE);
    const title = titleTarget(target);
    const before = title.slice(0, title.length - platformName(target.platform).length);
    if (this.app.textContent !== before) this.app.textContent = before;
    const byHand = changedByHand(store.windowsOf(target));
    if (this.target === target && this.windows === store.windows && this.byHand === byHand) return;
    this.target = target;
    this.windows = store.windows;
    this.byHand = byHand;
    this.element.dataset.state = target.state;
    this.switch.show(Boolean(target.gate.killSwitch));
    show(this.state, stateBadge(target.state, undefined, strings.stateShort[target.state]));
    show(this.detail, details(target));
  }

  /** Highlights the cell for a moment, because somebody has changed the target. */
  flash() {
    this.element.classList.add("flash");
    setTimeout(() => this.element.classList.remove("flash"), OUTLINED_FOR);
  }
}

/** @param {import("../documents.js").Target} target */
function details(target) {
  const rule = leadingRule(target.gate);
  const change = target.lastChange;
  const facts = [];
  if (rule) facts.push(el("span", null, reach(rule, target.gate)), el("span", null, agoElement(target.since, true)));
  const until = target.gate.killSwitch?.until;
  const ending = endingOf(target);
  if (target.gate.killSwitch?.opening && until) {
    facts.push(el("strong", { class: "opening" }, openingElement(target.gate.killSwitch)), el("span", null, untilElement(until)));
  } else if (ending) facts.push(el("span", null, endingText(ending, rule === "killSwitch")));
  else if (until) facts.push(el("span", null, overviewStrings.opensItself(momentInUTC(until)), " (", untilElement(until), ")"));
  else if (target.state === "blocked") {
    const still = saidElement(() => (secondsSince(target.since) > LONG ? overviewStrings.stillNeeded : ""));
    still.className = "still";
    facts.push(still);
  }
  if (change) {
    const made = Math.abs(Date.parse(change.at) - Date.parse(target.since)) < 1000;
    if (!made || !rule) facts.push(el("span", null, overviewStrings.lastChange(""), roughElement(change.at)));
    facts.push(el("span", null, strings.by(sayActor(change.actor))));
    // Inside the fact, whose dot stays before it.
    if (change.reason && rule) facts.push(el("span", null, el("bdi", { title: change.reason }, change.reason)));
  }
  const others = RULES.filter((other) => other !== rule && target.gate[other]);
  const said = rule ? messageText(target.gate[rule]?.message) : "";
  return [
    maskedLine(target),
    // The full text is on the target's page; here it must not push the next app out of sight.
    said ? el("blockquote", { class: "said", dir: "auto", title: said }, said) : null,
    facts.length > 0 ? el("p", { class: "facts" }, facts) : null,
    others.length > 0
      ? el("p", { class: "facts" },
        el("span", null, `${overviewStrings.alsoSet} `,
          others.map((other) => `${strings.rule[other]} – ${reach(other, target.gate)}`).join(" · ")))
      : null,
    store.windowsOf(target).map((window) => windowLine(window, false, target)),
  ];
}

/**
 * Says which libraries in the app never show the leading rule; null if all do.
 * @param {Target} target
 */
function maskedLine(target) {
  const rule = leadingRule(target.gate);
  const blind = rule ? librariesIn(target).filter((library) => !hasWord(library, rule)) : [];
  if (blind.length === 0) return null;
  const never = strings.masking.never(blind.map((library) => strings.library[library]));
  return el("p", { class: "masked-line" }, maskedBadge(), el("span", null, never));
}

/**
 * A switch that shows the live state. Pressing it does not move it but asks for the change; only a later `show` moves it.
 * Its label never changes with its state.
 * @param {{ label: string, drawing?: import("../icons.js").Icon, key: string, describedBy?: string,
 *   press: (isOn: boolean) => void }} options `key` finds it again after a live update; `describedBy` is the element that says which target
 *   it belongs to; `press` is told what the switch showed
 */
export function gateSwitch({ label, drawing, key, describedBy, press }) {
  const id = uniqueId("switch");
  let isOn = false;
  const word = el("span", { class: "switch-word", "aria-hidden": "true" });
  const input = el("input", {
    type: "checkbox", role: "switch", id, class: "switch", "data-key": key,
    "aria-labelledby": `${id}-label${describedBy ? ` ${describedBy}` : ""}`,
    on: {
      // Preventing the click keeps the box in the live state.
      click: (event) => { event.preventDefault(); press(isOn); },
    },
  });
  const element = el("label", { class: "switch-row", for: id },
    el("span", { id: `${id}-label`, class: "switch-label" }, drawing ? icon(drawing) : null, label),
    input, word);
  return {
    element,
    input,
    /** @param {boolean} on */
    show(on) {
      isOn = on;
      input.checked = on;
      word.textContent = on ? strings.on : strings.off;
    },
  };
}

/**
 * `<gh-ago time="…">`: how long ago, kept up to date while shown; the absolute time is its title.
 * `lasting` says "14 min" in place of "14 min ago", `until` says "in 14 min", `rough` leaves out minutes from an hour on.
 */
class Ago extends HTMLElement {
  #stop = new AbortController();

  connectedCallback() {
    const time = this.getAttribute("time") ?? "";
    const element = el("time", { datetime: time, title: absolute(time) });
    const write = () => {
      const text = this.hasAttribute("until") ? within(time) : this.hasAttribute("lasting")
        ? lasting(time)
        : ago(time, this.hasAttribute("rough"));
      if (element.textContent !== text) element.textContent = text;
    };
    write();
    this.replaceChildren(element);
    this.#stop = new AbortController();
    tick(write, this.#stop.signal);
  }

  disconnectedCallback() {
    this.#stop.abort();
  }
}
customElements.define("gh-ago", Ago);

/** @param {string} time @param {boolean} [lasting] */
export function agoElement(time, lasting = false) {
  const element = document.createElement("gh-ago");
  element.setAttribute("time", time);
  element.toggleAttribute("lasting", lasting);
  return element;
}

/**
 * `3 h ago`, where there is little room.
 * @param {string} time
 */
function roughElement(time) {
  const element = agoElement(time);
  element.setAttribute("rough", "");
  return element;
}

/**
 * `in 27 min`, counted down while shown.
 * @param {string} time
 */
function untilElement(time) {
  const element = document.createElement("gh-ago");
  element.setAttribute("time", time);
  element.setAttribute("until", "");
  return element;
}

/** @param {string} at */
const momentInUTC = (at) => saidMoment({ at, zone: "UTC" });

/** @param {import("../documents.js").Rule} rule a kill switch that is lifted gradually: `opening, 34 %, until 14:32 UTC` */
export const openingElement = (rule) =>
  saidElement(() => strings.opening(openingPercent(rule, serverNow()) ?? 0, momentInUTC(rule.until ?? "")));

// Windows of the schedule

/**
 * `opens by itself 22:48 Berlin (in 45 min)`
 * @param {NonNullable<ReturnType<typeof endingOf>>} ending
 * @param {boolean} isBlock
 */
export const endingText = ({ end, opens }, isBlock) => [
  (opens ? (isBlock ? strings.window.opensItself : strings.window.endsItself) : strings.window.goesBack)(saidMoment(end)),
  " (", untilElement(end.at), ")",
];

/**
 * A window in one line: when, what, and how far off the next step is.
 * @param {Window} window
 * @param {boolean} [isNamed] its state is already shown above
 * @param {{ app: string, platform: string }} [here] the only target that it is told of
 */
export function windowLine(window, isNamed = false, here = undefined) {
  const { start, end } = spanOf(window);
  const fails = willFail(window);
  const does = doesText(window.set);
  const lacking = sayLacking(window, here);
  const altered = sayAltered(window, here);
  const isPart = lacking !== "" && window.state === "running";
  const isOff = fails || isPart || altered !== "";
  return el("p", { class: "window-line", "data-window": window.state, "data-fails": isOff },
    isNamed ? null : icon(isOff ? "warning" : window.state), el("span", null,
      !isNamed && ["missed", "failed", "running"].includes(window.state)
        ? [el("strong", null, isPart ? strings.window.inPart : strings.window.state[window.state]), " "]
        : null,
      // Only what people have written has a direction of its own; a line that begins with a date is none of theirs.
      saidSpan(start, end), ": ", el("bdi", { title: does }, does),
      lacking || altered ? [" – ", el("strong", null, [lacking, altered].filter(Boolean).join("; "))] : null,
      nextStep(window, fails, isNamed)));
}

/**
 * How far off the next step is. For a window that will fail it says that instead.
 * @param {Window} window @param {boolean} fails @param {boolean} isNamed
 */
function nextStep({ due, state }, fails, isNamed) {
  if (fails) return isNamed ? null : [" · ", el("strong", null, strings.window.fails)];
  return due ? [" · ", state === "running" ? strings.window.ends : null, untilElement(due)] : null;
}
