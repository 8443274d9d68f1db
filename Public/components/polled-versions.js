// @ts-check
/** Which app versions poll a target, with bars, and which of them are not among the known releases. */
import { putPlatform } from "../api-apps.js";
import { polledVersions as askVersions } from "../api-versions.js";
import { el, show } from "../dom.js";
import { sayTarget } from "../gate.js";
import { command } from "../gatectl.js";
import { store } from "../store.js";
import { settingsStrings } from "../strings/settings.js";
import { strings } from "../strings/shared.js";
import { targetStrings } from "../strings/target.js";
import { tick } from "../time.js";
import { saveForm } from "./save-form.js";
import { failure } from "./shell.js";

/** @typedef {import("../api-versions.js").PolledVersions} PolledVersions */
/** @typedef {import("../documents.js").Target} Target */

/** Seconds between two requests, and how many to make before a page that was left open stops. */
const EVERY = 30;
const AT_MOST = 120;
/** Rows shown at first. */
const FIRST = 8;
/** The server's name for all versions that it does not count separately. */
const OTHERS = "other";

const said = targetStrings.versions;
const PATTERNS = { dotted: /^\d{1,9}(\.\d{1,9}){0,3}$/, code: /^\d{1,10}$/ };

/**
 * @param {Target} name
 * @param {AbortSignal} signal
 */
export function polledVersions({ app, platform }, signal) {
  const list = el("div", { class: "polled-list" });
  const proposal = el("div");
  /** @type {"hour" | "day"} */
  let within = "hour";
  /** What the form proposes, so that it is not rebuilt while somebody uses it. */
  let proposed = "";
  let wantsAll = false;
  let seconds = 0;
  let asked = 0;

  const spans = /** @type {const} */ (["hour", "day"]).map((span) => el("button", {
    type: "button", class: "button quiet small", "data-span": span, "aria-pressed": String(span === within),
    on: { click: () => choose(span) },
  }, said.span[span]));

  /** @param {"hour" | "day"} span */
  function choose(span) {
    within = span;
    for (const button of spans) button.setAttribute("aria-pressed", String(button.dataset.span === span));
    void ask();
  }

  const about = { what: said.title, line: command("reach", app, platform) };
  async function ask() {
    asked += 1;
    const mine = within;
    try {
      const polled = await askVersions(app, platform, mine);
      if (!signal.aborted && mine === within) paint(polled);
    } catch (error) {
      // The bar at the top says that the server is lost; the old counts stay.
      if (!signal.aborted && list.childElementCount === 0) show(list, failure(error, () => void ask(), about));
    }
  }

  /** @param {Pick<PolledVersions, "items" | "polls">} polled */
  function paint({ items, polls }) {
    if (items.length === 0) {
      show(list, el("p", { class: "empty" }, said.none(within)));
    } else {
      const row = (/** @type {PolledVersions["items"][number]} */ item) => el("tr", null,
        el("th", { scope: "row", class: item.version === OTHERS ? "" : "mono" }, item.version === OTHERS ? said.others : item.version),
        el("td", { class: "polled-bar" }, el("progress", { max: 1, value: item.share, "aria-hidden": "true" })),
        el("td", { class: "number" }, percent(item.share)),
        el("td", { class: "number" }, said.polls(item.polls)));
      const shown = wantsAll ? items : items.slice(0, FIRST);
      show(list,
        el("table", { class: "polled" },
          el("caption", null, said.caption(within, polls)),
          el("thead", { class: "visually-hidden" }, el("tr", null,
            [said.version, said.bar, said.share, said.count].map((title) => el("th", { scope: "col" }, title)))),
          el("tbody", null, shown.map(row))),
        items.length > FIRST
          ? el("button", {
            type: "button", class: "button quiet small", "data-key": "more versions", "aria-expanded": String(wantsAll),
            on: { click: () => { wantsAll = !wantsAll; paint({ items, polls }); } },
          }, wantsAll ? said.fewer : said.more(items.length - FIRST))
          : null);
    }
    propose(items.map(({ version }) => version));
  }

  /**
   * Lets a person say which versions were shipped, because anybody can poll with any version.
   * @param {string[]} versions
   */
  function propose(versions) {
    const target = store.targets.get(`${app}/${platform}`);
    if (!target || !store.may("admin", app)) return;
    const { releases, versionScheme } = target.settings;
    const unknown = versions.filter((version) => PATTERNS[versionScheme].test(version) && !releases.includes(version)).slice(0, FIRST);
    if (unknown.join() === proposed) return;
    proposed = unknown.join();
    show(proposal, unknown.length > 0 ? releasesForm(target, unknown) : null);
  }

  tick(() => {
    seconds += 1;
    if (seconds % EVERY === 0 && asked < AT_MOST) void ask();
  }, signal);
  void ask();
  return el("section", { class: "polled-versions" },
    el("div", { class: "section-head" }, el("h2", null, said.title),
      el("div", { class: "actions", role: "group", "aria-label": said.spans }, spans)),
    list, proposal);
}

/** @param {Target} target @param {string[]} unknown */
function releasesForm(target, unknown) {
  const { app, platform } = target;
  const boxes = unknown.map((version) => el("input", { type: "checkbox", name: "release", value: version }));
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  const group = el("fieldset", { class: "field" }, el("legend", null, said.propose),
    el("div", { class: "chips" }, boxes.map((box) => el("label", { class: "check" }, box, el("span", { class: "mono" }, box.value)))),
    el("p", { class: "hint" }, said.proposeHint));
  return saveForm({
    fields: {}, content: [group], allowed: true, label: said.add, about: sayTarget({ app, platform }), told: said.added,
    asks: () => strings.about(said.add, sayTarget({ app, platform })),
    save: async (terms, key) => {
      if (chosen().length === 0) {
        boxes[0].focus();
        return false;
      }
      const known = store.targets.get(`${app}/${platform}`)?.settings.releases ?? target.settings.releases;
      return putPlatform(app, platform, { releases: [...known, ...chosen()], seen: { releases: known }, ...terms }, key);
    },
    overtaken: async ({ detail }) => {
      await store.reload();
      return settingsStrings.overtaken(detail);
    },
    saved: () => store.reload(),
  });
}

/**
 * Whole percent, but never 0 % for a share above zero.
 * @param {number} share
 */
const percent = (share) => (share > 0 && share < 0.01 ? "< 1 %" : `${Math.floor(share * 100 + 1e-6)} %`);
