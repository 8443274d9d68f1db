// @ts-check
/** The "Until" field: until somebody opens it, for a while, or until a time, which is always shown in full with its zone. */
import { el, show } from "../dom.js";
import { dialogStrings } from "../strings/dialogs.js";
import { instantOf, ownZone, saidTime, serverNow, tick } from "../time.js";
import { instantOf as instantIn, offsetAt, sayOffset, wallAt } from "../zones.js";
import { field } from "./field.js";
import { toldTime } from "./told-time.js";

/** The minutes offered. */
const SPANS = [30, 60, 120];
const MINUTE = 60_000;

const FOLDS = /** @type {const} */ (["earlier", "later"]);

/**
 * The instants that a time of the reader's clock stands for: none if the clocks skip it, two if it comes twice.
 * @param {string} wall
 */
function instantsOf(wall) {
  if (instantOf(wall) === null) return [];
  return [...new Set(FOLDS.flatMap((fold) => instantIn(wall, ownZone, fold) ?? []))].map((at) => new Date(at).toISOString());
}

/**
 * An instant as the field writes it. The zone is the one in which it is read, also where the computer's has changed since.
 * @param {string} time
 */
const wallOf = (time) => wallAt(Date.parse(time), ownZone);

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
  /** Which one is meant, for a time that comes twice. */
  const choices = el("div", { class: "chips", role: "group", "aria-label": dialogStrings.block.untilWhich });
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

  /** @param {string} one of two instants */
  function choose(one) {
    instant = one;
    tell();
    at.error(null);
    time.focus();
    show(choices);
    // To the dialog it is as if it were typed; to the field it is not.
    choices.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function settle() {
    at.element.hidden = choice.value !== "time";
    show(choices);
    if (choice.value === "") instant = null;
    else if (choice.value === "time") settleTime();
    else instant = new Date(Math.ceil((serverNow() + Number(choice.value) * MINUTE) / 1000) * 1000).toISOString();
    tell();
  }

  function settleTime() {
    const instants = instantsOf(time.value);
    instant = current && time.value === wallOf(current) ? current : instants.length === 1 ? instants[0] : null;
    if (instants.length < 2 || instant !== null) return;
    show(choices, instants.map((one, index) => el("button", { type: "button", class: "chip", on: { click: () => choose(one) } },
      dialogStrings.block.untilFold[FOLDS[index]](sayOffset(offsetAt(Date.parse(one), ownZone))))));
  }

  /** Says the chosen end in full. */
  function tell() {
    const lifts = instant;
    const spoken = lifts === null ? "" : saidTime(lifts);
    // What counts from publishing gets no nearer.
    say = lifts !== null && choice.value === "time" ? () => saidTime(lifts) : () => spoken;
    said.tell(say);
  }
  for (const control of [choice, time]) for (const event of ["input", "gh-restored"]) control.addEventListener(event, settle);
  settle();

  const element = el("div", { class: "until", "data-together": "" },
    el("div", { class: "until-row" }, chosen.element, at.element), said.element, choices);
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
    controls: [choice, time, choices],
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
      : !time.value ? dialogStrings.block.untilMissing
        : choices.childElementCount > 0 ? dialogStrings.block.untilTwice
          : instantOf(time.value) === null ? dialogStrings.block.untilWrong : dialogStrings.block.untilSkipped),
  };
}
