// @ts-check
/** `#/settings/import`: take over the file an app polls today. It shows the plan first and writes nothing until that is confirmed. */
import * as api from "../api.js";
import { addApp, planImport, putPlatform } from "../api-apps.js";
import { el, show, styleSheet } from "../dom.js";
import { namesOne, readDocument, readFile, textOf } from "../read-file.js";
import { sayRefused } from "../server-words.js";
import { afterwards, store } from "../store.js";
import { importStrings } from "../strings/import.js";
import { newAppStrings } from "../strings/new-app.js";
import { platformName, strings } from "../strings/shared.js";
import { field } from "../components/field.js";
import { importPlan } from "../components/import-plan.js";
import { KEY, keyFrom } from "../components/new-app-form.js";
import { oldAddress } from "../components/old-address.js";
import { overrideBox } from "../components/override-box.js";
import { refusedList } from "../components/refused-list.js";

/** @typedef {ReturnType<typeof import("../components/takeover.js").takeover>} Shape */

const LARGEST = 256 * 1024;

/** @param {import("../app.js").ViewContext} context */
export function importView({ query, signal }) {
  const body = el("div");
  const title = el("h1", { tabindex: "-1" }, importStrings.title);
  const element = el("div", { class: "narrow" }, el("div", { class: "view-head" }, title), el("p", null, importStrings.intro), body);
  if (!store.may("operator")) show(body, el("p", { class: "callout" }, strings.dialog.roleNeeded("operator")));
  else if (store.apps.size === 0 && !store.mayAddApps) show(body, el("p", { class: "callout" }, newAppStrings.ofAllApps));
  else show(body, importForm({ app: query.get("app") ?? "", signal }));
  return { title: importStrings.title, element };
}

