// @ts-check
/** One platform of an app on the overview. A cell lives as long as its target does, so that focus and hover survive live updates. */
import { leadingRule, reach, sayActor, sayTarget, titleTarget } from "../describe.js";
import { el, show, uniqueId } from "../dom.js";
import { messageText, RULES } from "../gate.js";
import { nameOf, store } from "../store.js";
import { overviewStrings } from "../strings/overview.js";
import { platformName, strings } from "../strings/shared.js";
import { secondsSince, timeInUTC } from "../time.js";
import { agoElement, untilElement } from "./ago.js";
import { askToFlip } from "./ask.js";
import { gateSwitch } from "./gate-switch.js";
import { endingOf, endingText, windowLine } from "./window-line.js";
import { stateBadge } from "./state-badge.js";

/** A block older than this asks whether it is still needed. */
const LONG = 3600;
const OUTLINED_FOR = 2000;
/** The element that says once, for all cells, why nothing can be flipped. */
export const ROLE_NOTE = "role-note";

export class TargetCell {
  /**
   * @param {import("../api.js").Target} target
   * @param {(name: string, range: boolean) => void} pick `range`: everything between the last one and this one
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
      press: () => { if (store.may("operator", target.app)) void askToFlip(target); },
    });
    /** @type {import("../api.js").Target | null} */
    this.target = null;
    this.windows = store.windows;
    this.element = el("div", { class: "target-row", "data-target": name },
      this.pick,
      el("div", { class: "row-head" }, this.state,
        el("h3", { class: "row-title" }, this.link, el("code", { class: "visually-hidden" }, ` ${name}`))),
      this.detail, this.switch.element);
    this.update(target);
  }

  /** @param {import("../api.js").Target} target */
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
  const facts = [];
  if (rule) facts.push(el("span", null, reach(rule, target.gate)), el("span", null, agoElement(target.since, true)));
  const until = target.gate.killSwitch?.until;
  const ending = endingOf(target);
  if (ending) facts.push(el("span", null, endingText(ending, rule === "killSwitch")));
  else if (until) facts.push(el("span", null, overviewStrings.opensItself(timeInUTC(until)), " (", untilElement(until), ")"));
  else if (target.gate.killSwitch && secondsSince(target.since) > LONG) {
    facts.push(el("strong", { class: "still" }, overviewStrings.stillNeeded));
  }
  if (change) {
    const made = Math.abs(Date.parse(change.at) - Date.parse(target.since)) < 1000;
    if (!made || !rule) facts.push(el("span", null, overviewStrings.lastChange(""), agoElement(change.at)));
    facts.push(el("span", null, strings.by(sayActor(change.actor))));
    if (change.reason && rule) facts.push(el("span", { dir: "auto" }, change.reason));
  }
  const others = RULES.filter((other) => other !== rule && target.gate[other]);
  const said = rule ? messageText(target.gate[rule]?.message) : "";
  return [
    // The whole text is on the target's page; here it must not push the next app out of sight.
    said ? el("blockquote", { class: "said", dir: "auto", title: said }, said) : null,
    facts.length > 0 ? el("p", { class: "facts" }, facts) : null,
    others.length > 0
      ? el("p", { class: "facts" },
        el("span", null, `${overviewStrings.alsoSet} `,
          others.map((other) => `${strings.rule[other]} – ${reach(other, target.gate)}`).join(" · ")))
      : null,
    store.windowsOf(target).map(windowLine),
  ];
}
