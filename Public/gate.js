// @ts-check
/**
 * Gates and windows for display, put into words; difference.js compares them. Nothing is decided here: what is in force, and plans, come
 * from the server.
 */
import { nameOf, store } from "./store.js";
import { listed, strings } from "./strings/shared.js";

/** @typedef {import("./documents.js").Gate} Gate */
/** @typedef {import("./documents.js").RuleName} RuleName */
/** @typedef {import("./documents.js").Library} Library */
/** @typedef {import("./api-schedule.js").Window} Window */

/**
 * The rules in order of precedence, the strongest first.
 * @type {RuleName[]}
 */
export const RULES = ["killSwitch", "forceUpdate", "requiredUpdate", "optionalUpdate", "alert"];

/**
 * The states, worst first.
 * @type {import("./documents.js").State[]}
 */
export const STATES = ["blocked", "updateRequired", "notice", "open"];

/**
 * A message's text for people whose language is not considered: the default.
 * @param {import("./documents.js").Message | undefined} message
 */
export function messageText(message) {
  if (message === undefined || message === null) return "";
  return typeof message === "string" ? message : (message.default ?? "");
}

/** @param {unknown} one @param {unknown} other */
export const same = (one, other) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/**
 * The state that a planned gate will lead to. For a gate in force, use the state in the server's answer.
 * @param {Gate} gate
 * @returns {import("./documents.js").State}
 */
export function stateOf(gate) {
  if (gate.killSwitch || gate.forceUpdate || gate.alert?.blocking) return "blocked";
  if (gate.requiredUpdate) return "updateRequired";
  return gate.optionalUpdate || gate.alert ? "notice" : "open";
}

// In words

/**
 * `Shop on iOS`.
 * @param {{ app: string, platform: string }} target
 */
export const sayTarget = (target) => strings.target(store.appName(target.app), target.platform);

/** More apps than this are counted instead of named. */
const NAMED = 3;

/**
 * `Shop on iOS and Android, Bank on iOS`.
 * @param {{ app: string, platform: string }[]} targets
 */
export function sayTargets(targets) {
  const apps = [...new Set(targets.map(({ app }) => app))];
  if (apps.length > NAMED) return strings.targets(targets.length);
  return apps
    .map((app) => strings.platformsOf(store.appName(app), targets.filter((target) => target.app === app).map(({ platform }) => platform)))
    .join(", ");
}

/**
 * `Shop · iOS`, as a heading in a list.
 * @param {{ app: string, platform: string }} target
 */
export const titleTarget = (target) => strings.targetShort(store.appName(target.app), target.platform);

/**
 * Who did something: `ann`, or `ann (laptop)` when ann's token called laptop did it.
 * @param {import("./documents.js").Actor} actor
 */
export const sayActor = (actor) => (actor.user ? strings.actorOfToken(actor.user, actor.name) : actor.name);

/**
 * Whether it was the person who is signed in here, and not one of their tokens.
 * @param {import("./documents.js").Actor} actor
 */
export const isSelf = (actor) => actor.kind === "user" && actor.name === store.session?.user.username;

/**
 * Who is affected by a rule, in a few words.
 * @param {RuleName} rule
 * @param {Gate} gate
 */
export function reach(rule, gate) {
  const value = gate[rule];
  switch (rule) {
    case "killSwitch": return strings.allVersions;
    case "forceUpdate": return strings.everyoneMustUpdate;
    case "requiredUpdate": return strings.mustUpdate(value?.minimumVersion ?? "");
    case "optionalUpdate": return strings.suggested(value?.optionalVersion ?? "");
    case "alert": return value?.blocking ? strings.alertBlocks : strings.alertShown;
  }
}

/**
 * The rule that causes the target's state, so its text is shown first: the worst one by the server's order of states.
 * @param {Gate} gate
 * @returns {RuleName | null}
 */
export function leadingRule(gate) {
  if (gate.killSwitch) return "killSwitch";
  if (gate.forceUpdate) return "forceUpdate";
  if (gate.alert?.blocking) return "alert";
  return RULES.find((rule) => gate[rule]) ?? null;
}

/**
 * The seconds after which blocked phones ask again.
 * @param {Gate} gate
 * @param {number} fallback the platform's setting
 */
export const retryOf = (gate, fallback) => gate.killSwitch?.retryInterval ?? fallback;

/**
 * The share of callers, in whole percent, that a kill switch being lifted gradually lets in at a moment; null if it is not being lifted.
 * @param {import("./documents.js").Rule | undefined} killSwitch
 * @param {number} now
 */
