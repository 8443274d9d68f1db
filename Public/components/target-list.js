// @ts-check
/** The targets of what is about many of them: a line per app, of which the first few are shown and the others are folded. */
import { el } from "../dom.js";
import { sayTargets } from "../gate.js";
import { store } from "../store.js";
import { planStrings } from "../strings/plan.js";
import { platformName, strings } from "../strings/shared.js";

/** How many lines are shown; the rest is folded. */
const MOST = 6;

/** @typedef {{ app: string, platform: string }[]} Targets */
/**
 * @typedef {{ key?: string, name?: (more: string) => string }} Fold  `key`: keeps the rest unfolded on a screen that is painted again;
 *   `name`: what unfolds it, for screens with several lists
 */

/**
 * `Shop – Android, iOS`, one line per app.
 * @param {Targets} targets @param {Fold} [fold]
 */
export function targetsByApp(targets, fold) {
  /** @type {Map<string, string[]>} */
  const apps = new Map();
  for (const { app, platform } of targets) apps.set(app, [...(apps.get(app) ?? []), platformName(platform)]);
  const lines = [...apps].map(([app, platforms]) => el("li", null, el("strong", null, store.appName(app)), ` – ${platforms.join(", ")}`));
  return folded(lines, fold);
}

/**
 * The same, beside words that only count the targets because they are too many to be named there; nothing beside others.
 * @param {Targets} targets @param {Fold} [fold]
 */
export const unnamedTargets = (targets, fold) =>
  (sayTargets(targets) === strings.targets(targets.length) ? targetsByApp(targets, fold) : null);

/**
 * Shows the first items and folds the rest, so that what follows stays in sight.
 * @param {HTMLElement[]} items @param {Fold} fold
 */
export function folded(items, { key, name } = {}) {
  const rest = items.slice(MOST);
  const more = planStrings.more(rest.length);
  return el("div", null,
    el("ul", null, items.slice(0, MOST)),
    rest.length === 0 ? null
      : el("details", { class: "rest", "data-key": key ?? null },
        el("summary", { "data-key": key ? `${key} more` : null, "aria-label": name ? name(more) : null }, more), el("ul", null, rest)));
}
