// @ts-check
/** The terminal command that does the same as a change: for run books, and for the colleague without a browser. */
import { messageText } from "./gate.js";
import { nameOf, store } from "./store.js";

/**
 * One word of a POSIX shell.
 * @param {string} text
 */
function quote(text) {
  return /^[A-Za-z0-9_./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * The command, or null for a change that has no command of its own.
 * @param {import("./api.js").Change} change
 * @returns {string | null}
 */
export function gatectlFor(change) {
  if (change.targets.length !== 1) return null;
  const [target] = change.targets;
  const words = command(change, target);
  if (!words) return null;
  if (change.reason) words.push("-r", quote(change.reason));
  const restricts = words[1] !== "open";
  if (restricts && store.status?.environment.protected) words.push("--confirm", `${target.app}/${target.platform}`);
  return words.join(" ");
}

/** @param {import("./api.js").Change} change @param {import("./api.js").ChangedTarget} target */
function command(change, target) {
  const kill = target.after.killSwitch;
  if (!kill && target.before.killSwitch) return ["gatectl", "open", target.app, target.platform];
  if (!kill || JSON.stringify(kill) === JSON.stringify(target.before.killSwitch)) return null;
  const words = ["gatectl", "kill", target.app, target.platform, "-m", quote(messageText(kill.message))];
  const usual = store.targets.get(nameOf(target))?.settings.defaultRetryInterval;
  if (kill.retryInterval && kill.retryInterval !== usual) words.push("--retry", `${kill.retryInterval}s`);
  if (kill.until) words.push("--until", kill.until);
  return words;
}
