// @ts-check
/** What the single keys do, and the switch that turns them off. */
import { el, uniqueId } from "../dom.js";
import { icon } from "../icons.js";
import { keysStrings } from "../strings/keys.js";
import { strings } from "../strings/shared.js";
import { focusReturn } from "./focus-return.js";

/** @param {{ isOn: boolean, turn: (on: boolean) => void }} options */
export function openKeysDialog({ isOn, turn }) {
  const titleId = uniqueId("keys");
  const giveBack = focusReturn();
  const ended = new AbortController();
  /** @type {HTMLInputElement} */
  const box = el("input", { type: "checkbox", checked: isOn, on: { change: () => turn(box.checked) } });
  /** @type {HTMLDialogElement} */
  const dialog = el("dialog", {
    class: "change-dialog keys-dialog", "aria-labelledby": titleId, on: { close: () => { ended.abort(); dialog.remove(); giveBack(); } },
  },
    el("div", { class: "dialog-head" }, el("h2", { id: titleId }, keysStrings.title),
      el("button", {
        type: "button", class: "icon-button", "aria-label": strings.close, on: { click: () => dialog.close() },
      }, icon("close"))),
    el("div", { class: "dialog-body" },
      el("dl", null, keysStrings.list.map(([key, meaning]) => [el("dt", null, el("kbd", null, key)), el("dd", null, meaning)])),
      el("p", { class: "hint" }, keysStrings.hint),
      el("label", { class: "check" }, box, keysStrings.single)));
  // Leaving the screen closes it.
  addEventListener("hashchange", () => dialog.close(), { signal: ended.signal });
  document.body.append(dialog);
  dialog.showModal();
}
