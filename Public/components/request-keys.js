// @ts-check
/** Keys for writes: the same body keeps its key, so that pressing again cannot write twice. */
import { newKey } from "../api.js";

/** @returns {(body: object) => string} the Idempotency-Key of a body; make one such function for each action */
export function requestKeys() {
  /** @type {Map<string, string>} */
  const keys = new Map();
  return (body) => {
    const text = JSON.stringify(body);
    const key = keys.get(text) ?? newKey();
    keys.set(text, key);
    return key;
  };
}
