// @ts-check
/** Light, dark or as the system says, remembered in this browser. */

const KEY = "gatehouse-theme";
export const THEMES = /** @type {const} */ (["auto", "light", "dark"]);

/** @returns {typeof THEMES[number]} */
export function currentTheme() {
  try {
    return THEMES.find((theme) => theme === localStorage.getItem(KEY)) ?? "auto";
  } catch {
    // Storage may be forbidden; the system's choice is a fine one.
    return "auto";
  }
}

/** @param {typeof THEMES[number]} [theme] */
export function applyTheme(theme) {
  if (theme) {
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // Not remembered then; it still holds for this visit.
    }
  }
  document.documentElement.dataset.theme = theme ?? currentTheme();
}