export function openingPercent(killSwitch, now) {
  if (!killSwitch?.opening || !killSwitch.until) return null;
  const [start, end] = [Date.parse(killSwitch.opening), Date.parse(killSwitch.until)];
  return Math.floor(100 * Math.min(1, Math.max(0, (now - start) / (end - start))));
}

// Libraries

/**
 * The rules that a library has no word for in the document that everybody is sent, the same for every target.
 * Tests/Dashboard/test_masking.py holds them to the server's answers.
 * @type {Partial<Record<Library, RuleName[]>>}
 */
const NO_WORD = {
  bellerophon: ["requiredUpdate", "optionalUpdate", "alert"], launchgate: ["forceUpdate"], gandalf: ["forceUpdate"],
  "prince-of-versions": ["killSwitch", "forceUpdate", "alert"],
};

/**
 * The libraries that read a document.
 * @type {Record<string, Library[]>}
 */
export const READERS = {
  bellerophon: ["bellerophon"], launchgate: ["launchgate", "gandalf"], "prince-of-versions": ["prince-of-versions"],
  combined: ["bellerophon", "launchgate", "gandalf", "prince-of-versions"],
};

/** @param {Library} library @param {RuleName} rule */
export const hasWord = (library, rule) => !NO_WORD[library]?.includes(rule);

/**
 * The libraries in the app: those in the settings, else those that read the documents polled within a day. The combined document tells
 * nothing, because any of them may read it.
 * @param {import("./documents.js").Target} target
 * @param {string[]} [polled]
 */
export function librariesIn({ platform, settings, reach }, polled = reach?.feeds ?? []) {
  const elsewhere = platform === "ios" ? "gandalf" : platform === "android" ? "launchgate" : "";
  return settings.clients ?? [...new Set(polled.filter((feed) => feed !== "combined").flatMap((feed) => READERS[feed] ?? []))]
    .filter((library) => library !== elsewhere);
}

// Windows of the schedule

/**
 * What a window does, in a few words.
 * @param {Window["set"]} set
 */
export function doesText(set) {
  return Object.entries(set).map(([rule, value]) => {
    if (value === null) {
      return rule === "killSwitch"
        ? strings.window.does.open
        : strings.window.does.clear(/** @type {Record<string, string>} */ (strings.did.ruleName)[rule] ?? rule);
    }
    switch (rule) {
      case "killSwitch": return strings.window.does.block(messageText(value.message));
      case "alert": return strings.window.does.alert(messageText(value.message));
      case "requiredUpdate": return strings.window.does.min(value.minimumVersion ?? "");
      case "optionalUpdate": return strings.window.does.optional(value.optionalVersion ?? "");
      default: return strings.window.does.force;
    }
  }).join(", ");
}

/**
 * Whether a rule is what a window expects of it: else somebody has changed it.
 * @param {import("./api-schedule.js").WindowTarget | undefined} mine @param {Gate} gate @param {RuleName} rule
 */
const holds = (mine, gate, rule) => same(mine?.expected?.[rule], gate[rule]);

/**
 * The end of the running window that keeps a target's leading rule in force; null if no window does, or if somebody has changed the rule
 * since, because then the window will leave it alone.
 * @param {import("./documents.js").Target} target
 * @returns {{ end: import("./api-schedule.js").ZonedTime, opens: boolean } | null} `opens`: nothing is restored in the rule's place
 */
export function endingOf(target) {
  const rule = leadingRule(target.gate);
  if (!rule) return null;
  for (const window of store.windowsOf(target)) {
    const mine = window.targets.find((one) => nameOf(one) === nameOf(target));
    if (window.state !== "running" || !window.end || !holds(mine, target.gate, rule)) continue;
    return { end: window.end, opens: window.then === "open" || !mine?.before?.[rule] };
  }
  return null;
}

/**
 * Who has done something to it last.
 * @param {Window} window
 */
export const lastActor = ({ events, actor }) => events[events.length - 1]?.actor ?? actor;

/**
 * When it really begins and ends: a window that was run or ended early has the actual time instead of the planned one.
 * @param {Window} window
 * @returns {{ start: import("./time.js").Moment, end: import("./time.js").Moment | null, began: boolean, ended: boolean }}
 */
export function spanOf({ start, end, events }) {
  const began = events.find(({ what }) => what === "started");
  const ended = events.find(({ what }) => what === "ended");
  const { zone } = start;
  return {
    start: began ? { at: began.at, zone } : start, end: ended ? { at: ended.at, zone } : end,
    began: began !== undefined, ended: ended !== undefined,
  };
}

