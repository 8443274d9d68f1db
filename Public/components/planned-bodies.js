// @ts-check
/** Which request each plan is of, so that what is sent is what was read, however the facts have moved since. */

/** @typedef {import("../documents.js").Plan} Plan */

/**
 * @template Body
 * @returns {{ keep: (plan: Plan | undefined, body: Body) => Plan, of: (plan: Plan) => Body }} `of`: a plan that came with a refusal is of
 *   what was sent last
 */
export function plannedBodies() {
  /** @type {WeakMap<Plan, Body>} */
  const bodies = new WeakMap();
  /** @type {Body} */
  let last;
  return {
    keep(plan, body) {
      // The answer to a dry run always has one.
      const kept = /** @type {Plan} */ (plan);
      bodies.set(kept, body);
      return kept;
    },
    of(plan) {
      last = bodies.get(plan) ?? last;
      return last;
    },
  };
}
