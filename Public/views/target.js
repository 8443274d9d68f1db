// @ts-check
/** `#/t/shop/ios`: what its users see in one sentence, every gate with its switch, the feeds and the last changes. */
import { changes as changesOf } from "../api-history.js";
import * as api from "../api.js";
import { whoBegan } from "../began.js";
import { el, keepAddress, show } from "../dom.js";
import {
  changedByHand, endingOf, leadingRule, messageText, reach, retryOf, RULES, sayActor, sayTarget, titleTarget,
} from "../gate.js";
import { command, gatectlForRule } from "../gatectl.js";
import { icon, maskedBadge, stateBadge } from "../icons.js";
import { maskingOf } from "../masking.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { feedStrings } from "../strings/feeds.js";
import { strings } from "../strings/shared.js";
import { targetStrings } from "../strings/target.js";
import { absolute, saidElement, saidTime } from "../time.js";
import { askToBlock, askToOpen, withFresh } from "../components/actions.js";
import { changeSummary } from "../components/change-summary.js";
import { copyButton } from "../components/copy-button.js";
import { dayStrip } from "../components/day-strip.js";
import { fact, factParts } from "../components/fact.js";
import { feedAddresses } from "../components/feed-addresses.js";
import { notFoundView } from "../components/not-found.js";
import { openOpenDialog } from "../components/open-dialog.js";
import { phonePreview } from "../components/phone-preview.js";
import { polledVersions } from "../components/polled-versions.js";
import { reachText } from "../components/reach.js";
import { rowMenu } from "../components/row-menu.js";
import { openClearDialog, openRuleDialog, routeOfRule, RULE_OF_ROUTE } from "../components/rule-dialog.js";
import { runningActions } from "../components/running-actions.js";
import { failure } from "../components/shell.js";
import { agoElement, endingText, gateSwitch, openingElement, ROLE_NOTE, windowLine } from "../components/targets.js";

/** @typedef {import("../documents.js").Target} Target */
/** @typedef {import("../documents.js").RuleName} RuleName */

const LATEST = 5;

