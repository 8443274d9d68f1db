// @ts-check
/** `#/settings/import`: take over the file an app polls today. The plan first; nothing is written until it is confirmed. */
import * as api from "../api.js";
import { commitImport, planImport } from "../api-apps.js";
import { el, show } from "../dom.js";
import { publish } from "../publish.js";
import { store } from "../store.js";
import { appStrings } from "../strings/app.js";
import { dialogStrings } from "../strings/dialogs.js";
import { feedStrings } from "../strings/feeds.js";
import { importStrings } from "../strings/import.js";
import { newAppStrings } from "../strings/new-app.js";
import { platformName, strings } from "../strings/shared.js";
import { confirmation } from "../components/confirmation.js";
import { effectsView } from "../components/effects-view.js";
import { feedAddresses } from "../components/feed-addresses.js";
import { field } from "../components/field.js";
import { newAppForm } from "../components/new-app-form.js";
import { differenceTable, omittedNote, warningList } from "../components/plan-view.js";

const LARGEST = 256 * 1024;

/** @param {import("../app.js").ViewContext} context */
export function importView({ query, signal }) {
  const body = el("div");
  const title = el("h1", { tabindex: "-1" }, importStrings.title);
  const element = el("div", { class: "narrow" }, el("div", { class: "view-head" }, title), el("p", null, importStrings.intro), body);
  if (!store.may("operator")) show(body, el("p", { class: "callout" }, strings.dialog.roleNeeded("operator")));
  else if (store.apps.size > 0) show(body, importForm({ app: query.get("app") ?? "", signal }));
  else if (!store.may("admin")) show(body, el("p", { class: "callout" }, strings.dialog.roleNeeded("admin")));
  else {
    show(body, el("h2", null, importStrings.first), newAppForm({
      done: (app, trouble) => {
        show(body,
          trouble ? el("p", { class: "callout", role: "alert" }, trouble) : null,
          el("h2", { tabindex: "-1" }, importStrings.next),
          importForm({ app: app.key, signal }));
        body.querySelector("h2")?.focus();
      },
    }));
  }
  return { title: importStrings.title, element };
}

