// @ts-check
/** `#/history/1042`: one change, what it did to each target, and a way to revert it. */
import { change as readChange } from "../api-history.js";
import * as api from "../api.js";
import { difference, saySource } from "../difference.js";
import { el, show } from "../dom.js";
import { sayActor, sayTarget } from "../gate.js";
import { command } from "../gatectl.js";
import { icon } from "../icons.js";
import { nameOf, store } from "../store.js";
import { changeStrings } from "../strings/change.js";
import { historyStrings } from "../strings/history.js";
import { strings } from "../strings/shared.js";
import { absolute, serverNow } from "../time.js";
import { askToRevert } from "../components/actions.js";
import { sentence } from "../components/change-summary.js";
import { fact } from "../components/fact.js";
import { differenceTable } from "../components/plan-view.js";
import { failure, skeleton } from "../components/shell.js";
import { agoElement } from "../components/targets.js";
import { tryOnPhone } from "../components/try-on-phone.js";

/**
 * A gate to be tried as it was once. A kill switch whose end has come would show nothing, so it is tried without.
 * @param {import("../documents.js").Gate} gate
 * @returns {import("../documents.js").Gate}
 */
function asItWas(gate) {
  const { until, opening, ...kill } = gate.killSwitch ?? {};
  return until && Date.parse(until) <= serverNow() ? { ...gate, killSwitch: kill } : gate;
}

/** @param {import("../app.js").ViewContext} context */
export function changeView({ parameters, signal }) {
  const sequence = Number(parameters[0]);
  const body = el("div", null, skeleton());
  const title = el("h1", { tabindex: "-1" }, changeStrings.title(sequence));

  const about = { what: changeStrings.title(sequence), line: command("api", "GET", `/changes/${sequence}`) };
  async function load() {
    try {
      const change = await readChange(sequence);
      if (signal.aborted) return;
      // Kept, with what they have said, while the rest follows the targets.
      const phones = new Map(change.targets.map((target) => [nameOf(target), tryOnPhone(target, () => asItWas(target.after))]));
      const paint = () => show(body, content(change, phones));
      paint();
      store.on("targets", paint, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof api.APIError && error.status === 404) show(body, el("p", { class: "empty" }, changeStrings.gone));
      else show(body, failure(error, () => void load(), about));
    }
  }
  void load();
  return {
    title: changeStrings.title(sequence),
    element: el("div", null,
      el("p", { class: "crumbs" }, el("a", { href: "#/history" }, changeStrings.back)),
      el("div", { class: "view-head" }, title), body),
  };
}

/** @param {import("../documents.js").Change} change @param {Map<string, HTMLElement | null>} phones by target */
function content(change, phones) {
  return [
    el("p", { class: "lead" }, el("strong", null, sayActor(change.actor)), " ", sentence(change)),
    el("dl", { class: "fact-list" },
      fact(changeStrings.when, absolute(change.at), " · ", agoElement(change.at)),
      fact(changeStrings.source, saySource(change.source)),
      fact(
        changeStrings.reason,
        change.reason ? el("span", { dir: "auto" }, change.reason) : el("span", { class: "hint" }, changeStrings.noReason),
      ),
      change.requestId ? fact(changeStrings.request, el("code", null, change.requestId)) : null),
    change.targets.map((target) => targetSection(change, target, phones.get(nameOf(target)))),
    change.omitted ? el("p", { class: "hint" }, historyStrings.omitted(change.omitted)) : null,
    el("details", { class: "json", "data-key": "json" },
      el("summary", { "data-key": "json of it" }, changeStrings.json),
      el("pre", { tabindex: "0", "data-key": "json text" }, JSON.stringify(change, null, 2))),
    el("nav", { class: "pager", "aria-label": historyStrings.title },
      change.sequence > 1
        ? el("a", { href: `#/history/${(change.skipped?.from ?? change.sequence) - 1}`, "data-key": "previous" },
          icon("back"), changeStrings.previous) : null,
      change.sequence < store.sequence
        ? el("a", { href: `#/history/${change.sequence + 1}`, "data-key": "next" }, changeStrings.next, icon("forward")) : null),
  ];
}

/**
 * Whether the change deleted the target; then phones saw nothing afterwards.
 * @param {import("../documents.js").ChangedTarget} target
 */
const isRemoved = ({ settings }) => settings !== undefined && settings.after === null;

/**
 * @param {import("../documents.js").Change} change
 * @param {import("../documents.js").ChangedTarget} target
 * @param {HTMLElement | null} [phone] the button that tries it on a phone
 */
function targetSection(change, target, phone) {
  const rows = difference(target.before, target.after);
  const current = store.targets.get(nameOf(target));
  return el("section", { class: "panel" },
    el("h2", null,
      current
        ? el("a", { href: `#/t/${nameOf(target)}`, "data-key": `target ${nameOf(target)}` }, sayTarget(target))
        : sayTarget(target), " ",
      el("small", null, strings.revision(target.revision))),
    rows.length > 0
      ? differenceTable(rows, { caption: strings.dialog.changes })
      : el("p", { class: "hint" }, change.kind === "settings" ? changeStrings.settings : changeStrings.nothing),
    isRemoved(target)
      ? null : el("p", null, el("a", {
        href: `#/simulate?t=${nameOf(target)}&revision=${target.revision}`, "data-key": `then ${nameOf(target)}`,
        "aria-label": strings.about(`${changeStrings.seenThen}:`, sayTarget(target)),
      }, changeStrings.seenThen)),
    current && target.previous > 0 && rows.length > 0
      ? el("div", { class: "actions" },
        el("button", {
          type: "button", class: "button", "data-key": `revert ${nameOf(target)}`,
          "aria-label": strings.about(changeStrings.revertBefore, sayTarget(target)),
          on: { click: () => void askToRevert(target, target.previous) },
        }, changeStrings.revertBefore))
      : null,
    current ? phone : el("p", { class: "hint" }, changeStrings.targetGone));
}
