// @ts-check
/**
 * Twenty-four hours of a target as a line: what is in force, when it ends by itself, the coming windows, and the present moment. It is
 * decoration: the list under it says the same in words.
 */
import { el, show, svg } from "../dom.js";
import { endingOf, leadingRule, spanOf, stateOf } from "../gate.js";
import { store } from "../store.js";
import { targetStrings } from "../strings/target.js";
import { serverNow, tick, timeOfDayShort } from "../time.js";

/** @typedef {import("../documents.js").Target} Target */

const HOUR = 3_600_000;
const LENGTH = 24 * HOUR;
/** How much of the line is in the past: enough to see what has just ended. */
const PAST = 2 * HOUR;
const MINUTE = 60_000;
const STEP = 4 * HOUR;
/** An hour that is nearer to now than this is not written: on a phone the two words would lie on each other. */
const BESIDE_NOW = 2.6 * HOUR;
/** Number of steps in which the bar of a gradually opening gate gets lower. */
const STEPS = 8;

/**
 * @param {() => Target | undefined} current
 * @param {AbortSignal} signal
 */
export function dayStrip(current, signal) {
  const element = el("div", { class: "day-strip", "aria-hidden": "true" });
  let minute = NaN;

  function paint() {
    const target = current();
    const now = serverNow();
    minute = Math.floor(now / MINUTE);
    if (!target) return show(element);
    const start = now - PAST;
    /** @param {number} time a place on the line, in percent */
    const at = (time) => Math.min(100, Math.max(0, ((time - start) / LENGTH) * 100));
    /** @param {number} from @param {number} to @param {string} state @param {string} kind */
    const bar = (from, to, state, kind) => (to <= start || from >= start + LENGTH ? null
      : svg("rect", {
        class: `strip-bar ${kind}`, "data-state": state, x: `${at(from)}%`, width: `${Math.max(0.4, at(to) - at(from))}%`,
        y: kind === "strip-window" ? 22 : 8, height: 10, rx: 2,
      }));

    const until = target.gate.killSwitch?.until ?? endingOf(target)?.end.at;
    const inForce = leadingRule(target.gate)
      ? bar(Date.parse(target.since), until ? Date.parse(until) : start + LENGTH, target.state, "strip-live")
      : null;
    // The bar gets lower as fewer people are shut out.
    const opening = target.gate.killSwitch?.opening;
    const falling = !opening || !until ? [] : Array.from({ length: STEPS }, (_, index) => {
      const [from, to] = [Date.parse(opening), Date.parse(until)];
      const part = (to - from) / STEPS;
      return to <= start ? null : svg("rect", {
        class: "strip-open", x: `${at(from + index * part)}%`, y: 8, height: (10 * index) / STEPS,
        width: `${at(from + (index + 1) * part) - at(from + index * part)}%`,
      });
    });
    const windows = store.windowsOf(target).filter((window) => window.state !== "missed")
      .map((window) => {
        const { start: from, end: to } = spanOf(window);
        const state = stateOf(/** @type {import("../gate.js").Gate} */ (window.set));
        return bar(Date.parse(from.at), to ? Date.parse(to.at) : start + LENGTH, state, "strip-window");
      });
    const first = Math.ceil(start / STEP) * STEP;
    const hours = Array.from({ length: LENGTH / STEP }, (_, index) => first + index * STEP).filter((time) => time < start + LENGTH);
    show(element, svg("svg", { width: "100%", height: 58, focusable: "false" }, ...[
      svg("rect", { class: "strip-line", x: 0, width: "100%", y: 8, height: 24, rx: 3 }),
      ...hours.map((time) => svg("line", { class: "strip-hour", x1: `${at(time)}%`, x2: `${at(time)}%`, y1: 8, y2: 32 })),
      inForce, ...falling, ...windows,
      svg("line", { class: "strip-now", x1: `${at(now)}%`, x2: `${at(now)}%`, y1: 3, y2: 37 }),
      ...hours
        .filter((time) => Math.abs(time - now) > BESIDE_NOW && at(time) > 2 && at(time) < 97)
        .map((time) => stripText(at(time), timeOfDayShort(time), "strip-label")),
      stripText(at(now), targetStrings.page.now, "strip-label strip-now-label"),
    ].flatMap((part) => part ?? [])));
  }

  store.on("targets", paint, signal);
  store.on("schedule", paint, signal);
  tick(() => { if (Math.floor(serverNow() / MINUTE) !== minute) paint(); }, signal);
  paint();
  return element;
}

/** @param {number} x in percent @param {string} said @param {string} name @param {number} [y] */
export function stripText(x, said, name, y = 52) {
  const label = svg("text", { class: name, x: `${x}%`, y, "text-anchor": "middle" });
  label.textContent = said;
  return label;
}
