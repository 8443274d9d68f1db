// @ts-check
/** A wall time in a zone. The server says if clocks skip it or show it twice, and this field offers the server's choices. */
import { el, show } from "../dom.js";
import { newWindowStrings } from "../strings/new-window.js";
import { saidZoned } from "../time.js";
import { field } from "./field.js";
import { toldTime } from "./told-time.js";

/** @typedef {import("../api-schedule.js").ZonedTime} ZonedTime */

const nothing = () => "";

/**
 * @param {string} label
 * @param {() => string} zone
 * @param {() => void} changed called after a choice is taken
 */
export function zonedField(label, zone, changed) {
  const input = el("input", { type: "datetime-local", step: 60, required: true });
  const time = field(input, { label });
  const said = toldTime();
  const choices = el("div", { class: "chips", role: "group", "aria-label": newWindowStrings.choose });
  /** @type {"earlier" | "later" | undefined} */
  let fold;
  input.addEventListener("input", () => {
    fold = undefined;
    said.tell(nothing);
    show(choices);
  });

  /**
   * @param {ZonedTime} choice
   * @param {number} index
   * @param {boolean} twice
   */
  const chip = (choice, index, twice) => el("button", {
    type: "button", class: "chip",
    on: {
      click: () => {
        input.value = choice.wallTime.slice(0, 16);
        fold = twice ? (index === 0 ? "earlier" : "later") : undefined;
        time.error(null);
        show(choices);
        input.focus();
        changed();
      },
    },
  }, twice ? (index === 0 ? newWindowStrings.earlier : newWindowStrings.later)(choice.offset) : saidZoned(choice));

  return {
    element: el("div", { class: "until" }, time.element, said.element, choices),
    field: time,
    /** @returns {import("../api-schedule.js").AskedTime | null} */
    value: () => (input.value ? { wallTime: input.value, zone: zone(), ...(fold ? { fold } : {}) } : null),
    /** The text as typed. */
    read: () => input.value,
    /** @param {string} wallTime */
    write(wallTime) {
      input.value = wallTime;
    },
    /** @param {ZonedTime | null} instant what the server has understood */
    say(instant) {
      said.tell(instant ? () => saidZoned(instant) : nothing);
      time.error(null);
      show(choices);
    },
    /**
     * @param {string} detail
     * @param {ZonedTime[]} offered
     */
    refuse(detail, offered) {
      said.tell(nothing);
      time.error(detail);
      const twice = offered.length === 2 && offered[0].wallTime === offered[1].wallTime;
      show(choices, offered.map((choice, index) => chip(choice, index, twice)));
    },
  };
}
