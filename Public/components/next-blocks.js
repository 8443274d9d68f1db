// @ts-check
/** The windows that will shut people out again whom a dialog lets in: opening cancels none of them, so each can be cancelled here. */
import { el } from "../dom.js";
import { stateOf, willFail } from "../gate.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { aboutWindow, mayChange, openCancelDialog } from "./cancel-dialog.js";

/** How many are offered; the schedule has them all. */
const MOST = 3;
const SHUT = ["blocked", "updateRequired"];

/**
 * @param {import("../documents.js").Target[]} targets whose kill switches are lifted
 * @param {() => void} done called after one was cancelled
 */
export function nextBlocks(targets, done) {
  const opened = new Set(targets.map(nameOf));
  /** @param {{ app: string, platform: string }} name */
  const gateThen = (name) => {
    const gate = store.targets.get(nameOf(name))?.gate;
    return gate && opened.has(nameOf(name)) ? { ...gate, killSwitch: undefined } : gate;
  };
  const windows = [...new Set(targets.flatMap((target) => store.windowsOf(target)))].filter((window) =>
    window.state === "pending"
    && SHUT.includes(stateOf(/** @type {import("../documents.js").Gate} */ (window.set)))
    && !willFail(window, gateThen)
    && mayChange(window));
  if (windows.length === 0) return null;
  return el("div", { class: "actions" },
    windows.slice(0, MOST).map((window) => el("button", {
      type: "button", class: "button small", "data-key": `cancel ${window.id}`, on: { click: () => openCancelDialog(window, done) },
    }, dialogStrings.open.cancelToo(aboutWindow(window)))),
    windows.length > MOST
      ? el("a", { class: "button small", href: "#/schedule" }, dialogStrings.open.moreWindows(windows.length - MOST))
      : null);
}