/**
 * Whether a waiting window would find at its start that its rules were changed by hand. One changed target is enough, because a window does
 * all or nothing. A rule that lifts itself before the start counts as gone.
 * @param {Window} window
 * @param {(target: { app: string, platform: string }) => Gate | undefined} [gateOf] the gate that it would find; else the one in force
 */
export function willFail({ state, set, start, targets }, gateOf = (target) => store.targets.get(nameOf(target))?.gate) {
  return state === "pending" && targets.some((mine) => {
    const gate = gateOf(mine);
    if (!gate || !mine.expected) return false;
    return Object.keys(set).some((name) => {
      const rule = gate[/** @type {RuleName} */ (name)];
      const isLifted = rule?.until !== undefined && Date.parse(rule.until) <= Date.parse(start.at);
      return ![mine.expected, mine.made ?? mine.expected].some((wanted) =>
        same(wanted?.[name], rule) || (isLifted && same(wanted?.[name], null)));
    });
  });
}

/**
 * The targets that a window holds only in part, or not at all, each with the rules that it did not get at the start: they were refused.
 * Empty for a window that holds what it says, and for one that failed as a whole.
 * @param {Window} window
 * @returns {Part[]}
 */
function lackingIn({ state, set, end, events, targets }) {
  const isHeld = state === "running" || (state === "failed" && !end && events.some(({ what }) => what === "started"));
  if (!isHeld || !events.some(({ what, actor }) => what === "failed" && actor.kind === "system")) return [];
  return targets
    .map((target) => ({ target, rules: Object.keys(set).filter((rule) => target.expected?.[rule] === undefined) }))
    .filter(({ rules }) => rules.length > 0);
}

/** @param {Window} window */
export const runsInPart = (window) => window.state === "running" && lackingIn(window).length > 0;

/** @typedef {{ target: { app: string, platform: string }, rules: string[] }} Part */

/**
 * What somebody has changed by hand since a running window put it there: at its end it leaves that alone.
 * @param {Window} window
 * @returns {(Part & { isGone: boolean })[]} `isGone`: the rules are off now
 */
export function alteredIn({ state, set, targets }) {
  if (state !== "running") return [];
  return targets.flatMap((target) => {
    const gate = store.targets.get(nameOf(target))?.gate;
    const rules = /** @type {RuleName[]} */ (Object.keys(set))
      .filter((rule) => gate && target.expected?.[rule] !== undefined && !holds(target, gate, rule));
    return [false, true].map((isGone) => ({ target, isGone, rules: rules.filter((rule) => !gate?.[rule] === isGone) }))
      .filter((part) => part.rules.length > 0);
  });
}

/**
 * What changes by hand have done to windows, as one text to compare with an earlier one.
 * @param {Window[]} windows
 */
export const changedByHand = (windows) => windows.map((window) => (willFail(window) ? window.id : sayAltered(window))).join();

/** @param {string[]} rules */
const sayRules = (rules) =>
  listed(rules.map((rule) => /** @type {Record<string, string>} */ (strings.did.ruleName)[rule] ?? rule));

/**
 * @param {Part[]} parts @param {(rules: string, targets: string) => string} say
 * @param {{ app: string, platform: string }} [here] the only target to speak of, which is not named
 */
function sayParts(parts, say, here) {
  const mine = here ? parts.filter(({ target }) => nameOf(target) === nameOf(here)) : parts;
  const kinds = new Set(mine.map(({ rules }) => sayRules(rules)));
  return [...kinds].map((kind) =>
    say(kind, here ? "" : sayTargets(mine.filter(({ rules }) => sayRules(rules) === kind).map(({ target }) => target))));
}

/**
 * What {@link lackingIn} tells, in words; nothing where a window lacks nothing.
 * @param {Window} window
 * @param {{ app: string, platform: string }} [here]
 */
export const sayLacking = (window, here) => sayParts(lackingIn(window), strings.window.lacks, here).join("; ");

/**
 * What {@link alteredIn} tells, in the same way.
 * @param {Window} window
 * @param {{ app: string, platform: string }} [here]
 */
export function sayAltered(window, here) {
  const [changed, gone] = [false, true].map((wanted) => alteredIn(window).filter(({ isGone }) => isGone === wanted));
  const said = [...sayParts(changed, strings.window.changed, here), ...sayParts(gone, strings.window.gone, here)];
  return said.length > 0 ? [...said, strings.window.leaves].join("; ") : "";
}
