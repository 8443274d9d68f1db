// @ts-check
/** Runs a window now: shows its plan first, and asks for the confirmation that the effect requires. */
import { doesText, sayTarget } from "../gate.js";
import { afterwards, store } from "../store.js";
import { scheduleStrings } from "../strings/schedule.js";
import { openPlanDialog } from "./plan-dialog.js";
import { windowRun } from "./window-run.js";

/** @param {import("../api-schedule.js").Window} window */
export const openRunDialog = (window) => openPlanDialog({
  title: scheduleStrings.runTitle(doesText(window.set), window.targets.map(sayTarget).join(", "), store.environment),
  name: scheduleStrings.runName(window.targets.map(sayTarget).join(", "), store.environment),
  working: scheduleStrings.running, window,
  ...windowRun(window, {}, () => afterwards(store.reloadWindows())),
});