/** @param {import("../app.js").ViewContext} context */
export function targetView({ parameters: [app, platform, editing], signal, again }) {
  const name = { app, platform };
  const home = `#/t/${nameOf(name)}`;
  const isThere = () => store.targets.has(nameOf(name));
  if (!isThere()) return notFoundView({ isThere, again, signal });
  const head = el("h1", { tabindex: "-1" }, titleTarget(name));
  const card = el("section", { class: "state-card" });
  const gates = el("ul", { class: "gate-list" });
  const schedule = el("div");
  const feeds = el("div");
  const changes = el("ol", { class: "changes" });
  const bottom = el("div", { class: "bottom-bar" });
  const target = /** @type {Target} */ (store.targets.get(nameOf(name)));
  const phone = phonePreview(target, signal);
  // Folded on a phone.
  const preview = el("details", { class: "target-preview", open: !matchMedia("(max-width: 640px)").matches },
    el("summary", null, el("h2", null, targetStrings.preview.title)), phone.element);
  /** @type {Target | undefined} */
  let shown;
  /** What the addresses on the page are of; somebody may be copying them while gates change. */
  let listed = "";
  /** @type {string[] | undefined} the documents polled within a day; asked for once, and only where they say which libraries there are */
  let polled;
  let counting = new AbortController();
  signal.addEventListener("abort", () => counting.abort());

  /**
   * Editing has its own address, but opening it from here must not rebuild the page under the focus.
   * @param {RuleName} rule
   */
  const edit = (rule) => withFresh(name, (target, seen) => openEditor(target, rule, seen));
  /** @param {Target} target @param {RuleName} rule @param {Target[]} seen what the page showed at the press */
  function openEditor(target, rule, seen) {
    const address = `${home}/edit/${routeOfRule(rule)}`;
    keepAddress(address, home);
    // Leave only its own address: another edit may have been opened by the time it closes.
    openRuleDialog(target, rule, {
      seen, closed: () => { if (location.hash === address) history.replaceState(history.state, "", home); },
    });
  }
  /**
   * The verb is the one that was meant at the press, also if somebody else has just been faster.
   * @param {RuleName} rule @param {boolean} isOn what the page showed
   */
  const press = (rule, isOn) => withFresh(name, (target, seen) => {
    if (!isOn) openEditor(target, rule, seen);
    else if (rule === "killSwitch") openOpenDialog(target, { seen });
    else openClearDialog(target, rule, { seen });
  });

  function paint() {
    const target = store.targets.get(nameOf(name));
    if (!target) {
      // A deleted target can neither be blocked nor edited.
      shown = undefined;
      listed = "";
      counting.abort();
      for (const place of [gates, feeds, bottom]) show(place);
      return show(card, el("p", null, targetStrings.page.noTarget));
    }
    if (target === shown) return;
    const moved = shown?.revision !== target.revision;
    shown = target;
    paintCard();
    paintGates();
    paintFeeds(target);
    show(bottom, mainAction(target, "bottom"));
    if (!target.settings.clients && leadingRule(target.gate)) void lookAtPolls(target);
    if (moved) {
      void latest();
      phone.show(target);
    }
  }

  /** @param {Target} target */
  function paintFeeds(target) {
    const now = JSON.stringify([target.feeds, target.settings]);
    if (now !== listed) show(feeds, feedAddresses(target));
    listed = now;
  }

  function paintGates() {
    const target = shown;
    if (target) show(gates, RULES.map((rule) => gateRow(target, rule, maskingOf(target, polled), edit, press)));
  }

  /** @param {Target} target */
  async function lookAtPolls(target) {
    if (polled) return;
    polled = target.reach?.feeds ?? [];
    try {
      polled = target.reach?.feeds ?? (await api.target(app, platform)).reach?.feeds ?? [];
    } catch (error) {
      // Without an answer, nothing is said of libraries.
      if (!(error instanceof api.APIError) && !(error instanceof api.NoAnswer)) throw error;
    }
    if (signal.aborted || polled.length === 0) return;
    paintCard();
    paintGates();
  }

  function paintCard() {
    if (!shown) return;
    card.dataset.state = shown.state;
    counting.abort();
    counting = new AbortController();
    show(card, stateCard(shown, maskingOf(shown, polled), counting.signal));
  }

  const about = { what: targetStrings.page.changes, line: command("history", app, platform) };
  let question = 0;
  async function latest() {
    question += 1;
    const mine = question;
    try {
      const { items } = await changesOf({ app, platform, limit: LATEST });
      if (mine !== question || signal.aborted) return;
      show(changes, items.length > 0
        ? items.map((change) => changeSummary(change, name))
        : el("li", { class: "empty" }, targetStrings.page.noChanges));
    } catch (error) {
      if (mine === question && !signal.aborted) show(changes, el("li", null, failure(error, () => void latest(), about)));
    }
  }

  store.on("targets", paint, signal);
  let byHand = "";
  const paintSchedule = () => {
    const windows = store.windowsOf(name);
    byHand = changedByHand(windows);
    show(schedule, windows.map((window) => [
      windowLine(window, false, name), window.state === "running" ? el("div", { class: "actions" }, runningActions(window)) : null,
    ]));
    // The schedule knows when the rule in force ends.
    paintCard();
  };
  store.on("schedule", paintSchedule, signal);
  store.on("targets", () => { if (changedByHand(store.windowsOf(name)) !== byHand) paintSchedule(); }, signal);
  paintSchedule();
  store.on("apps", () => {
    head.textContent = titleTarget(name);
    shown = undefined;
    paint();
  }, signal);
  paint();
  if (editing && store.may("operator", app)) queueMicrotask(() => void edit(RULE_OF_ROUTE[editing]));
  // Whoever may not edit was sent the link by somebody who may; the page says which role it needs.
  else if (editing) history.replaceState(history.state, "", home);
  return {
    title: () => titleTarget(name),
    element: el("div", { class: "target-page", "data-target": nameOf(name) },
      el("p", { class: "crumbs" }, el("a", { href: "#/" }, targetStrings.page.back)),
      el("div", { class: "view-head" }, head, el("code", null, nameOf(name))),
      store.may("operator", app) ? null : el("p", { class: "callout", id: ROLE_NOTE }, targetStrings.page.operatorNeeded),
      card,
      el("aside", { class: "target-side", "aria-label": targetStrings.preview.title }, preview,
        el("p", null, el("a", { href: `#/simulate?t=${nameOf(name)}` }, targetStrings.page.whoSeesWhat))),
      el("section", null, el("h2", null, targetStrings.page.gates), gates),
      el("section", null, el("h2", null, targetStrings.page.schedule), dayStrip(() => store.targets.get(nameOf(name)), signal), schedule,
        el("div", { class: "actions" }, store.may("operator", app)
          ? el("a", {
            class: "button", href: `#/schedule/new?t=${nameOf(name)}`, "aria-label": strings.about(strings.window.make, sayTarget(name)),
          }, icon("calendar"), strings.window.make)
          : el("button", {
            type: "button", class: "button", "aria-disabled": "true", "aria-describedby": ROLE_NOTE,
            "aria-label": strings.about(strings.window.make, sayTarget(name)),
          }, icon("calendar"), strings.window.make))),
      el("div", { class: "target-feeds" }, feeds, el("p", { class: "hint" }, feedStrings.hint)),
      polledVersions(target, signal),
      el("section", null, el("h2", null, targetStrings.page.changes), changes,
        el("p", null, el("a", { href: `#/history?app=${app}&platform=${platform}` }, targetStrings.page.allChanges))),
      bottom),
  };
}

