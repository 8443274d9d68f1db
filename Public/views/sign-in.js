// @ts-check
import { el } from "../dom.js";
import { strings } from "../strings.js";
import { signInForm } from "../components/sign-in-form.js";

/** @param {{ needed: boolean, done: (session: import("../api.js").Session) => void }} options `needed`: there is no user yet */
export function signInView({ needed, done }) {
  if (needed) {
    return { title: strings.signIn.title, focus: () => {}, element: el("main", { class: "door", id: "main", tabindex: "-1" },
      el("p", { class: "brand-large" }, strings.product), el("h1", { tabindex: "-1" }, strings.signIn.notSetUp), el("p", null, strings.signIn.notSetUpHint)) };
  }
  const form = signInForm({ done });
  return { title: strings.signIn.title, focus: form.focus, element: el("main", { class: "door", id: "main", tabindex: "-1" },
    el("p", { class: "brand-large" }, strings.product), el("h1", { tabindex: "-1" }, strings.signIn.title), form.element) };
}
