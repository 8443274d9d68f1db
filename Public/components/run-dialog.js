// @ts-check
/** Runs a window now: shows its plan first, and asks for the confirmation that the effect requires. */
import { doesText, sayTargets } from "../gate.js";
import { afterwards, store } from "../store.js";
import { scheduleStrings } from "../strings/schedule.js";
import { openPlanDialog } from "./plan-dialog.js";
import { unnamedTargets } from "./target-list.js";
import { windowRun } from "./window-run.js";

/** @param {import("../api-schedule.js").Window} window */
export const openRunDialog = (window) => openPlanDialog({
  title: scheduleStrings.runTitle(doesText(window.set), sayTargets(window.targets), store.environment),
  name: scheduleStrings.runName(sayTargets(window.targets), store.environment),
  working: scheduleStrings.running, about: unnamedTargets(window.targets), window,
  ...windowRun(window, {}, () => afterwards(store.reloadWindows())),
});
