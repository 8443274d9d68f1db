// @ts-check
/** Asks before a window of the schedule is cancelled. */
import { cancelWindow } from "../api-schedule.js";
import { sayTargets, spanOf } from "../gate.js";
import { store } from "../store.js";
import { scheduleStrings } from "../strings/schedule.js";
import { saidMoment } from "../time.js";
import { openConfirmDialog } from "./confirm-dialog.js";

/**
 * Names a window by its targets and start, which no two windows share.
 * @param {import("../api-schedule.js").Window} window
 */
export const aboutWindow = (window) => scheduleStrings.window(sayTargets(window.targets), saidMoment(spanOf(window).start));

/** @param {import("../api-schedule.js").Window} window @param {() => void} [done] called once the page knows that it is cancelled */
export const openCancelDialog = (window, done) => openConfirmDialog({
  title: scheduleStrings.cancelTitle(aboutWindow(window), store.environment), text: scheduleStrings.cancelText, stay: scheduleStrings.stay,
  run: () => cancelWindow(window.id), done: () => void store.reloadWindows().then(done),
});
