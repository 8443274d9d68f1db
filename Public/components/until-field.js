// @ts-check
/** "Until": somebody opens it, for a while, or at a time; always said in full, with the zone. */
import { el } from "../dom.js";
import { dialogStrings } from "../strings/dialogs.js";
import { instantOf, saidTime, serverNow, tick, wallOf } from "../time.js";
import { field } from "./field.js";

/** Minutes that are offered. */
const SPANS = [30, 60, 120];
const MINUTE = 60_000;

/** @param {string | undefined} current when the kill switch in force lifts itself */
export function untilField(current) {
  const choice = el("select", { name: "untilChoice" },
    el("option", { value: "" }, dialogStrings.block.untilOpened),
    SPANS.map((minutes) => el("option", { value: String(minutes) }, dialogStrings.block.untilFor(minutes))),
    el("option", { value: "time" }, dialogStrings.block.untilTime));
  const time = el("input", { type: "datetime-local", name: "untilTime", step: 60 });
  const chosen = field(choice, { label: dialogStrings.block.until });
  const at = field(time, { label: dialogStrings.block.untilAt });
  const said = el("p", { class: "hint", "aria-live": "polite" });
  if (current) {
    choice.value = "time";
    time.value = wallOf(current);
  }

  /**
   * Fixed for a minute, so that the same press twice asks for the same time.
   * @type {string | null}
   */
  let instant = null;

  function settle() {
    at.element.hidden = choice.value !== "time";
    if (choice.value === "") instant = null;
    else if (choice.value === "time") instant = current && time.value === wallOf(current) ? current : instantOf(time.value);
    else instant = new Date(Math.ceil((serverNow() + Number(choice.value) * MINUTE) / 1000) * 1000).toISOString();
    said.textContent = instant ? saidTime(instant) : "";
  }
  for (const control of [choice, time]) for (const event of ["input", "gh-restored"]) control.addEventListener(event, settle);
  settle();

  const element = el("div", { class: "until", "data-together": "" }, el("div", { class: "until-row" }, chosen.element, at.element), said);
  const gone = new AbortController();
  let wasShown = false;
  // "For 30 minutes" is meant from when it is published, however long one writes.
  tick(() => {
    if (!element.isConnected) return wasShown && gone.abort();
    wasShown = true;
    const from = serverNow() + Number(choice.value) * MINUTE;
    if (SPANS.includes(Number(choice.value)) && instant && from - Date.parse(instant) >= MINUTE) {
      choice.dispatchEvent(new CustomEvent("gh-restored"));
    }
  }, gone.signal);

  return {
    element,
    field: at,
    controls: [choice, time],
    value: () => instant,
    /**
     * Where no other end was chosen than the one that was in force, it follows the one that is.
     * @param {string | undefined} is
     */
    follow(is) {
      if (instant !== (current ?? null) || choice.value !== (current ? "time" : "")) return;
      current = is;
      choice.value = is ? "time" : "";
      time.value = is ? wallOf(is) : "";
      settle();
    },
    /** Where a time is wanted and there is none, what is to be said of that. */
    missing: () => (choice.value !== "time" || instant !== null
      ? null
      : time.value ? dialogStrings.block.untilWrong : dialogStrings.block.untilMissing),
  };
}
