// @ts-check
/** "Open Shop on iOS": one confirmation without typing; shows who blocked it and why, and what stays in force afterwards. */
import { el } from "../dom.js";
import { messageText, reach, retryOf, RULES, sayTarget } from "../gate.js";
import { store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { strings } from "../strings/shared.js";
import { blockedBy } from "./blocked-by.js";
import { openChangeDialog } from "./change-dialog.js";
import { overField, overOf } from "./over-field.js";

/** @param {import("../documents.js").Target} target as it is now @param {import("./actions.js").Options} options */
export function openOpenDialog(target, { closed, done, seen } = {}) {
  const title = dialogStrings.open.title(sayTarget(target), store.environment);
  const over = overField();
  let current = target;
  /** @param {import("../documents.js").Target} now */
  const bodyOf = (now) => [...factsOf(now), now.gate.killSwitch ? over.element : null];
  openChangeDialog({
    title, action: title, tone: "release", targets: [target], seen, closed, done, opens: true, body: bodyOf(target), fields: { over },
    rebase: (now) => {
      current = now;
      return { title, body: bodyOf(now) };
    },
    compose: () => ({ set: { killSwitch: null }, ...overOf(over, [current]) }),
  });
}

/**
 * Who blocked it and why, what people see, and what stays in force afterwards.
 * @param {import("../documents.js").Target} target as it is now
 */
function factsOf(target) {
  if (!target.gate.killSwitch) return [el("p", { class: "callout" }, dialogStrings.open.already)];
  const others = RULES.filter((rule) => rule !== "killSwitch" && target.gate[rule]);
  return [
    el("p", null,
      dialogStrings.open.intro, " ",
      dialogStrings.open.returning(retryOf(target.gate, target.settings.defaultRetryInterval))),
    blockedBy(target),
    el("p", null, dialogStrings.open.message),
    el("blockquote", { class: "seen", dir: "auto" }, messageText(target.gate.killSwitch?.message)),
    others.length === 0 ? el("p", null, dialogStrings.open.nothingStays)
      : el("div", null,
        el("p", null, dialogStrings.open.stays),
        el("ul", null, others.map((rule) => el("li", null, el("strong", null, strings.rule[rule]), ` – ${reach(rule, target.gate)}`)))),
  ];
}
