// @ts-check
/** Keys for writes: what is sent again in the same words keeps its key, so that a repeated press cannot do it twice. */
import { newKey } from "../api.js";

/** @returns {(body: object) => string} the Idempotency-Key of a body; one such function for each thing that is to be done */
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
