// @ts-check
/** The "Until" field: until somebody opens it, for a while, or until a time, which is always shown in full with its zone. */
import { el } from "../dom.js";
import { dialogStrings } from "../strings/dialogs.js";
import { instantOf, saidTime, serverNow, tick, wallOf } from "../time.js";
import { field } from "./field.js";
import { toldTime } from "./told-time.js";

/** The minutes offered. */
const SPANS = [30, 60, 120];
const MINUTE = 60_000;

/** @param {string | undefined} current when the kill switch in force will lift itself */
export function untilField(current) {
  const choice = el("select", { name: "untilChoice" },
    el("option", { value: "" }, dialogStrings.block.untilOpened),
    SPANS.map((minutes) => el("option", { value: String(minutes) }, dialogStrings.block.untilFor(minutes))),
    el("option", { value: "time" }, dialogStrings.block.untilTime));
  const time = el("input", { type: "datetime-local", name: "untilTime", step: 60 });
  const chosen = field(choice, { label: dialogStrings.block.until });
  const at = field(time, { label: dialogStrings.block.untilAt });
  const said = toldTime();
  if (current) {
    choice.value = "time";
    time.value = wallOf(current);
  }

  /**
   * Fixed for up to a minute, so that pressing twice asks for the same time.
   * @type {string | null}
   */
  let instant = null;
  /** @type {() => string} */
  let say = () => "";

  function settle() {
    at.element.hidden = choice.value !== "time";
    if (choice.value === "") instant = null;
    else if (choice.value === "time") instant = current && time.value === wallOf(current) ? current : instantOf(time.value);
    else instant = new Date(Math.ceil((serverNow() + Number(choice.value) * MINUTE) / 1000) * 1000).toISOString();
    const lifts = instant;
    const spoken = lifts === null ? "" : saidTime(lifts);
    // What counts from publishing gets no nearer.
    say = lifts !== null && choice.value === "time" ? () => saidTime(lifts) : () => spoken;
    said.tell(say);
  }
  for (const control of [choice, time]) for (const event of ["input", "gh-restored"]) control.addEventListener(event, settle);
  settle();

  const element = el("div", { class: "until", "data-together": "" },
    el("div", { class: "until-row" }, chosen.element, at.element), said.element);
  const gone = new AbortController();
  let wasShown = false;
  // "For 30 minutes" counts from publishing, however long the user writes, so move it along.
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
    /** The end in full, as it is to be said now; empty without one. */
    say: () => say(),
    /**
     * If the user has not changed the end, takes over the one that is in force now.
     * @param {string | undefined} is
     */
    follow(is) {
      if (instant !== (current ?? null) || choice.value !== (current ? "time" : "")) return;
      current = is;
      choice.value = is ? "time" : "";
      time.value = is ? wallOf(is) : "";
      settle();
    },
    /** The error to show if a time is required but missing or invalid; otherwise null. */
    missing: () => (choice.value !== "time" || instant !== null
      ? null
      : time.value ? dialogStrings.block.untilWrong : dialogStrings.block.untilMissing),
  };
}