/**
 * @param {Target} target
 * @param {ReturnType<typeof maskingOf>} masking
 * @param {AbortSignal} signal
 */
function stateCard(target, masking, signal) {
  const app = store.appName(target.app);
  const rule = leadingRule(target.gate);
  const value = rule ? target.gate[rule] : undefined;
  const say = {
    killSwitch: () => (value?.opening ? targetStrings.page.openingSay : targetStrings.page.blockedSay)(app, target.platform),
    forceUpdate: () => targetStrings.page.forcedSay(app, target.platform),
    requiredUpdate: () => targetStrings.page.requiredSay(app, target.platform, value?.minimumVersion ?? ""),
    optionalUpdate: () => targetStrings.page.optionalSay(app, target.platform, value?.optionalVersion ?? ""),
    alert: () => (value?.blocking ? targetStrings.page.alertBlocksSay : targetStrings.page.alertSay)(app, target.platform),
  };
  const ending = endingOf(target);
  const until = target.gate.killSwitch?.until;
  const by = el("div", { hidden: true });
  const why = el("div", { hidden: true });
  whoBegan(target, (change, isTheOne) => {
    by.hidden = !change;
    why.hidden = !change?.reason;
    // The last change may be about something else, and by somebody else.
    if (change) show(by, factParts(isTheOne ? targetStrings.page.by : targetStrings.page.lastBy, sayActor(change.actor)));
    show(why, factParts(isTheOne ? targetStrings.page.reason : targetStrings.page.lastReason,
      el("span", { dir: "auto" }, change?.reason ?? "")));
  });
  return [
    el("div", { class: "state-head" },
      stateBadge(target.state),
      masking.blind.length > 0 ? maskedBadge() : null,
      el("span", { class: "hint" }, strings.since(""), agoElement(target.since, true))),
    el("p", { class: "lead" }, rule && masking.isWhole
      ? targetStrings.page.maskedSay(strings.rule[rule], app, target.platform)
      : rule ? say[rule]() : targetStrings.page.openSay(app, target.platform)),
    rule ? el("blockquote", { class: "said", dir: "auto" }, messageText(value?.message)) : null,
    masking.blind.length > 0
      ? el("p", { class: "callout" }, strings.masking.said(neverSaid(masking.blind), masking.getIn))
      : null,
    el("dl", { class: "fact-list inline" },
      fact(targetStrings.page.since, absolute(target.since)),
      by, why,
      target.gate.killSwitch?.opening && target.gate.killSwitch.until
        ? fact(targetStrings.page.opening, el("strong", { class: "ending" }, openingElement(target.gate.killSwitch)))
        : null,
      ending ? fact(targetStrings.page.until, el("strong", { class: "ending" }, endingText(ending, rule === "killSwitch"))) : null,
      target.gate.killSwitch && !ending
        ? fact(
          targetStrings.page.until,
          until ? saidElement(() => saidTime(until)) : targetStrings.page.untilOpened,
        )
        : null,
      target.gate.killSwitch
        ? fact(targetStrings.page.retry, `${retryOf(target.gate, target.settings.defaultRetryInterval)} ${strings.seconds}`)
        : null,
      fact(targetStrings.page.revision, String(target.revision)),
      fact(dialogStrings.reach.label, reachText(target, target.revision, signal))),
    el("div", { class: "actions top-action" }, mainAction(target, "top")),
  ];
}

/** @param {import("../documents.js").Library[]} libraries */
const neverSaid = (libraries) => strings.masking.never(libraries.map((library) => strings.library[library]));

