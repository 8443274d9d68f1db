// @ts-check
/** What a window does: which rule, which version, and the text in each language. */
import { el } from "../dom.js";
import { stateOf } from "../gate.js";
import { dialogStrings } from "../strings/dialogs.js";
import { newWindowStrings } from "../strings/new-window.js";
import { strings } from "../strings/shared.js";
import { targetStrings } from "../strings/target.js";
import { ACTIONS } from "../window-draft.js";
import { LONGEST, messageChips, RETRY } from "./block-dialog.js";
import { field } from "./field.js";
import { storeTick } from "./store-tick.js";

/** @typedef {import("../window-draft.js").Draft} Draft */
/** @typedef {import("./field.js").Field} Field */

/** @param {Partial<Draft>} draft */
export function ruleFields(draft) {
  const action = field(
    el("select", { name: "action" }, Object.entries(newWindowStrings.actions).map(([value, text]) => el("option", { value }, text))),
    { label: newWindowStrings.action },
  );
  if (draft.action && Object.hasOwn(ACTIONS, draft.action)) action.control.value = draft.action;
  const version = field(
    el("input", {
      name: "version", autocomplete: "off", autocapitalize: "none", spellcheck: "false", class: "mono", value: draft.version ?? "",
    }),
    { label: newWindowStrings.version },
  );
  const tick = storeTick(version.control, newWindowStrings.storeChecked);
  const text = el("textarea", { name: "message", rows: 3, dir: "auto", required: true, value: draft.message ?? "" });
  const message = field(text, { label: dialogStrings.block.message, counter: LONGEST, after: [messageChips(text)] });
  // The languages that the window has; emptying a text removes its language.
  const others = Object.entries(draft.others ?? {}).map(([tag, said]) => /** @type {const} */ ([tag, field(
    el("textarea", { name: `message ${tag}`, rows: 2, dir: "auto", lang: tag, value: said }),
    { label: newWindowStrings.messageIn(nameOfLanguage(tag), tag), counter: LONGEST },
  )]));
  const retry = field(
    el("input", {
      type: "number", name: "retryInterval", min: RETRY.least, max: RETRY.most, step: 1, inputmode: "numeric", value: draft.retry ?? "",
    }),
    { label: `${dialogStrings.block.retry} (${strings.seconds})`, hint: newWindowStrings.retryHint, note: strings.optional },
  );

  const acted = () => ACTIONS[action.control.value];
  const isKill = () => acted().rule === "killSwitch";
  const seconds = () => retry.control.value.trim();
  const isRetryWrong = () => isKill() && (retry.control.validity.badInput
    || (seconds() !== "" && !(/^\d+$/.test(seconds()) && Number(seconds()) >= RETRY.least && Number(seconds()) <= RETRY.most)));

  function messages() {
    const written = message.control.value.trim();
    const more = others.map(([tag, one]) => [tag, one.control.value.trim()]).filter(([, said]) => said !== "");
    return more.length > 0 ? { default: written, ...Object.fromEntries(more) } : written;
  }

  return {
    elements: [
      el("div", { class: "two" }, action.element, version.element), message.element, others.map(([, one]) => one.element), retry.element,
      tick.element,
    ],
    isBlock: isKill,
    /** Whether what is chosen keeps people out. */
    restricts: () => ["killSwitch", "requiredUpdate"].includes(acted().rule),
    /** The state that gives the colour. */
    state: () => stateOf({ [acted().rule]: {} }),

    /** Shows the fields of the chosen action. */
    paint() {
      version.element.hidden = !acted().version;
      retry.element.hidden = !isKill();
      tick.element.hidden = acted().version !== "minimumVersion";
    },

    /** @returns {Record<string, object> | null} null while something is missing */
    value() {
      const { rule, version: member } = acted();
      if (message.control.value.trim() === "" || (member && version.control.value.trim() === "") || isRetryWrong()) return null;
      return {
        [rule]: {
          message: messages(), ...(member ? { [member]: version.control.value.trim() } : {}),
          ...(rule === "alert" ? { blocking: false } : {}), ...(isKill() && seconds() !== "" ? { retryInterval: Number(seconds()) } : {}),
        },
      };
    },

    /** The fields as typed, for the draft. */
    read: () => ({
      action: action.control.value, version: version.control.value, message: message.control.value, retry: retry.control.value,
      others: Object.fromEntries(others.map(([tag, one]) => [tag, one.control.value])),
    }),

    /** @returns {[boolean, Field, string][]} whether each field is missing, with its error */
    needs: () => [
      [!version.element.hidden && version.control.value.trim() === "", version, targetStrings.ruleDialog.versionMissing],
      [message.control.value.trim() === "", message, dialogStrings.block.messageMissing],
      [isRetryWrong(), retry, dialogStrings.block.retryWrong],
      [!tick.element.hidden && tick.isMissing(), tick.field, targetStrings.ruleDialog.storeMissing],
    ],

    /**
     * Shows a refusal at its field.
     * @param {string} at the server's pointer
     * @param {string} detail
     * @returns {Field | undefined} the field that it is about, if it is one of these
     */
    refuse(at, detail) {
      const [, tag] = at.match(/\/message\/([^/]+)$/) ?? [];
      /** @type {[RegExp, Field][]} */
      const fields = [[/\/message(\/default)?$/, message], [/Version$/, version], [/\/retryInterval$/, retry]];
      const where = others.find(([other]) => other === tag)?.[1] ?? fields.find(([pattern]) => pattern.test(at))?.[1];
      where?.error(detail);
      return where;
    },
  };
}

/** @param {string} tag */
function nameOfLanguage(tag) {
  try {
    return new Intl.DisplayNames(undefined, { type: "language" }).of(tag) ?? tag;
  } catch {
    // The browser does not know the tag, so show it as it is.
    return tag;
  }
}
