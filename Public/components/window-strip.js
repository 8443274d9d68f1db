// @ts-check
/** The days of a window as a line, with its start, its end and now. It is decoration: the form says the same in words. */
import { el, show, svg } from "../dom.js";
import { newWindowStrings } from "../strings/new-window.js";
import { targetStrings } from "../strings/target.js";
import { serverNow } from "../time.js";
import { addDays, dateOf, daysBetween, instantOf, wallAt } from "../zones.js";
import { stripText } from "./day-strip.js";

const HOUR = 3_600_000;
/** The line includes now if the window is no further away than this. */
const NEAR = 36 * HOUR;
/** Up to this many days, each one is named. */
const NAMED = 7;
/** A longer window leaves the line at its end. */
const MOST = 100;

export function windowStrip() {
  const element = el("div", { class: "day-strip", "aria-hidden": "true", hidden: true });

  return {
    element,
    /**
     * @param {number | null} start
     * @param {number | null} end null for a change that stays
     * @param {string} zone
     * @param {string} state for its colour
     */
    show(start, end, zone, state) {
      element.hidden = start === null || (end !== null && end <= start);
      if (start === null || element.hidden) return;
      const now = serverNow();
      const first = dateOf(wallAt(start - now < NEAR ? Math.min(now, start) : start, zone));
      const last = dateOf(wallAt(end ?? start + 12 * HOUR, zone));
      const days = Array.from({ length: Math.min(MOST, daysBetween(first, last) + 2) }, (_, index) => addDays(first, index));
      // Where clocks skip midnight, the day begins an hour later.
      const midnights = days.map((day) => instantOf(`${day}T00:00`, zone) ?? instantOf(`${day}T01:00`, zone) ?? start);
      const from = midnights[0];
      const to = midnights[midnights.length - 1];
      /** @param {number} time a place on the line, in percent */
      const at = (time) => Math.min(100, Math.max(0, ((time - from) / (to - from)) * 100));
      const until = end ?? to;
      const step = Math.ceil((midnights.length - 1) / NAMED);
      const middle = at((start + until) / 2);
      const times = newWindowStrings.strip(clock(start, zone), end === null ? "" : clock(end, zone));
      const said = stripText(middle, times, "strip-label strip-span", 12);
      said.setAttribute("text-anchor", middle < 20 ? "start" : middle > 80 ? "end" : "middle");
      if (middle < 20) said.setAttribute("x", `${at(start)}%`);
      if (middle > 80) said.setAttribute("x", `${at(until)}%`);
      const isNear = now >= from && now <= to;
      const names = midnights.slice(0, -1).flatMap((time, index) => {
        const next = midnights[Math.min(index + step, midnights.length - 1)];
        return index % step > 0 ? [] : stripText((at(time) + at(next)) / 2, dayName(time + 12 * HOUR, zone), "strip-label", 46);
      });
      show(element, svg("svg", { width: "100%", height: isNear ? 66 : 50, focusable: "false" }, ...[
        svg("rect", { class: "strip-line", x: 0, width: "100%", y: 18, height: 14, rx: 3 }),
        midnights.slice(1, -1).map(at).map((x) => svg("line", { class: "strip-hour", x1: `${x}%`, x2: `${x}%`, y1: 18, y2: 36 })),
        svg("rect", {
          class: "strip-bar strip-window", "data-state": state, x: `${at(start)}%`, y: 20, height: 10, rx: 2,
          width: `${Math.max(0.6, at(until) - at(start))}%`,
        }),
        isNear ? svg("line", { class: "strip-now", x1: `${at(now)}%`, x2: `${at(now)}%`, y1: 15, y2: 36 }) : [],
        names,
        said,
        isNear ? nowText(at(now)) : [],
      ].flat()));
    },
  };
}

/** @param {number} x */
function nowText(x) {
  const text = stripText(x, targetStrings.page.now, "strip-label strip-now-label", 63);
  if (x < 4) text.setAttribute("text-anchor", "start");
  if (x > 96) text.setAttribute("text-anchor", "end");
  return text;
}

/** @param {number} instant @param {string} zone */
const clock = (instant, zone) =>
  new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", timeZone: zone }).format(instant);

/** @param {number} instant @param {string} zone */
const dayName = (instant, zone) => new Intl.DateTimeFormat(undefined, { weekday: "short", day: "numeric", timeZone: zone }).format(instant);