/** @param {Target} target @param {string} place tells the two copies of the button apart */
function mainAction(target, place) {
  const killed = Boolean(target.gate.killSwitch);
  const allowed = store.may("operator", target.app);
  return el("button", {
    type: "button", class: `button ${killed ? "release" : "restrict"}`, "data-key": `main ${place}`, "aria-disabled": String(!allowed),
    "aria-describedby": allowed ? null : ROLE_NOTE,
    on: { click: () => { if (allowed) void (killed ? askToOpen(target) : askToBlock(target)); } },
  }, (killed ? dialogStrings.open.ask : dialogStrings.block.ask)(sayTarget(target)));
}

/**
 * @param {Target} target @param {RuleName} rule @param {ReturnType<typeof maskingOf>} masking
 * @param {(rule: RuleName) => void} edit
 * @param {(rule: RuleName, isOn: boolean) => void} press
 */
function gateRow(target, rule, masking, edit, press) {
  const value = target.gate[rule];
  const allowed = store.may("operator", target.app);
  const leading = masking.leadingSeen ?? rule;
  const never = masking.never(rule);
  const about = targetStrings.page.ruleOf(strings.rule[rule], sayTarget(target));
  const toggle = gateSwitch({
    label: strings.rule[rule], drawing: rule, key: `switch ${rule}`, press: (isOn) => { if (allowed) press(rule, isOn); },
  });
  toggle.show(Boolean(value));
  toggle.input.setAttribute("aria-disabled", String(!allowed));
  if (!allowed) toggle.input.setAttribute("aria-describedby", ROLE_NOTE);
  return el("li", { class: "gate-row", "data-on": Boolean(value) },
    toggle.element,
    el("div", { class: "gate-value" },
      value
        ? el("p", { class: "facts" },
          el("strong", null, reach(rule, target.gate)),
          masking.isUnseen(rule) ? null : el("span", null,
            rule === leading ? targetStrings.page.live : targetStrings.page.masked(strings.rule[leading].toLowerCase())),
          never.length > 0 ? el("span", null, neverSaid(never)) : null)
        : el("p", { class: "hint" }, targetStrings.ruleHelp[rule]),
      value ? el("p", { class: "gate-message", dir: "auto" }, messageText(value.message)) : null),
    el("div", { class: "gate-actions" }, moreOf(target, rule, allowed, press), el("button", {
      type: "button", class: "button small", "data-key": `edit ${rule}`, "aria-disabled": allowed ? null : "true",
      "aria-label": (value ? targetStrings.page.editOf : targetStrings.page.setOf)(about),
      "aria-describedby": allowed ? null : ROLE_NOTE,
      on: { click: () => { if (allowed) edit(rule); } },
    }, value ? targetStrings.page.edit : targetStrings.page.set)));
}

/** @param {Target} target @param {RuleName} rule @param {boolean} allowed @param {(rule: RuleName, isOn: boolean) => void} press */
function moreOf(target, rule, allowed, press) {
  const value = target.gate[rule];
  const copied = value ? gatectlForRule(target, rule, value, target.lastChange?.reason) : null;
  const action = WINDOW_ACTIONS[rule];
  const about = targetStrings.page.ruleOf(strings.rule[rule], sayTarget(target));
  /** @param {string} text @param {string} [what] */
  const called = (text, what = about) => ({ class: "button quiet small", "aria-label": strings.about(text, what) });
  const verb = rule === "killSwitch" ? dialogStrings.open.verb : targetStrings.page.clear;
  const items = [
    allowed && action
      ? el("a", { ...called(strings.window.make), href: `#/schedule/new?t=${nameOf(target)}&do=${action}` }, strings.window.make)
      : null,
    allowed && value
      ? el("button", {
        ...called(verb, rule === "killSwitch" ? sayTarget(target) : about), type: "button", on: { click: () => press(rule, true) },
      }, verb)
      : null,
    copied
      ? copyButton(strings.gatectl, () => copied, { class: "button quiet small", name: strings.about(strings.gatectl, about) })
      : null,
  ].filter(Boolean);
  return items.length > 0 ? rowMenu(targetStrings.page.more(about), `more ${rule}`, items) : null;
}

/**
 * The schedule form's names for changes of rules; it does not know every rule.
 * @type {Partial<Record<RuleName, string>>}
 */
const WINDOW_ACTIONS = { killSwitch: "kill", requiredUpdate: "min", optionalUpdate: "optional", alert: "alert" };
