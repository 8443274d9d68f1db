// @ts-check
/** The second factor of one's own account: set up, confirmed, taken away. */
import * as api from "../api-people.js";
import { el, show, svg } from "../dom.js";
import { accountStrings } from "../strings/account.js";
import { openConfirmDialog } from "./confirm-dialog.js";
import { copyButton } from "./copy-button.js";
import { field } from "./field.js";
import { saveForm } from "./save-form.js";

/**
 * @param {api.Account} account
 * @param {() => Promise<void>} reload
 */
export function secondFactor(account, reload) {
  const holder = el("div", { class: "stack" });
  if (account.totp) {
    show(holder, el("p", null, accountStrings.factorOn(account.recoveryCodes)),
      el("div", { class: "actions" }, el("button", {
        type: "button", class: "button",
        on: {
          click: () => openConfirmDialog({
            title: accountStrings.removeTitle, text: accountStrings.removeText, run: api.removeTOTP, done: () => void reload(),
          }),
        },
      }, accountStrings.remove)));
    return holder;
  }
  show(holder, el("p", null, accountStrings.factorOff), saveForm({
    fields: {}, content: [], allowed: true, label: accountStrings.start,
    save: async () => show(holder, confirmation(await api.startTOTP(), holder)), saved: async () => {},
  }));
  return holder;
}

/**
 * @param {{ secret: string, uri: string }} made
 * @param {HTMLElement} holder
 */
function confirmation({ secret, uri }, holder) {
  const code = field(
    el("input", { name: "code", autocomplete: "one-time-code", inputmode: "numeric", maxlength: 6, class: "mono" }),
    { label: accountStrings.code, hint: accountStrings.codeHint },
  );
  const drawing = el("div", { class: "qr" });
  void draw(drawing, uri);
  return [
    el("p", null, accountStrings.secret),
    drawing,
    el("p", null, el("code", { class: "phrase" }, secret.match(/.{1,4}/g)?.join(" ") ?? secret)),
    el("div", { class: "actions" },
      copyButton(accountStrings.copySecret, () => secret),
      el("a", { class: "button quiet", href: uri }, accountStrings.link)),
    saveForm({
      fields: { code }, content: [code.element], allowed: true, label: accountStrings.confirm,
      save: async () => show(holder, recovery((await api.confirmTOTP(code.control.value.trim())).recoveryCodes)), saved: async () => {},
    }),
  ];
}

/** The margin that a code has to have around it, in modules. */
const QUIET = 4;

/**
 * The secret as a code for a camera, drawn on this page: it goes to nobody.
 * @param {HTMLElement} holder
 * @param {string} text
 */
async function draw(holder, text) {
  try {
    const { qrCode } = await import("../qr.js");
    const rows = qrCode(text);
    const side = rows.length + 2 * QUIET;
    const path = rows
      .flatMap((row, top) => runs(row).map(([left, width]) => `M${left + QUIET} ${top + QUIET}h${width}v1h-${width}z`))
      .join("");
    const look = { viewBox: `0 0 ${side} ${side}`, role: "img", "aria-label": accountStrings.qr, "shape-rendering": "crispEdges" };
    show(holder, svg("svg", look, svg("path", { d: path, fill: "#000000" })));
  } catch (error) {
    // Its file did not come, or the text is too long for it: the secret stands below.
    if (!(error instanceof TypeError) && !(error instanceof RangeError)) throw error;
  }
}

/**
 * Where dark modules stand side by side, and how many.
 * @param {boolean[]} row
 * @returns {[number, number][]}
 */
function runs(row) {
  /** @type {[number, number][]} */
  const found = [];
  row.forEach((isDark, place) => {
    if (isDark && !row[place - 1]) found.push([place, 1]);
    else if (isDark) found[found.length - 1][1] += 1;
  });
  return found;
}

/** @param {string[]} codes */
function recovery(codes) {
  return el("section", { class: "panel" },
    el("h3", null, accountStrings.recovery),
    el("p", { class: "callout" }, accountStrings.recoveryHint),
    el("ul", { class: "codes" }, codes.map((code) => el("li", null, el("code", null, code)))),
    el("div", { class: "actions" }, copyButton(accountStrings.copyCodes, () => codes.join("\n"), { class: "button primary" }),
      el("button", { type: "button", class: "button", on: { click: () => download(codes) } }, accountStrings.downloadCodes)));
}

/** @param {string[]} codes */
function download(codes) {
  const href = URL.createObjectURL(new Blob([accountStrings.codesFile(location.host, codes)], { type: "text/plain" }));
  el("a", { href, download: accountStrings.codesFileName }).click();
  URL.revokeObjectURL(href);
}
