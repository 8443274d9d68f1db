// @ts-check
/** Where it goes on, once a window cannot be replaced any more. */
import { el } from "../dom.js";
import { sayTarget } from "../gate.js";
import { nameOf } from "../store.js";
import { newWindowStrings } from "../strings/new-window.js";
import { scheduleStrings } from "../strings/schedule.js";
import { windowLine } from "./targets.js";

/** @param {import("../api-schedule.js").Window} window as it is now @param {HTMLElement} said what has happened to it */
export const windowOver = (window, said) => el("div", { class: "callout stack" },
  said, windowLine(window), el("p", null, newWindowStrings.nothingLeft),
  el("div", { class: "actions" },
    window.targets.map((target) => el("a", { class: "button", href: `#/t/${nameOf(target)}` }, sayTarget(target))),
    el("a", { class: "button", href: "#/schedule" }, scheduleStrings.title)));
