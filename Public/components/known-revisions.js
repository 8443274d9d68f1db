// @ts-check
/** Which state of targets and windows this page knows, and whether the server knows a later one. */
import * as api from "../api.js";
import { store } from "../store.js";

/**
 * Whether the server refused because the window has changed since it was read.
 * @param {unknown} error
 */
export const isWindowOvertaken = (error) =>
  error instanceof api.APIError && error.status === 412 && error.problem.field === "/revision";

/**
 * Whether the server refused because the window is running or over.
 * @param {unknown} error
 */
export const isTooLate = (error) => error instanceof api.APIError && ["window_running", "window_over"].includes(error.code);

/** The revisions of all targets and windows that this page knows. */
export const knownRevisions = () => new Map(/** @type {[string, string][]} */ ([
  ...[...store.targets].map(([name, { revision }]) => [name, String(revision)]),
  ...store.windows.map(({ id, revision, state }) => [String(id), `${revision} ${state}`]),
]));