/** @param {{ app: string, signal: AbortSignal }} options */
function importForm({ app: chosen, signal }) {
  const apps = [...store.apps.values()].filter((app) => store.may("operator", app.key));
  const app = field(
    el("select", { name: "app" }, apps.map((candidate) => el("option", { value: candidate.key }, candidate.name))),
    { label: importStrings.app },
  );
  if (chosen) app.control.value = chosen;
  const file = field(
    el("input", { type: "file", accept: ".json,application/json,text/plain" }),
    { label: importStrings.file, note: importStrings.fileOr },
  );
  const text = field(
    el("textarea", {
      name: "document", rows: 8, class: "mono", spellcheck: "false", autocapitalize: "none", autocomplete: "off", wrap: "off",
    }),
    { label: importStrings.document },
  );
  const format = field(
    el("select", { name: "format" }, Object.entries(importStrings.formats).map(([value, name]) => el("option", { value }, name))),
    { label: importStrings.format },
  );
  const platform = field(el("select", { name: "platform" }), { label: importStrings.platform, hint: importStrings.platformHint });
  const skip = el("input", {
    type: "checkbox", name: "skipInvalid",
    on: { change: () => { if (planned) planned.body.skipInvalid = skip.checked; rest.hidden = !skip.checked; } },
  });
  /** What remains of a file whose other part is refused; shown once that is accepted. */
  const rest = el("div");
  const action = el("button", { type: "submit", class: "button primary" }, importStrings.plan);
  const problem = el("div", { class: "problem", role: "alert" });
  const planArea = el("div", { class: "import-plan" });
  /** @type {{ body: Record<string, unknown>, targets: api.Target[] } | null} */
  let planned = null;

  const listPlatforms = () => show(platform.control,
    Object.keys(store.apps.get(app.control.value)?.platforms ?? {}).map((key) => el("option", { value: key }, platformName(key))));
  app.control.addEventListener("input", listPlatforms);
  listPlatforms();
  const fileInput = /** @type {HTMLInputElement} */ (file.control);
  fileInput.addEventListener("change", async () => {
    const [picked] = fileInput.files ?? [];
    if (!picked) return;
    if (picked.size > LARGEST) return file.error(importStrings.tooLarge);
    text.control.value = await picked.text();
    text.error(null);
    skip.checked = false;
    await ask();
  });

  function composed() {
    const targets = [...store.targets.values()].filter((target) => target.app === app.control.value);
    const named = format.control.value === "bellerophon" || format.control.value === "auto";
    const body = {
      app: app.control.value, format: format.control.value, document: text.control.value, skipInvalid: skip.checked,
      revisions: Object.fromEntries(targets.map((target) => [target.platform, target.revision])),
      ...(named && platform.control.value && looksLikeBellerophon(text.control.value) ? { platform: platform.control.value } : {}),
    };
    return { body, targets };
  }

  /** @param {string} [said] what the server has answered to a press, which stays said beside the new plan */
  async function ask(said = "") {
    problem.textContent = "";
    show(planArea);
    if (text.control.value.trim() === "") { text.error(importStrings.documentMissing); return text.control.focus(); }
    action.textContent = importStrings.planning;
    try {
      planned = composed();
      // Planned as if what cannot be published were left out: the answer then shows both, what is refused and what is left.
      const answer = await planImport({ ...planned.body, skipInvalid: true });
      if (!signal.aborted) showPlan(answer.plan, answer.refused ?? [], said);
    } catch (error) {
      if (signal.aborted) return;
      refuse(error);
    } finally {
      action.textContent = importStrings.plan;
    }
  }

  /** @param {unknown} error */
  function refuse(error) {
    if (error instanceof api.NoAnswer) problem.textContent = strings.dialog.noAnswer;
    else if (error instanceof api.APIError && error.problem.refused) show(planArea, refusedList(error.problem.refused, skip));
    else if (error instanceof api.APIError && error.problem.field === "/document") { text.error(error.message); text.control.focus(); }
    else if (error instanceof api.APIError) problem.textContent = strings.dialog.refused(error.message, error.problem.requestId);
    else throw error;
  }

  /** @param {api.Plan} plan @param {api.Refused[]} refused @param {string} said */
  function showPlan(plan, refused, said) {
    const asked = confirmation();
    asked.apply(plan);
    const name = importStrings.confirmTitle(store.appName(app.control.value), store.environment);
    const go = el("button", { type: "submit", class: `button ${plan.tier >= 2 ? "restrict" : "primary"}` }, name);
    const trouble = el("div", { class: "problem", role: "alert" });
    const form = el("form", {
      class: "stack panel", novalidate: true, on: { submit: (event) => { event.preventDefault(); void confirm(asked, go, trouble); } },
    },
      el("h2", { tabindex: "-1" }, strings.dialog.changes), effectsView(plan, { comparison: true }),
      differenceTable(plan.diff, { caption: strings.dialog.changes, targets: true }),
      omittedNote(plan), warningList(plan.warnings), asked.element, trouble, el("div", { class: "actions" }, go));
    show(planArea,
      refused.length > 0 ? refusedList(refused, skip) : null,
      rest);
    show(rest, plan.diff.length === 0
      ? [effectsView(plan, { comparison: true }), el("p", { class: "empty" }, importStrings.nothing)]
      : form);
    rest.hidden = refused.length > 0 && !skip.checked;
    planArea.querySelector("h2")?.focus();
    trouble.textContent = said;
  }

  /** @param {ReturnType<typeof confirmation>} asked @param {HTMLButtonElement} go @param {HTMLElement} trouble */
  async function confirm(asked, go, trouble) {
    const missing = asked.missing();
    if (missing.length > 0) return missing[0].control.focus();
    if (!planned || go.getAttribute("aria-disabled") === "true") return;
    const label = go.textContent;
    const { body, targets } = planned;
    /** @type {Record<string, unknown>} */
    const write = { ...body, ...asked.values() };
    go.setAttribute("aria-disabled", "true");
    go.textContent = strings.dialog.publishing;
    try {
      const result = await publish((key) => commitImport(write, key), {
        key: api.newKey(), targets, signal,
        uncertain: () => { go.textContent = strings.dialog.uncertain; trouble.textContent = strings.dialog.uncertainHint; },
      });
      if (result.kind === "done") return done(app.control.value);
      const said = result.kind === "refused"
        ? strings.dialog.refused(result.problem.detail, result.problem.requestId)
        : result.kind === "notMade" ? strings.dialog.notMade : dialogStrings.conflict.unknown(result.current.revision);
      // The plan is made again against what is in force now, and shown before anything is written.
      await ask(said);
    } finally {
      go.removeAttribute("aria-disabled");
      go.textContent = label;
    }
  }

  /** @param {string} key */
  function done(key) {
    show(element, el("h2", { tabindex: "-1" }, importStrings.done), el("p", null, importStrings.doneHint),
      [...store.targets.values()].filter((target) => target.app === key).map((target) => feedAddresses(target)),
      el("p", { class: "hint" }, feedStrings.hint),
      el("div", { class: "actions" },
        el("a", { class: "button primary", href: "#/" }, newAppStrings.toOverview),
        store.may("admin") ? el("a", { class: "button", href: `#/settings/apps/${key}` }, appStrings.addAlias) : null));
    element.querySelector("h2")?.focus();
  }

  const element = el("div", null,
    el("form", {
      class: "stack", novalidate: true, on: { submit: (event) => { event.preventDefault(); skip.checked = false; void ask(); } },
    },
      el("div", { class: "with-link" },
        app.element,
        store.may("admin") ? el("a", { class: "button quiet", href: "#/settings/apps/new" }, newAppStrings.title) : null),
      file.element, text.element,
      el("div", { class: "two" }, format.element, platform.element), problem,
      el("div", { class: "actions" }, action)),
    planArea);
  return element;
}

/**
 * Whether the platform named beside it can matter: only Bellerophon's files name none. The server decides what the file is.
 * @param {string} text
 */
const looksLikeBellerophon = (text) => /"(apiInactive|retryInterval|userMessage)"/.test(text);

/** @param {api.Refused[]} refused @param {HTMLInputElement} skip */
function refusedList(refused, skip) {
  return el("section", { class: "panel refused" },
    el("h2", { tabindex: "-1" }, importStrings.refused),
    el("ul", null, refused.map((rule) =>
      el("li", null,
        el("code", null, rule.path), " = ", el("code", { dir: "auto" }, JSON.stringify(rule.value)),
        rule.line === undefined ? null : ` ${importStrings.line(rule.line)}`, el("br"), rule.detail))),
    el("label", { class: "check" }, skip, importStrings.skip));
}
