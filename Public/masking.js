// @ts-check
/** Rules that are set although a library in the app never shows them, in whole: what is shown instead, and who gets in. */
import { hasWord, leadingRule, librariesIn, RULES } from "./gate.js";

/** @typedef {import("./documents.js").RuleName} RuleName */

/** What a phone is told of when it asks with its version, whatever its library reads in the document for everybody. */
const TOLD_IF_ASKED = ["forceUpdate", "requiredUpdate"];

/**
 * What the libraries in the app show of a target's rules.
 * @param {import("./documents.js").Target} target
 * @param {string[]} [polled] the documents polled within a day
 */
export function maskingOf(target, polled) {
  const { gate } = target;
  const libraries = librariesIn(target, polled);
  /** @param {RuleName} rule */
  const never = (rule) => libraries.filter((library) => !hasWord(library, rule));
  /** @param {RuleName} rule */
  const isUnseen = (rule) => libraries.length > 0 && never(rule).length === libraries.length;
  const leading = leadingRule(gate);
  const blind = leading ? never(leading) : [];
  /** @param {RuleName} rule */
  const shutsOut = (rule) => rule !== "optionalUpdate" && (rule !== "alert" || Boolean(gate.alert?.blocking));
  // Another rule may keep them out instead.
  const getIn = leading !== null && shutsOut(leading)
    && !RULES.some((rule) => rule !== leading && gate[rule] && shutsOut(rule) && blind.some((library) => hasWord(library, rule)));
  /** @type {"all" | "asking" | null} whether whoever has one of those gets in; `asking`: unless their phone asks with its version */
  const entry = !getIn ? null : TOLD_IF_ASKED.includes(leading) ? "asking" : "all";
  const seen = Object.fromEntries(Object.entries(gate).filter(([rule]) => !isUnseen(/** @type {RuleName} */ (rule))));
  return {
    /** The libraries that never show the leading rule. */
    blind,
    /** Whether no library in the app shows it. */
    isWhole: leading !== null && isUnseen(leading),
    getIn: entry, never, isUnseen,
    /** The leading rule of those that some library in the app shows. */
    leadingSeen: leadingRule(/** @type {import("./documents.js").Gate} */ (seen)),
  };
}
