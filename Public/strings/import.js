// @ts-check
/** The visible strings of taking over a file. */

export const importStrings = {
  title: "Take over a file",
  intro: "Choose the JSON file your app polls today. You see what it would do; nothing is written until you confirm.",
  app: "App", document: "The file’s text", file: "Choose a file", fileOr: "or paste its text below",
  documentMissing: "Choose the file or paste its text.",
  format: "Format",
  formats: {
    auto: "Recognise it", launchgate: "LaunchGate / Gandalf", bellerophon: "Bellerophon", "prince-of-versions": "Prince of Versions",
  },
  platform: "Platform of a Bellerophon file",
  platformHint: "LaunchGate, Gandalf and Prince of Versions files name their platforms themselves.",
  plan: "Show what it would do", planning: "Reading the file…",
  /** @param {number} number */
  line: (number) => `in line ${number}`,
  refused: "Cannot be published safely", path: "Where", value: "Value", why: "Why",
  skip: "Leave these out and take over the rest",
  confirm: "Take over",
  /** @param {string} app @param {string} environment */
  confirmTitle: (app, environment) => `Take over the file of ${app}${environment ? ` in ${environment}` : ""}`,
  nothing: "The file’s rules are in force already. Nothing would change.",
  first: "First the app it belongs to", next: "Now its file",
  done: "Taken over",
  doneHint: "The feeds show the same rules now. Give the app’s old address to the feeds listener with an alias, "
    + "or point the app here in its next release.",
  tooLarge: "The file is larger than 256 KiB.",
};
