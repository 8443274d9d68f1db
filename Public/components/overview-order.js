// @ts-check
/** In which order apps stand: worst first when the overview is entered, and from then on each where it was. */
import { STATES } from "../gate.js";
import { store } from "../store.js";

/** @typedef {import("../api.js").Target} Target */
/** @typedef {[app: string, targets: Target[]]} Group */

/**
 * When the next window of a target is due; after every time for one without.
 * @param {Target} target
 */
const nextDue = (target) => store.windowsOf(target)[0]?.due ?? "~";

/** @param {Target} target */
const rank = (target) => STATES.indexOf(target.state);

/** @param {Target[]} targets */
const leading = (targets) => {
  const worst = Math.min(...targets.map(rank));
  const such = targets.filter((target) => rank(target) === worst);
  return {
    worst, since: such.map((target) => target.since).sort()[0],
    due: targets.map(nextDue).sort()[0],
  };
};

/**
 * Blocked longest first, then the lesser states, then what happens next, then by name.
 * @param {Group[]} groups
 */
function worstFirst(groups) {
  const keyed = groups.map(([app, targets]) => ({ app, name: store.appName(app), ...leading(targets) }));
  return keyed.sort((one, other) => {
    if (one.worst !== other.worst) return one.worst - other.worst;
    if (STATES[one.worst] === "blocked" && one.since !== other.since) return one.since < other.since ? -1 : 1;
    if (one.due !== other.due) return one.due < other.due ? -1 : 1;
    return one.name.localeCompare(other.name);
  }).map(({ app }) => app);
}

export class OverviewOrder {
  /** @type {string[]} */
  #apps = [];

  /**
   * An app whose state has changed stays where somebody has just looked at it; a new one comes last.
   * @param {Group[]} groups
   */
  apply(groups) {
    const known = new Set(this.#apps);
    this.#apps.push(...worstFirst(groups.filter(([app]) => !known.has(app))));
    const place = new Map(this.#apps.map((app, index) => [app, index]));
    return [...groups].sort(([one], [other]) => (place.get(one) ?? 0) - (place.get(other) ?? 0));
  }

  /**
   * Whether worst first would be another order by now.
   * @param {Group[]} groups
   */
  isOld(groups) {
    const wanted = worstFirst(groups);
    return this.apply(groups).some(([app], index) => app !== wanted[index]);
  }

  renew() {
    this.#apps = [];
  }
}
