// @ts-check
/** `#/rehearsals/k3_x9AbZ`: one rehearsal: the addresses for phones, and the polls as they come in. */
import * as api from "../api.js";
import { alter, end, rehearsal } from "../api-rehearsals.js";
import { el, show } from "../dom.js";
import { messageText, reach, RULES, sayActor, sayTarget, titleTarget } from "../gate.js";
import { command } from "../gatectl.js";
import { sayRefused } from "../server-words.js";
import { feedStrings } from "../strings/feeds.js";
import { rehearsalStrings } from "../strings/rehearsal.js";
import { strings } from "../strings/shared.js";
import { saidElement, saidTime, tick, timeOfDay } from "../time.js";
import { openConfirmDialog } from "../components/confirm-dialog.js";
import { copyButton } from "../components/copy-button.js";
import { feedsOrigin } from "../components/feed-addresses.js";
import { fact } from "../components/fact.js";
import { field } from "../components/field.js";
import { qrDrawing } from "../components/qr-drawing.js";
import { failure, skeleton } from "../components/shell.js";
import { toldTime } from "../components/told-time.js";

/** @typedef {import("../api-rehearsals.js").Rehearsal} Rehearsal */

/** @param {import("../app.js").ViewContext} context */
export function rehearsalView({ parameters: [id], signal }) {
  const body = el("div", { class: "rehearsal" }, skeleton());
  const head = el("h1", { tabindex: "-1" }, rehearsalStrings.title);
  const facts = el("dl", { class: "fact-list inline" });
  const tried = el("ul", { class: "tried" });
  const polls = el("div", { class: "rehearsal-polls" });
  const problem = el("div", { class: "problem", role: "alert" });
  const prolonged = toldTime();
  let isOver = false;
  let isAsking = false;
  /** @type {Rehearsal | undefined} */
  let shown;

  const about = { what: rehearsalStrings.shown, line: command("rehearse", "show", id) };
  async function ask() {
    // A server that is slow is not asked once more every second.
    if (isOver || isAsking) return;
    isAsking = true;
    try {
      const one = await rehearsal(id);
      if (!signal.aborted) paint(one);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof api.APIError && error.status === 404) over();
      else if (error instanceof api.APIError && error.status === 403) {
        isOver = true;
        show(body, el("p", { class: "callout" }, strings.dialog.roleNeeded("operator")));
      }
      // The bar at the top says that the server is lost; what was shown stays.
      else if (!shown) show(body, failure(error, () => void ask(), about));
    } finally {
      isAsking = false;
    }
  }

  function over() {
    isOver = true;
    show(body, el("p", { class: "empty" }, shown ? rehearsalStrings.ended : rehearsalStrings.gone),
      el("p", null, el("a", { href: "#/rehearsals" }, rehearsalStrings.back)));
  }

  /** @param {Rehearsal} one */
  function paint(one) {
    if (!shown) {
      head.textContent = rehearsalStrings.of(titleTarget(one));
      show(body, facts, el("section", null, el("h2", null, rehearsalStrings.gate), tried), addresses(one),
        el("section", null, el("h2", null, rehearsalStrings.pollsTitle), polls), problem, actions(one), prolonged.element);
    }
    if (shown?.until !== one.until || shown.pollCount !== one.pollCount) show(facts, factsOf(one));
    if (JSON.stringify(shown?.gate) !== JSON.stringify(one.gate)) show(tried, triedRules(one));
    if (!shown || shown.pollCount !== one.pollCount) show(polls, pollTable(one));
    shown = one;
  }

  async function prolong() {
    problem.textContent = "";
    prolonged.tell(() => "");
    try {
      paint(await alter(id, { for: "2h" }));
      // What has become longer is said at the head of the page, which may be out of view.
      prolonged.tell(() => (shown ? rehearsalStrings.goesOn(saidTime(shown.until)) : ""));
    } catch (error) {
      if (error instanceof api.NoAnswer) problem.textContent = strings.dialog.outcomeUnknown;
      else if (!(error instanceof api.APIError)) throw error;
      else if (error.status === 404) over();
      else problem.textContent = sayRefused(error.problem);
    }
  }

  /** @param {Rehearsal} one */
  function actions(one) {
    return el("div", { class: "actions" },
      el("button", { type: "button", class: "button", "data-key": "longer", on: { click: () => void prolong() } }, rehearsalStrings.longer),
      el("button", {
        type: "button", class: "button", "data-key": "end",
        on: {
          click: () => openConfirmDialog({
            title: rehearsalStrings.endTitle(sayTarget(one)), text: rehearsalStrings.endText, run: () => end(id), done: over,
          }),
        },
      }, rehearsalStrings.end));
  }

  tick(() => void ask(), signal);
  void ask();
  return {
    title: rehearsalStrings.title,
    element: el("div", { class: "narrow spread" },
      el("p", { class: "crumbs" }, el("a", { href: "#/rehearsals" }, rehearsalStrings.back)),
      el("div", { class: "view-head" }, head), body),
  };
}

