// @ts-check
/** `#/settings/import`: take over the file an app polls today. The plan first; nothing is written until it is confirmed. */
import * as api from "../api.js";
import { addApp, commitImport, planImport, putPlatform } from "../api-apps.js";
import { el, show } from "../dom.js";
import { publish } from "../publish.js";
import { readFile } from "../read-file.js";
import { store } from "../store.js";
import { dialogStrings } from "../strings/dialogs.js";
import { feedStrings } from "../strings/feeds.js";
import { importStrings } from "../strings/import.js";
import { newAppStrings } from "../strings/new-app.js";
import { platformName, strings } from "../strings/shared.js";
import { aliasForm } from "../components/alias-form.js";
import { confirmation } from "../components/confirmation.js";
import { effectsView } from "../components/effects-view.js";
import { feedAddresses } from "../components/feed-addresses.js";
import { field } from "../components/field.js";
import { KEY, keyFrom } from "../components/new-app-form.js";
import { differenceTable, omittedNote, warningList } from "../components/plan-view.js";

const LARGEST = 256 * 1024;

/** @param {import("../app.js").ViewContext} context */
export function importView({ query, signal }) {
  const body = el("div");
  const title = el("h1", { tabindex: "-1" }, importStrings.title);
  const element = el("div", { class: "narrow" }, el("div", { class: "view-head" }, title), el("p", null, importStrings.intro), body);
  if (!store.may("operator")) show(body, el("p", { class: "callout" }, strings.dialog.roleNeeded("operator")));
  else if (store.apps.size === 0 && !store.may("admin")) show(body, el("p", { class: "callout" }, strings.dialog.roleNeeded("admin")));
  else show(body, importForm({ app: query.get("app") ?? "", signal }));
  return { title: importStrings.title, element };
}

/** What stands in the list of apps for one that is not there yet. */
const NEW = "";

