// @ts-check
/** Chooses targets: an app and its platforms, and further apps if there are several. */
import { el, show, uniqueId } from "../dom.js";
import { nameOf, store } from "../store.js";
import { newWindowStrings } from "../strings/new-window.js";
import { platformName, strings } from "../strings/shared.js";
import { field } from "./field.js";

/** @typedef {import("../documents.js").Target} Target */

/**
 * @param {Target[]} offered
 * @param {string[]} chosen their names
 * @param {() => void} changed
 */
export function targetsField(offered, chosen, changed) {
  const apps = [...new Set(offered.map((target) => target.app))];
  const errorId = uniqueId("targets-error");
  const problem = el("p", { class: "error", id: errorId, hidden: true });
  const list = el("div", { class: "target-choices" });
  const more = el("button", { type: "button", class: "button small", on: { click: () => add("", []).focus() } }, newWindowStrings.moreApps);
  const element = el("fieldset", { class: "stack targets-field", on: { input: () => error(null) } },
    el("legend", null, newWindowStrings.targets), list, problem, el("div", { class: "actions" }, more));
  /** @type {{ element: HTMLElement, app: HTMLSelectElement, boxes: () => HTMLInputElement[] }[]} */
  let rows = [];

  /** @param {string | null} text */
  function error(text) {
    problem.textContent = text ?? "";
    problem.hidden = text === null;
    if (text === null) element.removeAttribute("aria-describedby");
    else element.setAttribute("aria-describedby", errorId);
  }

  /** Each app can be chosen only once. */
  function paint() {
    for (const row of rows) {
      for (const option of row.app.options) {
        option.disabled = option.value === "" || rows.some((other) => other !== row && other.app.value === option.value);
      }
    }
    more.hidden = rows.length >= apps.length;
  }

  /** @param {string} app @param {string[]} platforms */
  function add(app, platforms) {
    const select = el("select", { name: "app", required: true },
      app ? null : el("option", { value: "" }, newWindowStrings.chooseApp),
      apps.map((key) => el("option", { value: key }, store.appName(key))));
    select.value = app;
    const choice = field(select, { label: newWindowStrings.app });
    const boxes = el("div", { class: "checks", role: "group", "aria-label": newWindowStrings.platforms });
    /** @param {string[]} ticked */
    function offer(ticked) {
      const mine = offered.filter((target) => target.app === select.value)
        .sort((one, other) => platformName(one.platform).localeCompare(platformName(other.platform)));
      show(boxes, mine.map((target) => el("label", { class: "check" },
        el("input", {
          type: "checkbox", name: "platform", value: nameOf(target), checked: mine.length === 1 || ticked.includes(nameOf(target)),
        }), platformName(target.platform))));
    }
    const less = el("button", { type: "button", class: "button small", on: { click: leaveOut } }, newWindowStrings.lessApps);
    const row = {
      element: el("div", { class: "target-choice" }, choice.element, boxes, rows.length === 0 ? null : less),
      app: select, boxes: () => [...boxes.querySelectorAll("input")],
    };
    function leaveOut() {
      rows = rows.filter((other) => other !== row);
      row.element.remove();
      paint();
      changed();
      rows[rows.length - 1].app.focus();
    }
    const name = () =>
      less.setAttribute("aria-label", strings.about(newWindowStrings.lessApps, store.appName(select.value) || newWindowStrings.app));
    select.addEventListener("input", () => { offer([]); paint(); name(); });
    offer(platforms);
    name();
    rows.push(row);
    list.append(row.element);
    paint();
    return select;
  }

  const known = offered.filter((target) => chosen.includes(nameOf(target)));
  for (const app of new Set(known.map((target) => target.app))) add(app, chosen);
  if (rows.length === 0) add(apps.length === 1 ? apps[0] : "", []);

  return {
    element,
    error,
    /** Where to go when something is missing. */
    get control() {
      const row = rows.find(({ app, boxes }) => app.value === "" || !boxes().some((box) => box.checked)) ?? rows[0];
      return row.app.value === "" ? row.app : row.boxes()[0];
    },
    /** Whether any row lacks an app or a ticked platform. */
    missing: () => rows.some(({ app, boxes }) => app.value === "" || !boxes().some((box) => box.checked)),
    /** The chosen targets as they are now. */
    value: () => rows.flatMap(({ boxes }) => boxes().flatMap((box) => (box.checked ? store.targets.get(box.value) ?? [] : []))),
  };
}
