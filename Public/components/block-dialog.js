// @ts-check
/** "Block Shop on iOS": the message people will see, how often their phones ask again, and what that means. */
import { changes } from "../api-history.js";
import { el, show } from "../dom.js";
import { endingOf, messageText, sayTarget } from "../gate.js";
import { nameOf, store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { strings } from "../strings/shared.js";
import { saidElement, saidMoment, serverNow } from "../time.js";
import { openChangeDialog } from "./change-dialog.js";
import { field, follow } from "./field.js";
import { untilField } from "./until-field.js";

/** @typedef {import("../documents.js").Target} Target */

/** The most characters of a message. */
export const LONGEST = 500;
export const RETRY = { least: 5, most: 3600 };

/**
 * The text that people see and how long it stays, which every block needs.
 * @param {string} text to begin with
 * @param {string} [current] when the block in force lifts itself
 */
export function blockFields(text, current) {
  const message = el("textarea", { name: "message", rows: 3, dir: "auto", required: true, value: text });
  const chips = messageChips(message);
  const messageField = field(message, {
    label: dialogStrings.block.message, hint: dialogStrings.block.messageHint, counter: LONGEST, after: [chips],
  });
  const until = untilField(current);
  return {
    message, messageField, chips, until,
    /** What is written; while that is nothing, a placeholder for the plan. */
    written: () => message.value.trim() || dialogStrings.block.empty,
    /**
     * @param {boolean} probe shows no errors, and does without a text
     * @returns {import("./field.js").Field[]} the fields that are missing
     */
    missing(probe) {
      const unset = until.missing();
      const lacksText = !probe && message.value.trim() === "";
      if (lacksText) messageField.error(dialogStrings.block.messageMissing);
      if (unset && !probe) until.field.error(unset);
      return [...(lacksText ? [messageField] : []), ...(unset ? [until.field] : [])];
    },
  };
}

/** @param {Target} target as it is now @param {import("./actions.js").Options} options */
export function openBlockDialog(target, { closed, done, seen } = {}) {
  const current = target.gate.killSwitch;
  let held = windowOf(target);
  const fallback = target.settings.defaultRetryInterval;
  let languages = current && typeof current.message === "object" ? current.message : null;

  const { message, messageField, chips, until, ...block } = blockFields(messageText(current?.message), endOf(target));
  const byWindow = el("p", { class: "hint" });
  const retry = el("input", {
    type: "number", name: "retryInterval", min: RETRY.least, max: RETRY.most, step: 1, inputmode: "numeric", required: true,
    value: String(current?.retryInterval ?? fallback),
  });
  const retryField = field(retry, { label: `${dialogStrings.block.retry} (${strings.seconds})`, hint: dialogStrings.block.retryHintPlain });

  // While an app opens gradually, a new text must not shut everybody out again by the way.
  let opening = current?.opening;
  const goOn = field(el("input", { type: "checkbox", name: "goOnOpening", checked: true }), { label: dialogStrings.block.goOn });
  goOn.element.classList.add("tick");
  const shuttingOut = el("p", { class: "callout" }, dialogStrings.block.shutsOutAgain);
  const isGoingOn = () => opening !== undefined && /** @type {HTMLInputElement} */ (goOn.control).checked && until.value() !== null;

  const preview = el("div", { class: "dialog-preview" });
  const returning = el("li");
  const lifting = el("li");
  const polls = target.reach?.pollsPerMinute ?? 0;
  // On a phone the keyboard leaves little room, so the preview is folded.
  const effects = el("details", { class: "effects", open: !matchMedia("(max-width: 640px)").matches },
    el("summary", null, strings.dialog.effects),
    el("p", null, dialogStrings.block.effectAll(store.appName(target.app), target.platform)),
    preview,
    el("ul", null,
      el("li", null, dialogStrings.block.effectInside),
      polls > 0 ? el("li", null, dialogStrings.block.effectPolls(polls)) : null,
      returning, lifting),
    languages
      ? el("p", { class: "hint" }, dialogStrings.block.otherLanguages(Object.keys(languages).filter((tag) => tag !== "default").join(", ")))
      : null);

  const seconds = () => (/^\d+$/.test(retry.value.trim()) ? Number(retry.value) : NaN);
  const validSeconds = () => seconds() >= RETRY.least && seconds() <= RETRY.most;

  function paint() {
    const lifts = until.value();
    byWindow.hidden = !held || lifts !== held.end.at;
    byWindow.textContent = held ? dialogStrings.block.byWindow(saidMoment(held.end), held.id) : "";
    goOn.element.hidden = opening === undefined;
    shuttingOut.hidden = opening === undefined || isGoingOn();
    lifting.hidden = lifts === null;
    show(lifting, lifts && saidElement(() => dialogStrings.block.effectUntil(until.say())));
    returning.textContent = validSeconds() ? dialogStrings.block.effectReturn(seconds()) : dialogStrings.block.retryHintPlain;
  }
  for (const control of [retry, goOn.control, ...until.controls]) {
    for (const event of ["input", "gh-restored"]) control.addEventListener(event, paint);
  }
  paint();

  /** @param {Target} now */
  function followEnd(now) {
    held = windowOf(now);
    until.follow(endOf(now));
    paint();
  }
  const ended = new AbortController();
  store.on("schedule", () => {
    const before = until.value();
    followEnd(store.targets.get(nameOf(target)) ?? target);
    // The plan on the screen is of the end before.
    if (until.value() !== before) until.element.dispatchEvent(new Event("input", { bubbles: true }));
  }, ended.signal);

  // It comes late: before the others it would take their place under a finger.
  void lastUsed(target).then((text) => { if (text) chips.append(chip(message, dialogStrings.block.lastUsed, text)); });

  openChangeDialog({
    title: titleOf(target), action: titleOf(target), restricts: true,
    rebase(now, base) {
      const [was, is] = [base, now].map(({ gate }) => gate.killSwitch);
      follow(message, messageText(was?.message), messageText(is?.message));
      follow(retry, String(was?.retryInterval ?? fallback), String(is?.retryInterval ?? fallback));
      opening = is?.opening;
      followEnd(now);
      languages = is && typeof is.message === "object" ? is.message : null;
      return { title: titleOf(now) };
    },
    tone: "restrict",
    targets: [target], seen,
    draft: `block ${target.app}/${target.platform}`,
    fields: { message: messageField, retryInterval: retryField, until: until.field, opening: goOn },
    body: [messageField.element, until.element, byWindow, goOn.element, shuttingOut, retryField.element],
    beside: effects,
    focus: message,
    closed: () => { ended.abort(); closed?.(); }, done, preview,
    compose(probe) {
      const missing = block.missing(probe);
      if (!validSeconds()) {
        if (!probe) retryField.error(dialogStrings.block.retryWrong);
        missing.push(retryField);
      }
      if (missing.length > 0) return missing;
      const lifts = until.value();
      return {
        set: {
          killSwitch: {
            message: languages ? { ...languages, default: block.written() } : block.written(),
            ...(seconds() === fallback ? {} : { retryInterval: seconds() }), ...(lifts ? { until: lifts } : {}),
            ...(isGoingOn() ? { opening } : {}),
          },
        },
      };
    },
  });
}

/**
 * The end of the running window that will open the block in force. A block that is changed is not the window's any more, so from then on
 * it needs that end itself.
 * @param {Target} target
 */
function windowOf(target) {
  const { killSwitch } = target.gate;
  const ending = killSwitch && !killSwitch.until ? endingOf(target) : null;
  const window = store.windowsOf(target).find(({ end }) => end === ending?.end);
  return ending?.opens && window && Date.parse(ending.end.at) > serverNow() ? { end: ending.end, id: window.id } : null;
}

/** @param {Target} target */
const endOf = (target) => target.gate.killSwitch?.until ?? windowOf(target)?.end.at;

/** @param {Target} target as it is now */
const titleOf = (target) =>
  (target.gate.killSwitch ? dialogStrings.block.change : dialogStrings.block.title)(sayTarget(target), store.environment);

/** @param {HTMLTextAreaElement} message @param {string} label @param {string} text */
const chip = (message, label, text) => el("button", {
  type: "button", class: "chip", title: text,
  on: { click: () => write(message, text) },
}, label);

/**
 * Puts a text in place of what is written, as if it were typed: the browser can take it back, so that one press loses no message.
 * @param {HTMLTextAreaElement} message @param {string} text
 */
function write(message, text) {
  message.focus();
  message.select();
  if (document.execCommand("insertText", false, text)) return;
  message.value = text;
  message.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Buttons that fill in the ready-made texts.
 * @param {HTMLTextAreaElement} message
 */
export const messageChips = (message) => el("div", { class: "chips", role: "group", "aria-label": dialogStrings.block.chips },
  chip(message, dialogStrings.block.maintenance, dialogStrings.block.maintenanceText),
  chip(message, dialogStrings.block.sale, dialogStrings.block.saleText));

/**
 * The most recent block message of this target other than the one in force.
 * @param {Target} target
 */
async function lastUsed(target) {
  if (target.gate.killSwitch) return null;
  try {
    const { items } = await changes({ app: target.app, platform: target.platform, limit: 50 });
    for (const change of items) {
      const mine = change.targets.find((changed) => changed.app === target.app && changed.platform === target.platform);
      const text = messageText(mine?.after.killSwitch?.message ?? mine?.before.killSwitch?.message);
      if (text) return text;
    }
  } catch {
    // Only a convenience: the two ready-made texts and the keyboard remain.
  }
  return null;
}
