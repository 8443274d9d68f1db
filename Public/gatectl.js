// @ts-check
/** The terminal command that does the same as a change: for run books, and for the colleague without a browser. */
import { messageText, RULES, same } from "./gate.js";
import { nameOf, store } from "./store.js";

/**
 * One word of a POSIX shell.
 * @param {string} text
 */
function quote(text) {
  return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * A short option with its value, written so that a value beginning with a hyphen is not taken for another option.
 * @param {string} name
 * @param {string} text
 */
const option = (name, text) => (text.startsWith("-") ? `${name}=${quote(text)}` : `${name} ${quote(text)}`);

/**
 * A command of these words; empty ones are left out.
 * @param {...(string | number | null | undefined | false)} words
 */
export const command = (...words) =>
  ["gatectl", ...words.flatMap((word) => (word || word === 0 ? quote(String(word)) : []))].join(" ");

/**
 * The command, or null for a change that has no command of its own.
 * @param {import("./documents.js").Change} change
 * @returns {string | null}
 */
export function gatectlFor(change) {
  if (change.targets.length !== 1) return null;
  const [target] = change.targets;
  const touched = RULES.filter((rule) => !same(target.before[rule], target.after[rule]));
  return touched.length === 1 ? gatectlForRule(target, touched[0], target.after[touched[0]], change.reason) : null;
}

/**
 * The command that puts this very rule into force, or clears it. Null where there is none: gatectl would take the message for standard
 * input or a file name, and it has no words for texts in several languages and for blocked versions.
 * @param {{ app: string, platform: string }} target
 * @param {import("./documents.js").RuleName} rule
 * @param {import("./documents.js").Rule | undefined} value
 * @param {string | null | undefined} reason
 * @returns {string | null}
 */
export function gatectlForRule({ app, platform }, rule, value, reason) {
  if (rule === "killSwitch" && value?.opening && value.until) {
    const over = Math.max(10, Math.round((Date.parse(value.until) - Date.parse(value.opening)) / 1000));
    return ["gatectl", "open", app, platform, "--over", `${over}s`, ...(reason ? [option("-r", reason)] : [])].join(" ");
  }
  if (typeof value?.message === "object" || value?.blockedVersions?.length) return null;
  const text = messageText(value?.message);
  if (/^(@|-$)/.test(text)) return null;
  const words = ["gatectl", COMMANDS[rule], app, platform];
  if (value) {
    const version = value.minimumVersion ?? value.optionalVersion;
    if (version) words.push(version);
    if (rule === "forceUpdate") words.push("--on", "--store-checked");
    words.push(option("-m", text));
    // Without a word about it, an alert that blocks by then would go on blocking.
    if (rule === "alert") words.push(value.blocking ? "--blocking" : "--dismissible");
    const usual = store.targets.get(nameOf({ app, platform }))?.settings.defaultRetryInterval;
    if (value.retryInterval && value.retryInterval !== usual) words.push("--retry", `${value.retryInterval}s`);
    if (value.until) words.push("--until", value.until);
  } else if (rule === "killSwitch") words[1] = "open";
  else words.push(rule === "forceUpdate" ? "--off" : "--clear");
  if (reason) words.push(option("-r", reason));
  const keepsOut = value && (rule === "alert" ? value.blocking : rule !== "optionalUpdate");
  if (keepsOut && store.status?.environment.protected) words.push("--confirm", `${app}/${platform}`);
  return words.join(" ");
}

/** @type {Record<import("./documents.js").RuleName, string>} */
const COMMANDS = { killSwitch: "kill", forceUpdate: "force", requiredUpdate: "require", optionalUpdate: "suggest", alert: "alert" };
