// @ts-check
/**
 * A first look at a file that an app polls today: whose it is and which platforms it is for, so that nobody has to say what the file says
 * itself. Nothing is decided by it: what becomes of the file is the server's plan.
 */

/** @typedef {import("./api.js").Library} Library */
/** @typedef {"launchgate" | "bellerophon" | "prince-of-versions"} Format */
/**
 * @typedef {{ formats: Format[], platforms: Map<string, Library[]>, namesPlatform: boolean }} Found
 *   `namesPlatform`: false for Bellerophon's alone, whose file does not say for which platform it is
 */

const STATUS = new Set(["apiInactive", "forceUpdate", "retryInterval", "userMessage"]);
const RULES = ["requiredUpdate", "optionalUpdate", "alert"];
/** @type {Record<string, string>} */
const LISTS = { ios2: "ios", android2: "android", macos2: "macos" };
const KEY = /^[a-z0-9][a-z0-9-]{0,62}$/;

/**
 * @param {string} text
 * @returns {Found | null} null when it is none of the files that are known
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
 * Whether it is Bellerophon's: a file of an app's own may share a name with it, and then does not say whether the API is inactive.
 * @param {Record<string, unknown>} root
 */
const isStatus = (root) => "apiInactive" in root
  || Object.keys(root).every((name) => STATUS.has(name) || !!LISTS[name] || isGates(name, root[name]));

/**
 * An object without any rule says that none is on, where it is empty; with other members it is an app's own.
 * @param {string} name @param {unknown} value
 */
const isGates = (name, value) => isObject(value)
  && (RULES.some((rule) => rule in value) || ((name === "ios" || name === "android") && Object.keys(value).length === 0));

/** Characters of the longest file that the server takes for one of the app's own, and its deepest object. */
const LONGEST = 32_768;
const DEEPEST = 16;

/**
 * The file, where it could be one of the app's own; null for what is none.
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
 * Whether one of the names stands in a file, at any depth that the server takes.
 * @param {unknown} value @param {string[]} names @param {number} [depth] @returns {boolean}
 */
export function namesOne(value, names, depth = 0) {
  if (typeof value !== "object" || value === null || depth > DEEPEST) return false;
  return Object.entries(value).some(([name, one]) =>
    (!Array.isArray(value) && names.includes(name.toLowerCase())) || namesOne(one, names, depth + 1));
}
