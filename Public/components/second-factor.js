// @ts-check
/** The second factor of one's own account: set up, confirm, remove. */
import * as api from "../api-people.js";
import { el, show } from "../dom.js";
import { accountStrings } from "../strings/account.js";
import { openConfirmDialog } from "./confirm-dialog.js";
import { copyButton } from "./copy-button.js";
import { field } from "./field.js";
import { qrDrawing } from "./qr-drawing.js";
import { saveForm } from "./save-form.js";
import { shownOnce } from "./shown-once.js";

/**
 * @param {api.Account} account
 * @param {() => Promise<void>} reload
 */
export function secondFactor(account, reload) {
  const holder = el("div", { class: "stack" });
  if (account.totp) {
    show(holder, el("p", null, accountStrings.factorOn(account.recoveryCodes)), el("p", { class: "hint" }, accountStrings.codesGone),
      el("div", { class: "actions" }, el("button", {
        type: "button", class: "button",
        on: {
          click: () => openConfirmDialog({
            title: accountStrings.removeTitle, text: accountStrings.removeText, run: api.removeTOTP, done: () => void reload(),
            lost: () => void reload(),
          }),
        },
      }, accountStrings.remove)));
    return holder;
  }
  show(holder, el("p", null, accountStrings.factorOff), saveForm({
    fields: {}, content: [], allowed: true, label: accountStrings.start,
    save: async () => show(holder, confirmation(await api.startTOTP(), holder, reload)), saved: async () => {},
  }));
  return holder;
}

/**
 * @param {{ secret: string, uri: string }} made
 * @param {HTMLElement} holder
 * @param {() => Promise<void>} reload
 */
function confirmation({ secret, uri }, holder, reload) {
  const code = field(
    el("input", { name: "code", autocomplete: "one-time-code", inputmode: "numeric", maxlength: 6, class: "mono" }),
    { label: accountStrings.code, hint: accountStrings.codeHint },
  );
  return [
    el("p", null, accountStrings.secret),
    qrDrawing(uri, accountStrings.qr),
    el("p", null, el("code", { class: "phrase" }, secret.match(/.{1,4}/g)?.join(" ") ?? secret)),
    el("div", { class: "actions" },
      copyButton(accountStrings.copySecret, () => secret),
      el("a", { class: "button quiet", href: uri }, accountStrings.link)),
    saveForm({
      fields: { code }, content: [code.element], allowed: true, label: accountStrings.confirm,
      save: async () => {
        const tell = shownOnce(holder);
        tell(recovery((await api.confirmTOTP(code.control.value.trim())).recoveryCodes));
      },
      saved: async () => {},
      // If it is not on, the same code can be sent again.
      lost: async () => { if (await isOn()) await reload(); },
    }),
  ];
}

async function isOn() {
  try {
    return (await api.account()).totp;
  } catch {
    // The form says already that nobody knows.
    return false;
  }
}

/**
 * @param {string[]} codes
 * @returns {import("./shown-once.js").Secret}
 */
const recovery = (codes) => ({
  title: accountStrings.recovery, heading: "h3",
  content: [
    el("p", { class: "callout" }, accountStrings.recoveryHint),
    el("ul", { class: "codes" }, codes.map((code) => el("li", null, el("code", null, code)))),
  ],
  actions: [
    copyButton(accountStrings.copyCodes, () => codes.join("\n"), { class: "button primary" }),
    el("button", { type: "button", class: "button", on: { click: () => download(codes) } }, accountStrings.downloadCodes),
  ],
});

/** @param {string[]} codes */
function download(codes) {
  const href = URL.createObjectURL(new Blob([accountStrings.codesFile(location.host, codes)], { type: "text/plain" }));
  el("a", { href, download: accountStrings.codesFileName }).click();
  URL.revokeObjectURL(href);
}
