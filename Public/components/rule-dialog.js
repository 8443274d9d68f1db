// @ts-check
/** Draft and review of one rule together: its fields, and beside them what the server says they would do. */
import { el } from "../dom.js";
import { messageText, sayTarget } from "../gate.js";
import { store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { planStrings } from "../strings/plan.js";
import { strings } from "../strings/shared.js";
import { targetStrings } from "../strings/target.js";
import { LONGEST, openBlockDialog } from "./block-dialog.js";
import { openChangeDialog } from "./change-dialog.js";
import { field } from "./field.js";
import { storeTick } from "./store-tick.js";

/** @typedef {import("../documents.js").Target} Target */
/** @typedef {import("../documents.js").Rule} Rule */
/** @typedef {import("../documents.js").RuleName} RuleName */
/** @typedef {import("./field.js").Field} Field */
/**
 * @typedef {{ fields: Record<string, Field>, rule: (errors: Field[], probe: boolean) => Rule, body: HTMLElement[],
 *   focus: HTMLElement }} Draft
 */

/**
 * The rules by their names in addresses.
 * @type {Record<string, RuleName>}
 */
export const RULE_OF_ROUTE = {
  kill: "killSwitch", min: "requiredUpdate", optional: "optionalUpdate", alert: "alert", force: "forceUpdate",
};

/** @param {RuleName} rule */
export const routeOfRule = (rule) => Object.keys(RULE_OF_ROUTE).find((name) => RULE_OF_ROUTE[name] === rule) ?? "";

/** @param {Target} target as it is now @param {RuleName} rule @param {import("./actions.js").Options} options */
export function openRuleDialog(target, rule, { closed, seen } = {}) {
  if (rule === "killSwitch") return openBlockDialog(target, { closed, seen });
  /** @param {Target} of */
  const begin = (of) => drafts[rule](of, of.gate[rule] ?? {});
  let draft = begin(target);
  const name = strings.rule[rule];
  const preview = el("div", { class: "dialog-preview" });
  // The preview is taller than the fields: the plan and what it asks for stand directly below them, not below it.
  const beside = el("details", { class: "effects", open: !matchMedia("(max-width: 640px)").matches },
    el("summary", null, targetStrings.preview.title), preview);
  const body = () => [el("p", { class: "hint" }, targetStrings.ruleHelp[rule]), ...draft.body];
  const title = targetStrings.ruleDialog.title(name, sayTarget(target), store.environment);
  openChangeDialog({
    title,
    action: targetStrings.ruleDialog.action(name, sayTarget(target), store.environment),
    tone: rule === "optionalUpdate" ? "neutral" : "restrict",
    restricts: rule === "forceUpdate" || rule === "requiredUpdate",
    targets: [target], seen, sheet: true, diff: true, closed, beside, preview,
    draft: `${rule} ${target.app}/${target.platform}`,
    fields: draft.fields,
    body: body(),
    rebase(now, base) {
      const [mine, was] = [draft, begin(base)];
      draft = begin(now);
      // Edited fields keep their values; the others follow what is in force now.
      for (const [name, { control }] of Object.entries(mine.fields)) {
        if (valueOf(control) === valueOf(was.fields[name].control)) continue;
        const next = draft.fields[name].control;
        if (isBox(next) && isBox(control)) next.checked = control.checked;
        else next.value = control.value;
        next.dispatchEvent(new CustomEvent("gh-restored"));
      }
      return { body: body(), fields: draft.fields };
    },
    focus: draft.focus,
    compose(probe) {
      /** @type {Field[]} */
      const missing = [];
      const value = draft.rule(missing, probe);
      return missing.length > 0 ? missing : { set: { [rule]: value } };
    },
  });
}

/** @param {import("./field.js").Control} control @returns {control is HTMLInputElement} */
const isBox = (control) => control instanceof HTMLInputElement && control.type === "checkbox";
/** @param {import("./field.js").Control} control */
const valueOf = (control) => (isBox(control) ? control.checked : control.value);

/**
 * Clears one rule.
 * @param {Target} target as it is now
 * @param {RuleName} rule
 * @param {import("./actions.js").Options} options
 */
export function openClearDialog(target, rule, { seen } = {}) {
  const title = targetStrings.ruleDialog.clearTitle(strings.rule[rule], sayTarget(target), store.environment);
  openChangeDialog({
    title, action: title, tone: "release", targets: [target], seen, diff: true,
    body: [el("p", null, targetStrings.ruleDialog.clearIntro)],
    compose: () => ({ set: { [rule]: null } }),
  });
}

/** @type {Record<Exclude<RuleName, "killSwitch">, (target: Target, rule: Rule) => Draft>} */
const drafts = {
  requiredUpdate(target, rule) {
    const version = versionField(target, "minimumVersion", targetStrings.ruleDialog.minimumVersion, rule.minimumVersion);
    const message = messageField(rule);
    const blocked = field(
      el("input", {
        name: "blockedVersions", autocomplete: "off", spellcheck: "false", class: "mono", value: (rule.blockedVersions ?? []).join(", "),
      }),
      { label: targetStrings.ruleDialog.blockedVersions, hint: targetStrings.ruleDialog.blockedVersionsHint, note: strings.optional },
    );
    const tick = storeTick(version.control);
    return {
      fields: { minimumVersion: version, message: message.field, blockedVersions: blocked },
      body: [version.element, message.field.element, blocked.element, tick.element], focus: version.control,
      rule(missing, probe) {
        const list = blocked.control.value.split(/[\s,]+/).filter(Boolean);
        need(version, targetStrings.ruleDialog.versionMissing, missing, probe);
        const text = message.read(missing, probe);
        if (!probe) tick.need(missing);
        return { minimumVersion: version.control.value.trim(), ...(list.length > 0 ? { blockedVersions: list } : {}), message: text };
      },
    };
  },
  forceUpdate(target, rule) {
    const message = messageField(rule);
    const tick = storeTick();
    return {
      fields: { message: message.field }, body: [message.field.element, tick.element], focus: message.field.control,
      rule(missing, probe) {
        const text = message.read(missing, probe);
        if (!probe) tick.need(missing);
        return { message: text };
      },
    };
  },
  optionalUpdate(target, rule) {
    const version = versionField(target, "optionalVersion", targetStrings.ruleDialog.optionalVersion, rule.optionalVersion);
    const message = messageField(rule);
    return {
      fields: { optionalVersion: version, message: message.field }, body: [version.element, message.field.element], focus: version.control,
      rule(missing, probe) {
        need(version, targetStrings.ruleDialog.versionMissing, missing, probe);
        return { optionalVersion: version.control.value.trim(), message: message.read(missing, probe) };
      },
    };
  },
  alert(target, rule) {
    const message = messageField(rule);
    const blocking = el("input", { type: "checkbox", name: "blocking", checked: rule.blocking ?? false });
    const block = field(blocking, { label: targetStrings.ruleDialog.blocking });
    block.element.classList.add("tick");
    return {
      fields: { message: message.field, blocking: block }, focus: message.field.control, body: [message.field.element, block.element],
      rule: (missing, probe) => ({ message: message.read(missing, probe), blocking: blocking.checked }),
    };
  },
};

/** @param {Field} field @param {string} text @param {Field[]} missing @param {boolean} probe */
function need(field, text, missing, probe) {
  if (field.control.value.trim() !== "") return;
  if (!probe) field.error(text);
  missing.push(field);
}

/** @param {Target} target @param {string} name @param {string} label @param {string} [value] */
function versionField(target, name, label, value) {
  const { versionScheme, releases } = target.settings;
  return field(el("input", {
    name, autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false",
    inputmode: versionScheme === "code" ? "numeric" : "text", required: true, class: "mono", value: value ?? "",
  }), {
    label,
    hint: [targetStrings.ruleDialog[versionScheme], releases.length > 0 ? targetStrings.ruleDialog.releases(releases) : ""]
      .filter(Boolean)
      .join(" "),
  });
}

/**
 * The text people see; its translations stay as they are.
 * @param {Rule} rule
 */
function messageField(rule) {
  const control = el("textarea", { name: "message", rows: 3, dir: "auto", required: true, value: messageText(rule.message) });
  const languages = typeof rule.message === "object" ? rule.message : null;
  const message = field(control, {
    label: planStrings.member.message,
    hint: languages ? dialogStrings.block.otherLanguages(Object.keys(languages).filter((tag) => tag !== "default").join(", ")) : undefined,
    counter: LONGEST,
  });
  return {
    field: message,
    /** @param {Field[]} missing @param {boolean} probe */
    read(missing, probe) {
      need(message, targetStrings.ruleDialog.messageMissing, missing, probe);
      const text = control.value.trim();
      return languages ? { ...languages, default: text } : text;
    },
  };
}