/** @param {{ app: string, signal: AbortSignal }} options */
function importForm({ app: chosen, signal }) {
  const app = field(el("select", { name: "app" }), { label: importStrings.app });
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
  /** What the file says of itself. */
  const reading = el("p", { class: "reading", role: "status" });
  /** @type {import("../read-file.js").Found | null} */
  let found = null;
  const name = field(el("input", { name: "name", autocomplete: "off", dir: "auto" }),
    { label: newAppStrings.name, hint: newAppStrings.nameHint });
  const key = field(
    el("input", { name: "key", autocomplete: "off", autocapitalize: "none", autocorrect: "off", spellcheck: "false", class: "mono" }),
    { label: newAppStrings.key, hint: newAppStrings.keyHint },
  );
  let ownKey = false;
  key.control.addEventListener("input", () => { ownKey = key.control.value !== ""; });
  name.control.addEventListener("input", () => {
    if (!ownKey) { key.control.value = keyFrom(name.control.value); key.error(null); }
    follow();
  });
  const create = el("button", { type: "button", class: "button primary", on: { click: () => void make() } });
  const creating = el("div", { class: "problem", role: "alert" });
  const fresh = el("div", { class: "two" }, name.element, key.element);
  const lacking = el("div", { class: "stack" }, fresh, creating, el("div", { class: "actions" }, create));
  const action = el("button", { type: "submit", class: "button primary" }, importStrings.plan);
  const problem = el("div", { class: "problem", role: "alert" });
  const planArea = el("div", { class: "import-plan" });
  /** @type {{ body: Record<string, unknown>, targets: api.Target[] } | null} */
  let planned = null;

  function listApps() {
    const was = app.control.value;
    const apps = [...store.apps.values()].filter((one) => store.may("operator", one.key));
    show(app.control,
      apps.map((one) => el("option", { value: one.key }, one.name)),
      store.may("admin") ? el("option", { value: NEW }, importStrings.newApp) : null);
    app.control.value = apps.some((one) => one.key === was) ? was : store.may("admin") ? NEW : apps[0]?.key ?? NEW;
    app.element.hidden = apps.length === 0;
  }

  /** The platforms that the file is for and the app lacks. */
  function missing() {
    const known = Object.keys(store.apps.get(app.control.value)?.platforms ?? {});
    if (found?.namesPlatform) return [...found.platforms.keys()].filter((one) => !known.includes(one));
    return known.length === 0 && found ? [platform.control.value || "ios"] : [];
  }

  /** Says what the file is, and offers what it needs and nobody has made yet. */
  function follow() {
    const known = Object.keys(store.apps.get(app.control.value)?.platforms ?? {});
    const was = platform.control.value;
    const offered = known.length > 0 ? known : ["ios", "android"];
    show(platform.control, offered.map((one) => el("option", { value: one }, platformName(one))));
    if (offered.includes(was)) platform.control.value = was;
    // Only Bellerophon's file does not say for which platform it is.
    platform.element.hidden = !found?.formats.includes("bellerophon") || found.namesPlatform;
    reading.textContent = found === null
      ? text.control.value.trim() === "" ? "" : importStrings.unknownFile
      : importStrings.reads(found.formats.map((one) => importStrings.formats[one]),
        [...found.platforms].map(([one, libraries]) => importStrings.readBy(one, libraries.map((library) => strings.library[library]))));
    const isNew = app.control.value === NEW;
    const lacks = missing();
    fresh.hidden = !isNew;
    lacking.hidden = !isNew && (lacks.length === 0 || !store.may("admin"));
    create.textContent = isNew
      ? importStrings.create(name.control.value.trim() || importStrings.theApp, lacks)
      : importStrings.createPlatforms(store.appName(app.control.value), lacks);
    create.hidden = lacks.length === 0;
    // Until there is an app there is nothing to compare the file with.
    action.parentElement?.toggleAttribute("hidden", isNew);
  }
  const look = () => { found = readFile(text.control.value); show(planArea); follow(); };
  for (const { control } of [app, platform]) control.addEventListener("input", () => { show(planArea); follow(); });
  text.control.addEventListener("input", look);

  /** Makes the app, or the platforms that it lacks, and goes on with the plan. */
  async function make() {
    creating.textContent = "";
    const isNew = app.control.value === NEW;
    if (isNew && name.control.value.trim() === "") { name.error(newAppStrings.nameMissing); return name.control.focus(); }
    if (isNew && !KEY.test(key.control.value)) { key.error(newAppStrings.keyWrong); return key.control.focus(); }
    if (create.getAttribute("aria-disabled") === "true") return;
    const lacks = missing();
    const target = isNew ? key.control.value : app.control.value;
    create.setAttribute("aria-disabled", "true");
    try {
      if (isNew) await addApp({ key: target, name: name.control.value.trim() });
      for (const one of lacks) {
        // The file tells which library reads it there; whoever has another besides says so in the settings.
        const clients = found?.platforms.get(one);
        await putPlatform(target, one, clients ? { clients } : {});
      }
      await store.reload();
      if (signal.aborted) return;
      listApps();
      app.control.value = target;
      follow();
      await ask();
    } catch (error) {
      // What was made before the trouble is there, and is not asked for again.
      if (isNew && !(error instanceof api.NoAnswer)) await store.reload();
      if (store.apps.has(target) && isNew && !(error instanceof api.APIError && error.status === 409)) {
        listApps();
        app.control.value = target;
        follow();
      }
      if (error instanceof api.NoAnswer) creating.textContent = strings.dialog.noAnswer;
      else if (!(error instanceof api.APIError)) throw error;
      else if (error.status === 409 || error.problem.field === "/key") { key.error(error.message); key.control.focus(); }
      else creating.textContent = strings.dialog.refused(error.message, error.problem.requestId);
    } finally {
      create.removeAttribute("aria-disabled");
    }
  }

  const fileInput = /** @type {HTMLInputElement} */ (file.control);
  fileInput.addEventListener("change", async () => {
    const [picked] = fileInput.files ?? [];
    if (!picked) return;
    if (picked.size > LARGEST) return file.error(importStrings.tooLarge);
    text.control.value = await picked.text();
    text.error(null);
    skip.checked = false;
    look();
    if (app.control.value === NEW) return name.control.focus();
    if (missing().length === 0 || !store.may("admin")) await ask();
  });

  function composed() {
    const targets = [...store.targets.values()].filter((target) => target.app === app.control.value);
    const named = (format.control.value === "bellerophon" || format.control.value === "auto") && found?.formats.includes("bellerophon");
    const body = {
      app: app.control.value, format: format.control.value, document: text.control.value, skipInvalid: skip.checked,
      revisions: Object.fromEntries(targets.map((target) => [target.platform, target.revision])),
      // A platform beside a file that names its own would leave the others out.
      ...(named && !found?.namesPlatform && platform.control.value ? { platform: platform.control.value } : {}),
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
      ? [effectsView(plan, { comparison: true }), warningList(plan.warnings), el("h2", { tabindex: "-1" }, importStrings.nothing),
        aliasPart(app.control.value)]
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
      aliasPart(key));
    element.querySelector("h2")?.focus();
  }

  /**
   * Shipped apps go on asking at the old address: the alias is the other half of taking a file over, whatever was in it.
   * @param {string} key
   */
  function aliasPart(key) {
    const mine = store.apps.get(key);
    const [first] = found?.formats ?? [];
    return [
      mine && store.may("admin")
        ? el("section", { class: "panel" }, el("h3", null, importStrings.alias), el("p", null, importStrings.aliasHint),
          aliasForm(mine, true, { feed: first ? `${first}.json` : undefined, platform: platform.control.value }))
        : el("p", { class: "hint" }, importStrings.aliasByAdmin),
      el("details", { class: "json" }, el("summary", null, newAppStrings.addresses),
        [...store.targets.values()].filter((target) => target.app === key).map((target) => feedAddresses(target)),
        el("p", { class: "hint" }, feedStrings.hint)),
      el("div", { class: "actions" }, el("a", { class: "button primary", href: "#/" }, newAppStrings.toOverview)),
    ];
  }

  const element = el("div", null,
    el("form", {
      class: "stack", novalidate: true, on: {
        submit: (event) => { event.preventDefault(); skip.checked = false; void (app.control.value === NEW ? make() : ask()); },
      },
    },
      file.element, text.element, reading,
      app.element, platform.element, lacking,
      el("details", { class: "json" }, el("summary", null, importStrings.otherwise),
        format.element),
      problem, el("div", { class: "actions" }, action)),
    planArea);
  listApps();
  if (store.apps.has(chosen)) app.control.value = chosen;
  follow();
  return element;
}

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
