// @ts-check
/** When a window is: presets, start, end and zone, its length in words and its days as a line. */
import { el, show } from "../dom.js";
import { newWindowStrings } from "../strings/new-window.js";
import { ownZone } from "../time.js";
import { presets } from "../window-draft.js";
import { instantOf } from "../zones.js";
import { field } from "./field.js";
import { windowStrip } from "./window-strip.js";
import { zoneField } from "./zone-field.js";
import { zonedField } from "./zoned-field.js";

const MINUTE = 60_000;
/** The length of a block of more minutes than this is emphasised. */
const LONG = 12 * 60;

/**
 * @param {Partial<import("../window-draft.js").Draft>} draft
 * @param {() => void} edited called when a press has filled in something
 */
export function timesFields(draft, edited) {
  const zone = zoneField(draft.zone ?? ownZone);
  const ending = field(
    el("select", { name: "ending" }, Object.entries(newWindowStrings.endings).map(([value, text]) => el("option", { value }, text))),
    { label: newWindowStrings.ending },
  );
  const zoneName = () => zone.value() ?? "UTC";
  const start = zonedField(newWindowStrings.start, zoneName, edited);
  const end = zonedField(newWindowStrings.end, zoneName, edited);
  ending.control.value = draft.ending ?? "open";
  start.write(draft.start ?? "");
  end.write(draft.end ?? "");
  const chips = el("div", { class: "chips", role: "group", "aria-label": newWindowStrings.presets });
  const strip = windowStrip();
  const length = el("p", { class: "window-length", role: "status" });
  const isEndless = () => ending.control.value === "none";

  /** @param {number} index */
  function fill(index) {
    // Computed again: the same name means other days in another zone, or after midnight.
    const preset = presets(zoneName())[index];
    start.write(preset.start);
    end.write(preset.end);
    if (isEndless()) ending.control.value = "open";
    edited();
  }

  /** @param {string | null} zone */
  function paintPresets(zone) {
    const offered = zone ? presets(zone).map(({ name }) => name) : [];
    if ([...chips.children].map((chip) => chip.textContent).join() === offered.join()) return;
    show(chips, offered.map((name, index) => el("button", {
      type: "button", class: "chip", "data-key": `preset ${index}`, on: { click: () => fill(index) },
    }, name)));
  }

  /** @param {number | null} from @param {number | null} to @param {boolean} isBlock */
  function sayLength(from, to, isBlock) {
    const endless = isEndless();
    const minutes = from === null || to === null || endless ? null : Math.round((to - from) / MINUTE);
    const said = minutes === null ? "" : newWindowStrings.length(minutes);
    const isLong = isBlock && from !== null && (endless || (minutes ?? 0) > LONG);
    const told = minutes !== null && minutes <= 0
      ? newWindowStrings.backwards
      : isLong ? (endless ? newWindowStrings.endless : newWindowStrings.long(said)) : said;
    length.classList.toggle("callout", isLong);
    if (length.textContent !== told) length.textContent = told;
  }

  return {
    element: el("fieldset", null,
      el("legend", null, newWindowStrings.when),
      chips, el("div", { class: "two" }, start.element, end.element), el("div", { class: "two" }, zone.element, ending.element),
      strip.element, length),

    /** @param {{ state: string, isBlock: boolean }} rule what the window does */
    paint({ state, isBlock }) {
      end.element.hidden = isEndless();
      const name = zone.value();
      paintPresets(name);
      const [from, to] = [start, end].map((time) => {
        const asked = time.value();
        return name && asked ? instantOf(asked.wallTime, name, asked.fold) : null;
      });
      zone.say(from, isEndless() ? null : to);
      strip.show(from, isEndless() ? null : to ?? from, zoneName(), state);
      sayLength(from, to, isBlock);
    },

    /** The zone of both times. */
    zone: zoneName,

    /** @returns {object | null} null while something is missing */
    value() {
      const from = start.value();
      const to = isEndless() ? null : end.value();
      if (!from || (!isEndless() && !to) || !zone.value()) return null;
      return { start: from, ...(to ? { end: to, then: ending.control.value } : {}) };
    },

    /** The fields as typed, for the draft. */
    read: () => ({ zone: zone.field.control.value, start: start.read(), end: end.read(), ending: ending.control.value }),

    /** @returns {[boolean, import("./field.js").Field, string][]} whether each field is missing, with its error */
    needs: () => [
      [start.value() === null, start.field, newWindowStrings.startMissing],
      [!isEndless() && end.value() === null, end.field, newWindowStrings.endMissing],
      [zone.value() === null, zone.field, newWindowStrings.zoneUnknown],
    ],

    /**
     * Shows the instants that the server has understood.
     * @param {import("../api-schedule.js").Window} planned
     */
    say(planned) {
      start.say(planned.start);
      end.say(planned.end);
    },

    /**
     * Shows a refusal at its field.
     * @param {string} at the server's pointer
     * @param {string} detail
     * @param {import("../api-schedule.js").ZonedTime[]} choices
     * @returns {import("./field.js").Field | undefined} the field that it is about, if it is one of these
     */
    refuse(at, detail, choices) {
      const where = at.startsWith("/start") ? start : at.startsWith("/end") ? end : undefined;
      where?.refuse(detail, choices);
      return where?.field;
    },
  };
}