/** @param {Rehearsal} one */
const factsOf = (one) => [
  fact(rehearsalStrings.until, saidElement(() => saidTime(one.until))), fact(rehearsalStrings.by, sayActor(one.actor)),
  fact(rehearsalStrings.polls, rehearsalStrings.count(one.pollCount)),
];

/** @param {Rehearsal} one */
function triedRules({ gate }) {
  const rules = RULES.filter((rule) => gate[rule]);
  if (rules.length === 0) return el("li", null, rehearsalStrings.nothing);
  return rules.map((rule) => el("li", null,
    el("strong", null, strings.rule[rule]), ` · ${reach(rule, gate)}`,
    el("p", { class: "gate-message", dir: "auto" }, messageText(gate[rule]?.message))));
}

/** @param {Rehearsal} one */
function addresses(one) {
  const names = /** @type {Record<string, string>} */ (feedStrings.names);
  const paths = { ...one.feeds, ...one.ownFeeds };
  const choice = el("select", { name: "feed" }, Object.keys(paths).map((name) => el("option", { value: name }, names[name] ?? name)));
  choice.value = one.platform === "android" ? "launchgate" : "bellerophon";
  const shown = el("div", { class: "rehearsal-address" });
  function paint() {
    const address = feedsOrigin() + paths[choice.value];
    show(shown,
      el("div", null,
        el("code", null, address.split(/(?<=\/)/).flatMap((part) => [part, el("wbr", null)])),
        copyButton(strings.copy, () => address, { name: feedStrings.copyAddress, class: "button quiet small" }),
        choice.value === "gate" ? el("p", { class: "hint" }, rehearsalStrings.unsigned) : null),
      qrDrawing(address, rehearsalStrings.code));
  }
  choice.addEventListener("change", paint);
  paint();
  return el("section", null, el("h2", null, rehearsalStrings.address), field(choice, { label: rehearsalStrings.which }).element, shown,
    el("p", { class: "hint" }, feedStrings.hint));
}

/** @param {Rehearsal} one */
function pollTable({ polls, pollCount }) {
  if (polls.length === 0) return el("p", { class: "empty", role: "status" }, rehearsalStrings.noPolls);
  const { columns } = rehearsalStrings;
  return [
    pollCount > polls.length ? el("p", { class: "hint" }, rehearsalStrings.last(polls.length)) : null,
    el("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": rehearsalStrings.pollsTitle },
      el("table", { class: "plan-table" },
        el("thead", null, el("tr", null, Object.values(columns).map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", null, polls.map((poll) => el("tr", null,
          el("td", null, timeOfDay(poll.at)),
          el("td", null, poll.feed),
          el("td", null, poll.version ?? rehearsalStrings.noVersion),
          el("td", null, poll.unchanged ? rehearsalStrings.unchanged : rehearsalStrings.fresh),
          el("td", null, poll.userAgent ?? "")))))),
  ];
}
