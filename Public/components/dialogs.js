// @ts-check
/** The dialogs that change gates, in one module, to be fetched together. */
export { openBlockDialog } from "./block-dialog.js";
export { openBlockAllDialog, openOpenAllDialog, openUndoAllDialog } from "./many-dialog.js";
export { openOpenDialog } from "./open-dialog.js";
export { openRevertDialog, openUndoDialog } from "./revert-dialog.js";
