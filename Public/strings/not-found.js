// @ts-check
/** The visible strings of an address that leads nowhere. */

export const notFoundStrings = {
  title: "Nothing here", text: "There is no page at this address. It may have been moved, or the app it was about is gone.",
  home: "Go to the overview",
};
