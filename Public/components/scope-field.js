// @ts-check
/** Role and apps of a person or a token. */
import { el, uniqueId } from "../dom.js";
import { store } from "../store.js";
import { settingsStrings } from "../strings/settings.js";
import { field } from "./field.js";

/** @typedef {import("../documents.js").Role} Role */

const ROLES = /** @type {Role[]} */ (["viewer", "operator", "admin"]);

/**
 * Nobody can grant more than they have: people limited to some apps are offered only those.
 * @param {{ role: Role, apps: string[] | null, most?: Role }} start `most`: the highest role offered
 */
export function scopeField({ role, apps, most = "admin" }) {
  const offered = ROLES.slice(0, ROLES.indexOf(most) + 1);
  const roles = field(
    el("select", { name: "role" }, offered.map((name) => el("option", { value: name }, settingsStrings.roles[name]))),
    { label: settingsStrings.role },
  );
  roles.control.value = role;
  const group = uniqueId("scope");
  const own = store.session?.user.apps ?? null;
  if (own) apps ??= own;
  const every = el("input", { type: "radio", name: group, checked: apps === null });
  const some = el("input", { type: "radio", name: group, checked: apps !== null });
  const boxes = [...store.apps.values()].filter((app) => store.may("viewer", app.key)).map((app) => {
    const box = el("input", { type: "checkbox", checked: apps?.includes(app.key) ?? false });
    return { key: app.key, box, label: el("label", { class: "check" }, box, app.name) };
  });
  const list = el("div", { class: "checks" }, boxes.map((one) => one.label));
  const error = el("p", { class: "error", role: "alert" });
  const follow = () => { list.hidden = !some.checked; error.textContent = ""; };
  for (const radio of [every, some]) radio.addEventListener("change", follow);
  follow();
  return {
    element: [
      roles.element,
      el("fieldset", null, el("legend", null, settingsStrings.scope),
        own ? null : el("div", { class: "checks" },
          el("label", { class: "check" }, every, settingsStrings.allApps),
          el("label", { class: "check" }, some, settingsStrings.someApps)),
        list, error),
    ],
    role: roles,
    /** @returns {{ role: Role, apps: string[] | null } | null} null if no app is chosen, with the error shown */
    value() {
      const keys = boxes.filter((one) => one.box.checked).map((one) => one.key);
      if (some.checked && keys.length === 0) {
        error.textContent = own ? settingsStrings.ownScopeMissing : settingsStrings.scopeMissing;
        (own ? boxes[0]?.box : some)?.focus();
        return null;
      }
      return { role: /** @type {Role} */ (roles.control.value), apps: every.checked ? null : keys };
    },
  };
}
