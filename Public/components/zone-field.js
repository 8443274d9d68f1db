// @ts-check
/** A time zone, found by typing a city or part of the zone's name, with its offset at the chosen times. */
import { el, show } from "../dom.js";
import { newWindowStrings } from "../strings/new-window.js";
import { serverNow } from "../time.js";
import { allZones, offsetAt, sayOffset, zoneNamed, zonesMeant } from "../zones.js";
import { field } from "./field.js";

/** @param {string} first */
export function zoneField(first) {
  const list = el("datalist", { id: "zones" });
  const input = el("input", {
    name: "zone", list: "zones", value: first, autocomplete: "off", autocapitalize: "none", spellcheck: "false", required: true,
    on: {
      focus: () => {
        if (list.options.length === 0) show(list, allZones().map((zone) => el("option", { value: zone, label: labelOf(zone) })));
        // The list is filtered by the field's text. Select it all, so that the next letter replaces it.
        input.select();
      },
      change: () => {
        const [meant, ...others] = zonesMeant(input.value);
        const isClear = meant !== undefined && others.length === 0;
        zone.error(isClear ? null : meant ? newWindowStrings.zoneUnclear([meant, ...others]) : newWindowStrings.zoneUnknown);
        if (!isClear || meant === input.value) return;
        input.value = meant;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      },
    },
  });
  const zone = field(input, { label: newWindowStrings.zone, hint: newWindowStrings.zoneHint, after: [list] });
  return {
    element: zone.element,
    field: zone,
    /** Null while the text names no zone. */
    value: () => zoneNamed(input.value),
    /**
     * Shows the offset at start and end; the clocks may change in between.
     * @param {number | null} start
     * @param {number | null} end
     */
    say(start, end) {
      const name = zoneNamed(input.value);
      if (!name) return zone.hint(newWindowStrings.zoneHint);
      const offset = sayOffset(offsetAt(start ?? serverNow(), name));
      const later = end === null ? offset : sayOffset(offsetAt(end, name));
      zone.hint(later !== offset
        ? newWindowStrings.offsets(offset, later)
        : (start === null ? newWindowStrings.offsetNow : newWindowStrings.offset)(offset));
    },
  };
}

/** @param {string} zone */
const labelOf = (zone) => sayOffset(offsetAt(serverNow(), zone));
