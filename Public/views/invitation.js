// @ts-check
/** `#/invitation/TOKEN`: set one's password with the link an administrator sent. The token is kept only in this page's memory. */
import { acceptInvitation } from "../api-people.js";
import { APIError, NoAnswer } from "../api.js";
import { el, show } from "../dom.js";
import { invitationStrings } from "../strings/invitation.js";
import { strings } from "../strings/shared.js";
import { signInStrings } from "../strings/sign-in.js";
import { doorForm, newPasswordField } from "../components/door-form.js";
import { codeField, explain } from "../components/sign-in.js";

/**
 * @param {object} options
 * @param {string} options.token empty if the page was reloaded after the token was removed from the address
 * @param {string | null} options.user who is signed in to this browser
 * @param {(session: import("../documents.js").Session) => void} options.done
 * @param {() => Promise<void>} options.signOut
 * @param {() => void} options.leave goes to where the browser would be without the link
 */
export function invitationView({ token, user, done, signOut, leave }) {
  const main = el("main", { class: "door", id: "main", tabindex: "-1" });
  const view = { title: invitationStrings.title, element: main, focus: () => heading()?.focus() };
  const heading = () => main.querySelector("h1");

  /** @param {string} title @param {...import("../dom.js").Child} content */
  function say(title, ...content) {
    show(main, el("p", { class: "brand-large" }, strings.product), el("h1", { tabindex: "-1" }, title), content);
  }

  /** @param {string} title @param {string} text what to do */
  function end(title, text) {
    say(title, el("p", null, text), el("div", { class: "actions" },
      el("button", { type: "button", class: "button primary", on: { click: leave } },
        user ? invitationStrings.stay : invitationStrings.toSignIn)));
    heading()?.focus();
  }

  function ask() {
    const password = newPasswordField();
    const code = codeField();
    // Shown only if the account has a second factor, which the server says only for a valid link.
    code.element.hidden = true;
    const form = doorForm({
      fields: { "/password": password, "/totp": code }, action: invitationStrings.action, busy: invitationStrings.busy,
      isReady: password.isLongEnough,
      send: async () => done(await acceptInvitation(token, password.control.value, code.control.value.trim())),
      refused: (error) => {
        if (error.code === "invitation") { end(invitationStrings.goneTitle, invitationStrings.gone); return true; }
        if (!error.code.includes("totp")) return false;
        form.tell(code.element.hidden ? signInStrings.codeMissing : signInStrings.codeWrong);
        code.element.hidden = false;
        code.control.focus();
        return true;
      },
    });
    say(invitationStrings.title, el("p", null, invitationStrings.intro(location.host)), form.element);
    password.control.focus();
    view.focus = () => password.control.focus();
  }

  if (!token) end(invitationStrings.missingTitle, invitationStrings.missing);
  else if (!user) ask();
  else {
    const problem = el("div", { class: "problem", role: "alert" });
    const out = async () => {
      problem.textContent = "";
      try {
        await signOut();
      } catch (error) {
        if (!(error instanceof APIError) && !(error instanceof NoAnswer)) throw error;
        // A 401 means that the session has already ended.
        if (error instanceof NoAnswer || error.status !== 401) { problem.textContent = explain(error); return; }
      }
      user = null;
      ask();
    };
    say(invitationStrings.otherTitle, el("p", null, invitationStrings.other(user)), problem, el("div", { class: "actions" },
      el("button", { type: "button", class: "button primary", on: { click: () => void out() } }, invitationStrings.signOut),
      el("button", { type: "button", class: "button", on: { click: leave } }, invitationStrings.stay)));
  }
  return view;
}
