// @ts-check
import { el } from "../dom.js";
import { strings } from "../strings/shared.js";
import { signInStrings } from "../strings/sign-in.js";
import { signInForm } from "../components/sign-in-form.js";

/** @param {{ needed: boolean, done: (session: import("../api.js").Session) => void }} options `needed`: there is no user yet */
export function signInView({ needed, done }) {
  if (needed) {
    return { title: signInStrings.title, focus: () => {}, element: el("main", { class: "door", id: "main", tabindex: "-1" },
      el("p", { class: "brand-large" }, strings.product),
      el("h1", { tabindex: "-1" }, signInStrings.notSetUp),
      el("p", null, signInStrings.notSetUpHint)) };
  }
  const form = signInForm({ done });
  return { title: signInStrings.title, focus: form.focus, element: el("main", { class: "door", id: "main", tabindex: "-1" },
    el("p", { class: "brand-large" }, strings.product), el("h1", { tabindex: "-1" }, signInStrings.title), form.element) };
}
