// @ts-check
/** One target on the overview. The row lives as long as its target does, so that focus and hover survive live updates. */
import { leadingRule, reach, sayActor, titleTarget } from "../describe.js";
import { el, show, uniqueId } from "../dom.js";
import { messageText, RULES } from "../gate.js";
import { nameOf, store } from "../store.js";
import { overviewStrings } from "../strings/overview.js";
import { strings } from "../strings/shared.js";
import { secondsSince, timeInUTC } from "../time.js";
import { agoElement, untilElement } from "./ago.js";
import { askToFlip } from "./ask.js";
import { gateSwitch } from "./gate-switch.js";
import { windowLine } from "./window-line.js";
import { stateBadge } from "./state-badge.js";

/** A block older than this asks whether it is still needed. */
const LONG = 3600;
const OUTLINED_FOR = 2000;

export class TargetRow {
  /** @param {import("../api.js").Target} target */
  constructor(target) {
    const titleId = uniqueId("target");
    this.link = el("a", { href: `#/t/${nameOf(target)}`, "data-row": true });
    this.state = el("div", { class: "row-state" });
    this.detail = el("div", { class: "row-detail" });
    this.switch = gateSwitch({
      label: overviewStrings.killSwitch, key: `kill ${nameOf(target)}`, describedBy: titleId,
      press: () => { if (store.may("operator", target.app)) void askToFlip(target); },
    });
    this.role = el("p", { class: "hint", id: `${titleId}-role` }, overviewStrings.operatorNeeded);
    /** @type {import("../api.js").Target | null} */
    this.target = null;
    this.windows = store.windows;
    this.element = el("li", { class: "target-row", "data-target": nameOf(target) }, this.state,
      el("div", { class: "row-main" },
        el("h2", { class: "row-title", id: titleId }, this.link, " ", el("code", null, nameOf(target))),
        this.detail),
      el("div", { class: "row-switch" }, this.switch.element, this.role));
    this.update(target);
  }

  /** @param {import("../api.js").Target} target */
  update(target) {
    const allowed = store.may("operator", target.app);
    this.role.hidden = allowed;
    this.switch.input.setAttribute("aria-disabled", String(!allowed));
    if (allowed) this.switch.input.removeAttribute("aria-describedby");
    else this.switch.input.setAttribute("aria-describedby", this.role.id);
    const name = titleTarget(target);
    if (this.link.textContent !== name) this.link.textContent = name;
    if (this.target === target && this.windows === store.windows) return;
    this.target = target;
    this.windows = store.windows;
    this.element.dataset.state = target.state;
    this.switch.show(Boolean(target.gate.killSwitch));
    show(this.state, stateBadge(target.state));
    show(this.detail, details(target));
  }

  /** Shows for a moment that somebody has changed it. */
  flash() {
    this.element.classList.add("flash");
    setTimeout(() => this.element.classList.remove("flash"), OUTLINED_FOR);
  }
}

/** @param {import("../api.js").Target} target */
function details(target) {
  const rule = leadingRule(target.gate);
  const change = target.lastChange;
  const facts = [el("span", null, rule ? reach(rule, target.gate) : overviewStrings.noGates)];
  if (rule) facts.push(el("span", null, agoElement(target.since, true)));
  if (change) {
    const made = Math.abs(Date.parse(change.at) - Date.parse(target.since)) < 1000;
    if (!made || !rule) facts.push(el("span", null, overviewStrings.lastChange(""), agoElement(change.at)));
    facts.push(el("span", null, strings.by(sayActor(change.actor))));
    if (change.reason) facts.push(el("span", { dir: "auto" }, change.reason));
  }
  const until = target.gate.killSwitch?.until;
  if (until) facts.push(el("span", null, overviewStrings.opensItself(timeInUTC(until)), " (", untilElement(until), ")"));
  else if (target.gate.killSwitch && secondsSince(target.since) > LONG) {
    facts.push(el("strong", { class: "still" }, overviewStrings.stillNeeded));
  }
  const others = RULES.filter((other) => other !== rule && target.gate[other]);
  return [
    el("p", { class: "facts" }, facts),
    rule ? el("blockquote", { class: "said", dir: "auto" }, messageText(target.gate[rule]?.message)) : null,
    others.length > 0
      ? el("p", { class: "facts" },
        el("span", null, `${overviewStrings.alsoSet} `,
          others.map((other) => `${strings.rule[other]} – ${reach(other, target.gate)}`).join(" · ")))
      : null,
    store.windowsOf(target).map(windowLine),
  ];
}