/** The value in the list of apps that stands for a new app. */
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
  /** Says what kind of file it is. */
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
  const plan = importPlan({
    signal,
    title: () => importStrings.confirmTitle(store.appName(app.control.value), store.environment),
    isOwn: () => shape !== null,
    failed: refuse,
    again: (said) => ask(said),
    after: () => after(app.control.value),
    done: () => done(app.control.value),
    accept,
  });
  /** For a file in an own shape: what its values mean. It stays while plans come and go. */
  const shapeArea = el("div", { class: "import-plan" });
  /** @type {Shape | null} */
  let shape = null;
  /** The codes of refusals that are overridden. @type {Set<string>} */
  const accepted = new Set();

  /** @param {string[]} codes */
  function accept(codes) {
    for (const code of codes) accepted.add(code);
    void ask();
  }

  function listApps() {
    const was = app.control.value;
    const apps = [...store.apps.values()].filter((one) => store.may("operator", one.key));
    show(app.control,
      apps.map((one) => el("option", { value: one.key }, one.name)),
      store.mayAddApps ? el("option", { value: NEW }, importStrings.newApp) : null);
    app.control.value = apps.some((one) => one.key === was) ? was : store.mayAddApps ? NEW : apps[0]?.key ?? NEW;
    app.element.hidden = apps.length === 0;
  }

  /** Whether the file is to become a feed in its own shape. */
  const isOwn = () => shape !== null || format.control.value === "own" || (found === null && readDocument(text.control.value) !== null);

  function forget() {
    shape = null;
    accepted.clear();
    show(shapeArea);
    plan.forget();
  }

  /** The platforms of the file that the app does not have yet. */
  function missing() {
    const known = Object.keys(store.apps.get(app.control.value)?.platforms ?? {});
    if (found?.namesPlatform) return [...found.platforms.keys()].filter((one) => !known.includes(one));
    return known.length === 0 && found ? [platform.control.value || "ios"] : [];
  }

  /** Says what the file is, and offers to create the app or platforms that it needs. */
  function follow() {
    const known = Object.keys(store.apps.get(app.control.value)?.platforms ?? {});
    const was = platform.control.value;
    const offered = known.length > 0 ? known : ["ios", "android"];
    const own = isOwn();
    show(platform.control, offered.map((one) => el("option", { value: one }, platformName(one))),
      own && offered.length > 1 ? el("option", { value: "" }, importStrings.several) : null);
    platform.hint(own ? importStrings.platformUnsaid : importStrings.platformHint);
    if (offered.includes(was) || (own && offered.length > 1 && was === "")) platform.control.value = was;
    // Only Bellerophon files and files in an own shape do not say which platform they are for.
    platform.element.hidden = !own && (!found?.formats.includes("bellerophon") || found.namesPlatform);
    reading.textContent = own && text.control.value.trim() !== "" ? importStrings.ownFile : found === null
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
    // Without an app there is nothing to compare the file with.
    action.parentElement?.toggleAttribute("hidden", isNew);
  }
  const look = () => {
    found = readFile(text.control.value);
    forget();
    follow();
    // If platform names occur in the file, it is for all of the app's platforms.
    const known = Object.keys(store.apps.get(app.control.value)?.platforms ?? {});
    if (found === null && known.length > 1 && namesOne(readDocument(text.control.value), known)) platform.control.value = "";
  };
  for (const { control } of [app, platform, format]) {
    control.addEventListener("input", () => {
      const wasShown = shape !== null;
      forget();
      follow();
      if (wasShown && control === platform.control) void ask();
    });
  }
  text.control.addEventListener("input", look);

  /** Creates the app, or its missing platforms, and goes on with the plan. */
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
        // The file shows which library reads it on this platform; others can be added in the settings.
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
      // What was created before the failure exists, so do not offer it again.
      if (isNew && !(error instanceof api.NoAnswer)) await afterwards(store.reload());
      if (store.apps.has(target) && isNew && !(error instanceof api.APIError && error.status === 409)) {
        listApps();
        app.control.value = target;
        follow();
      }
      if (error instanceof api.NoAnswer) creating.textContent = strings.dialog.outcomeUnknown;
      else if (!(error instanceof api.APIError)) throw error;
      else if (error.status === 409 || error.problem.field === "/key") { key.error(error.message); key.control.focus(); }
      else creating.textContent = sayRefused(error.problem);
    } finally {
      create.removeAttribute("aria-disabled");
    }
  }

  const fileInput = /** @type {HTMLInputElement} */ (file.control);
  // A file that was corrected on the disk is no change to the browser, unless it has forgotten that it was chosen.
  fileInput.addEventListener("click", () => { fileInput.value = ""; });
  fileInput.addEventListener("change", async () => {
    const [picked] = fileInput.files ?? [];
    if (!picked) return;
    if (picked.size > LARGEST) return file.error(importStrings.tooLarge);
    // Gone, or not readable for this person.
    const content = await textOf(picked).catch(() => undefined);
    if (content === undefined) return file.error(importStrings.unreadable);
    if (content === null) return file.error(importStrings.notUTF8);
    text.control.value = content;
    text.error(null);
    plan.skip.checked = false;
    look();
    if (app.control.value === NEW) return name.control.focus();
    if (missing().length === 0 || !store.may("admin")) await ask();
  });

  function composed() {
    const targets = [...store.targets.values()].filter((target) => target.app === app.control.value);
    const named = (format.control.value === "bellerophon" || format.control.value === "auto") && found?.formats.includes("bellerophon");
    const own = isOwn();
    /** @type {Record<string, unknown>} */
    const body = {
      app: app.control.value, format: own ? "own" : format.control.value, document: text.control.value, skipInvalid: plan.skip.checked,
      revisions: Object.fromEntries(targets.map((target) => [target.platform, target.revision])),
      // Send no platform with a file that names platforms itself: the others would be left out.
      ...((own || (named && !found?.namesPlatform)) && platform.control.value ? { platform: platform.control.value } : {}),
      ...(accepted.size > 0 ? { accept: [...accepted] } : {}),
      ...shape?.body(),
    };
    return { body, targets };
  }

  /**
   * Asks for the plan. If the file's names do not show what its values mean, or what they seem to mean is refused, asks again with an
   * empty map, so that the user can say it.
   * @param {Record<string, unknown>} body
   */
  async function trial(body) {
    try {
      return await planImport(body);
    } catch (error) {
      if (!(error instanceof api.APIError) || error.status !== 422 || body.map || body.format !== "own") throw error;
      return planImport({ ...body, map: [] });
    }
  }

  /** @param {import("../api-apps.js").Takeover} proof @param {() => boolean} isCurrent @param {Record<string, unknown>} body */
  async function showShape(proof, isCurrent, body) {
    if (shape) return shape.update(proof);
    const [{ takeover }] = await Promise.all([import("../components/takeover.js"), styleSheet("takeover.css")]);
    if (!isCurrent()) return;
    const platforms = Object.keys(store.apps.get(app.control.value)?.platforms ?? {});
    shape = takeover({ text: String(body.document), proof, platforms, changed: () => { accepted.clear(); void ask("", true); } });
    if (proof.platform) platform.control.value = proof.platform;
    show(shapeArea, shape.element);
    follow();
    shape.element.querySelector("h2")?.focus();
  }

  /**
   * @param {string} [said] the server's answer to the last press, which stays on the screen beside the new plan
   * @param {boolean} [isLive] asked while the user says what values mean; the focus must stay there
   */
  async function ask(said = "", isLive = false) {
    problem.textContent = "";
    if (text.control.value.trim() === "") { plan.forget(); text.error(importStrings.documentMissing); return text.control.focus(); }
    action.textContent = importStrings.planning;
    try {
      await plan.ask((isCurrent) => answered(isCurrent, isLive), { said, isLive });
    } finally {
      action.textContent = importStrings.plan;
    }
  }

  /**
   * @param {() => boolean} isCurrent @param {boolean} isLive
   * @returns {Promise<import("../components/import-plan.js").Answer | null>}
   */
  async function answered(isCurrent, isLive) {
    const { body, targets } = composed();
    // Plan as if the refused values were left out: the answer then shows both what is refused and what remains.
    const answer = await trial({ ...body, skipInvalid: true });
    if (!isCurrent()) return null;
    const isFirst = shape === null;
    if (answer.takeover) await showShape(answer.takeover, isCurrent, body);
    if (!isCurrent()) return null;
    return {
      body: answer.takeover && shape ? { ...body, format: "own", ...shape.body() } : body, targets,
      plan: answer.plan, refused: answer.refused ?? [], proof: answer.takeover, isLive: isLive || (isFirst && shape !== null),
    };
  }

  /** @param {unknown} error */
  function refuse(error) {
    if (error instanceof api.NoAnswer && shape) plan.say(el("p", { class: "problem", role: "alert" }, strings.dialog.noAnswer));
    else if (error instanceof api.NoAnswer) problem.textContent = strings.dialog.noAnswer;
    else if (error instanceof api.APIError && error.problem.refused) plan.say(refusedList(error.problem.refused, plan.skip, accept));
    else if (error instanceof api.APIError && shape) refuseShape(error, shape);
    else if (error instanceof api.APIError && error.problem.field === "/document") { text.error(error.message); text.control.focus(); }
    else if (error instanceof api.APIError) problem.textContent = sayRefused(error.problem);
    else throw error;
  }

  /**
   * Replaces only the plan with the refusal; the meanings of the values stay.
   * @param {api.APIError} error @param {Shape} shape
   */
  function refuseShape({ code, message, problem: refusal }, shape) {
    plan.say(el("div", { class: "panel refused" }, el("p", { role: "alert" }, sayRefused(refusal)),
      refusal.overridable ? overrideBox(code, accepted, () => void ask("", true)) : null));
    if (refusal.field === "/name") shape.name.error(message);
  }

  /** @param {string} key */
  function done(key) {
    show(element, el("h2", { tabindex: "-1" }, importStrings.done), el("p", null, importStrings.doneHint),
      after(key));
    element.querySelector("h2")?.focus();
  }

  /**
   * What is left to do once the file is taken over: its old address.
   * @param {string} key
   */
  function after(key) {
    const [first] = found?.formats ?? [];
    const feed = shape ? `own/${shape.body().name}.json` : first ? `${first}.json` : undefined;
    return oldAddress(key, { first: { feed, platform: platform.control.value }, signal });
  }

  const element = el("div", null,
    el("form", {
      class: "stack", novalidate: true, on: {
        submit: (event) => { event.preventDefault(); plan.skip.checked = false; void (app.control.value === NEW ? make() : ask()); },
      },
    },
      file.element, text.element, reading,
      app.element, platform.element, lacking,
      el("details", { class: "json" }, el("summary", null, importStrings.otherwise),
        format.element),
      problem, el("div", { class: "actions" }, action)),
    shapeArea, plan.element);
  listApps();
  if (store.apps.has(chosen)) app.control.value = chosen;
  follow();
  return element;
}
