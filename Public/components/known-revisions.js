// @ts-check
/** What this page knows to have been changed, and what not. */
import { nameOf, store } from "../store.js";

/** The revisions of all targets and windows that this page knows. */
export const knownRevisions = () => new Map(/** @type {[string, string][]} */ ([
  ...[...store.targets].map(([name, { revision }]) => [name, String(revision)]),
  ...store.windows.map(({ id, revision, state }) => [String(id), `${revision} ${state}`]),
]));
