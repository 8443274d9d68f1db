// @ts-check
/** Asks before a window of the schedule is cancelled. */
import { cancelWindow, window as readWindow } from "../api-schedule.js";
import { el } from "../dom.js";
import { lastActor, sayActor, sayTargets, spanOf } from "../gate.js";
import { afterwards, store } from "../store.js";
import { scheduleStrings } from "../strings/schedule.js";
import { saidMoment } from "../time.js";
import { openConfirmDialog } from "./confirm-dialog.js";
import { unnamedTargets } from "./target-list.js";
import { windowLine } from "./targets.js";

/**
 * Names a window by its targets and start, which no two windows share.
 * @param {import("../api-schedule.js").Window} window
 */
export const aboutWindow = (window) => scheduleStrings.window(sayTargets(window.targets), saidMoment(spanOf(window).start));

/**
 * Whether the person signed in may change the window, which changes it for all of its targets. An answer leaves out those that they may
 * not see; for people who may see all, it leaves out only what does not fit.
 * @param {import("../api-schedule.js").Window} window
 */
export const mayChange = (window) => (!window.omitted || store.covers(null))
  && window.targets.every(({ app }) => store.may("operator", app));

/**
 * The window is read once more just before the request is sent, which names its revision: one that somebody has edited is not cancelled
 * unread, and one that has begun is not kept from ending.
 * @param {import("../api-schedule.js").Window} window
 * @param {() => void} [done] called once the page knows that it is cancelled
 */
export function openCancelDialog(window, done) {
  let seen = window;
  async function look() {
    const now = await readWindow(String(window.id));
    const isOver = now.state !== "pending" && now.state !== "missed";
    // Cancelled already, perhaps by an earlier press without an answer.
    if (now.state === "cancelled" || (!isOver && now.revision === seen.revision && now.state === seen.state)) return null;
    seen = now;
    await store.reloadWindows();
    return [
      el("p", null, (isOver ? scheduleStrings.overtakenBy : scheduleStrings.cancelRenewed)(sayActor(lastActor(now)))), windowLine(now),
    ];
  }

  openConfirmDialog({
    title: scheduleStrings.cancelTitle(aboutWindow(window), store.environment),
    text: spanOf(window).began ? scheduleStrings.cancelBegunText : scheduleStrings.cancelText,
    about: unnamedTargets(window.targets),
    stay: scheduleStrings.stay, look, run: () => cancelWindow(window.id, seen.revision),
    done: () => void afterwards(store.reloadWindows()).then(done),
  });
}
