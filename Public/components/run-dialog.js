// @ts-check
/** Runs a window now: shows its plan first, and asks for the confirmation that the effect requires. */
import { runWindow } from "../api-schedule.js";
import * as api from "../api.js";
import { doesText, sayTarget } from "../gate.js";
import { store } from "../store.js";
import { scheduleStrings } from "../strings/schedule.js";
import { openPlanDialog } from "./plan-dialog.js";

/** @param {import("../api-schedule.js").Window} window */
export const openRunDialog = (window) => openPlanDialog({
  title: scheduleStrings.runTitle(doesText(window.set), window.targets.map(sayTarget).join(", ")),
  name: scheduleStrings.runName(window.targets.map(sayTarget).join(", ")),
  working: scheduleStrings.running,
  ask: async () => /** @type {import("../documents.js").Plan} */ ((await runWindow(window.id, { dryRun: true }, api.newKey())).plan),
  send: async (terms, { keyFor }) => {
    await runWindow(window.id, terms, keyFor(terms));
    await store.reloadWindows();
  },
});
