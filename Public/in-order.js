// @ts-check
/**
 * Lists that are read again after each action: an answer that comes after one to a later question is older than what is shown, such as a
 * token that is still told to work after it was revoked.
 */

/**
 * @returns {() => () => boolean} call it before asking; what it returns, called with the answer, says whether there is no newer one yet
 */
export function inOrder() {
  let asked = 0;
  let taken = 0;
  return () => {
    asked += 1;
    const mine = asked;
    return () => {
      if (mine < taken) return false;
      taken = mine;
      return true;
    };
  };
}
