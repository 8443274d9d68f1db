// @ts-check
/** Deletes an app or one of its platforms: shows first whom that lets in, and deletes only after the typed confirmation. */
import { planRemoval, remove } from "../api-apps.js";
import * as api from "../api.js";
import { el } from "../dom.js";
import { sayTarget } from "../gate.js";
import { publish } from "../publish.js";
import { nameOf, store } from "../store.js";
import { appStrings } from "../strings/app.js";
import { strings } from "../strings/shared.js";
import { effectsView } from "./effects-view.js";
import { openPlanDialog } from "./plan-dialog.js";
import { differenceTable, omittedNote, warningList } from "./plan-view.js";

/**
 * @param {{ app: string, platform?: string }} name
 * @returns {Promise<boolean>} whether it is gone
 */
export async function openDeleteDialog({ app, platform }) {
  const targets = [...store.targets.values()].filter((target) => target.app === app && (!platform || target.platform === platform));
  const blocked = targets.filter((target) => target.state === "blocked");
  const isGone = () => (platform ? !store.targets.has(nameOf({ app, platform })) : !store.apps.has(app));
  // Lists that cannot be read say nothing.
  const isSeen = () => store.reload().then(isGone, () => false);
  const gone = await openPlanDialog({
    title: appStrings.deleteTitle(platform ? sayTarget({ app, platform }) : store.appName(app), store.environment),
    working: appStrings.deleting,
    text: [platform ? appStrings.deletePlatformText : appStrings.dangerText, blocked.length > 0
      ? el("strong", { class: "block-note" }, ` ${appStrings.deleteBlocked(blocked.map(sayTarget))}`)
      : null],
    view: removalView,
    ask: () => planRemoval({ app, platform }),
    send: async (terms, { keyFor, signal, uncertain }) => {
      const result = await publish((own) => remove({ app, platform }, terms, own), {
        key: keyFor(terms), targets, signal, uncertain, namesRevisions: false, isSeen,
      });
      if (result.kind === "refused") throw new api.APIError(result.problem, result.retryAfter);
      if (result.kind !== "done") throw new api.NoAnswer();
      return true;
    },
  });
  return gone === true;
}

/** @param {import("../documents.js").Plan} plan */
function removalView(plan) {
  return [
    effectsView(plan, { removal: true }), warningList(plan.warnings),
    plan.diff.length > 0
      ? el("details", { class: "rest", "data-key": "goes" }, el("summary", null, appStrings.goes),
        differenceTable(plan.diff, { caption: strings.dialog.changes, targets: true }))
      : null,
    omittedNote(plan),
  ];
}
