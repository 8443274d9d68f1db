// @ts-check
/**
 * A first look at a file that an app polls today: which library's it is and which platforms it is for, so that nobody has to type what the
 * file already says. Nothing is decided here: what becomes of the file is in the server's plan.
 */

/** @typedef {import("./documents.js").Library} Library */
/** @typedef {"launchgate" | "bellerophon" | "prince-of-versions"} Format */
/**
 * @typedef {{ formats: Format[], platforms: Map<string, Library[]>, namesPlatform: boolean }} Found
 *   `namesPlatform`: false only for a Bellerophon file, which does not say which platform it is for
 */

/**
 * A file's text; null if it is not UTF-8, because browsers would replace the letters of another encoding, and the texts in it are shown to
 * users.
 * @param {File} file
 */
export async function textOf(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

const STATUS = new Set(["apiInactive", "forceUpdate", "retryInterval", "userMessage"]);
const RULES = ["requiredUpdate", "optionalUpdate", "alert"];
/** @type {Record<string, string>} */
const LISTS = { ios2: "ios", android2: "android", macos2: "macos" };
const KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;

/**
 * @param {string} text
 * @returns {Found | null} null if it is no known kind of file
 */
export function readFile(text) {
  /** @type {unknown} */
  let root;
  try {
    root = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(root)) return null;
  /** @type {Set<Format>} */
  const formats = new Set();
  /** @type {Map<string, Library[]>} */
  const platforms = new Map();
  /** @param {string} platform @param {Library} library @param {Format} format */
  const add = (platform, library, format) => {
    formats.add(format);
    platforms.set(platform, [...new Set([...(platforms.get(platform) ?? []), library])]);
  };
  for (const [name, value] of Object.entries(root)) {
    if (STATUS.has(name)) { if (isStatus(root)) formats.add("bellerophon"); }
    else if (LISTS[name]) { if (value !== null) add(LISTS[name], "prince-of-versions", "prince-of-versions"); }
    else if (!KEY.test(name)) continue;
    else if (isList(name, value)) add(name, "prince-of-versions", "prince-of-versions");
    else if (isGates(name, value)) add(name, name === "android" ? "gandalf" : "launchgate", "launchgate");
  }
  return formats.size > 0 ? { formats: [...formats], platforms, namesPlatform: platforms.size > 0 } : null;
}

/** @param {unknown} value @returns {value is Record<string, unknown>} */
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** @param {string} name @param {unknown} value */
function isList(name, value) {
  if (Array.isArray(value)) return Object.values(LISTS).includes(name);
  return name === "android" && isObject(value) && ("required_version" in value || "last_version_available" in value)
    && !RULES.some((rule) => rule in value);
}

/**
 * Whether it is a Bellerophon file. A file in the app's own shape may share a name with it, but then lacks `apiInactive`.
 * @param {Record<string, unknown>} root
 */
const isStatus = (root) => "apiInactive" in root
  || Object.keys(root).every((name) => STATUS.has(name) || !!LISTS[name] || isGates(name, root[name]));

/**
 * Whether a value is a platform's gates. Empty, it means that no rule is on; with other members only, the file is in the app's own shape.
 * @param {string} name @param {unknown} value
 */
const isGates = (name, value) => isObject(value)
  && (RULES.some((rule) => rule in value) || ((name === "ios" || name === "android") && Object.keys(value).length === 0));

/** The server's limits for a file in the app's own shape: its length in characters, and the depth of its objects. */
const LONGEST = 32_768;
const DEEPEST = 16;

/**
 * The parsed file if it could be one in the app's own shape; otherwise null.
 * @param {string} text
 * @returns {object | null}
 */
export function readDocument(text) {
  if (text.length > LONGEST) return null;
  try {
    const value = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    // The server says what is wrong with it, and where.
    return null;
  }
}

/**
 * Whether one of the names occurs in a file, at any depth that the server accepts.
 * @param {unknown} value @param {string[]} names @param {number} [depth] @returns {boolean}
 */
export function namesOne(value, names, depth = 0) {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return false;
  return Object.entries(value).some(([name, one]) =>
    (!Array.isArray(value) && names.includes(name.toLowerCase())) || namesOne(one, names, depth + 1));
}
