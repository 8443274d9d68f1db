// @ts-check
/** The part of the admin API that is about people: accounts, tokens, sessions. It asks through api.js. */
import { adopt, all, request } from "./api.js";

/** @typedef {import("./documents.js").Role} Role */
/**
 * @typedef {{ id: number, username: string, role: Role, apps: string[] | null, disabled: boolean, totp: boolean, createdAt: string,
 *   passwordChangedAt: string, hasPassword?: boolean, invitedUntil?: string, origin?: "proxy" }} Person  `hasPassword`: sent only
 *   when `false`, for someone invited who has not yet set one; `invitedUntil`: when an unused invitation ends, which may be in the past;
 *   `origin`: a proxy in front signs them in
 */
/** @typedef {{ token: string, expiresAt: string }} Invitation  `token` can never be read again */
/** @typedef {Person & { invitation?: Invitation }} InvitedPerson */
/**
 * @typedef {{ id: string, name: string, role: Role, apps: string[] | null, owner: string | null, createdBy: string, createdAt: string,
 *   expiresAt: string | null, lastUsedAt: string | null, revokedAt: string | null, active: boolean }} Token
 */
/**
 * @typedef {{ user: { username: string, role: Role, apps: string[] | null }, createdAt: string, passwordChangedAt: string, totp: boolean,
 *   recoveryCodes: number, freshUntil: string, origin?: "proxy" }} Account
 */
/**
 * @typedef {{ id: string, current: boolean, createdAt: string, lastSeenAt: string, expiresAt: string, address: string,
 *   userAgent: string }} AccountSession
 */

/** @param {string | number} part */
const segment = (part) => encodeURIComponent(String(part));

/** @returns {Promise<Person[]>} */
export const people = () => all("/users");
/**
 * @param {{ username: string, role: Role, apps: string[] | null, password?: string }} body without a password, they are invited
 * @returns {Promise<InvitedPerson>}
 */
export const addPerson = (body) => request("POST", "/users", { body });
/**
 * Makes a new invitation, which replaces any earlier one.
 * @param {string} username
 * @returns {Promise<InvitedPerson>}
 */
export const invitePerson = (username) => request("POST", `/users/${segment(username)}/invitation`, { body: {} });
/**
 * Sets the invited person's password, and signs them in.
 * @param {string} invitation
 * @param {string} password
 * @param {string} [totp] the authenticator's code or a recovery code, if the account has a second factor
 * @returns {Promise<import("./documents.js").Session>}
 */
export async function acceptInvitation(invitation, password, totp) {
  const begun = await request("POST", "/invitations", { body: { invitation, password, ...(totp ? { totp } : {}) }, asIs: true });
  adopt(begun);
  return begun;
}
/**
 * @param {string} username
 * @param {{ role?: Role, apps?: string[] | null, disabled?: boolean, password?: string, totp?: false }} body
 * @returns {Promise<Person>}
 */
export const changePerson = (username, body) => request("PATCH", `/users/${segment(username)}`, { body });
/** @param {string} username */
export const deletePerson = (username) => request("DELETE", `/users/${segment(username)}`, { body: {} });

/** @returns {Promise<Token[]>} */
export const tokens = () => all("/tokens");
/**
 * @param {{ name: string, role: Role, apps: string[] | null, expiresAt: string }} body
 * @param {string} key sent again under it, the same body makes no second token and is refused (409 `token_made`)
 * @returns {Promise<Token & { token: string }>} `token` can never be read again
 */
export const addToken = (body, key) => request("POST", "/tokens", { body, key });
/** @param {string} id */
export const revokeToken = (id) => request("DELETE", `/tokens/${segment(id)}`, { body: {} });

/** @returns {Promise<Account>} */
export const account = () => request("GET", "/account");
/**
 * Ends every other session; this one continues under a new token.
 * @param {string} currentPassword
 * @param {string} newPassword
 * @param {{ totp?: string, revokeTokens?: boolean }} [more] `totp`: the authenticator's code or a recovery code, if the account
 *   has a second factor
 */
export async function changePassword(currentPassword, newPassword, more = {}) {
  const { totp, revokeTokens } = more;
  const body = { currentPassword, newPassword, ...(totp ? { totp } : {}), ...(revokeTokens ? { revokeTokens } : {}) };
  adopt(await request("POST", "/account/password", { body }));
}
/** @returns {Promise<{ secret: string, uri: string }>} shown once */
export const startTOTP = () => request("POST", "/account/totp", { body: {} });
/**
 * @param {string} code
 * @returns {Promise<{ recoveryCodes: string[] }>} shown once
 */
export const confirmTOTP = (code) => request("POST", "/account/totp/confirm", { body: { code } });
export const removeTOTP = () => request("DELETE", "/account/totp", { body: {} });
/** @returns {Promise<AccountSession[]>} */
export const sessions = async () => (await request("GET", "/account/sessions")).items;
/** @param {string} id */
export const endSession = (id) => request("DELETE", `/account/sessions/${segment(id)}`, { body: {} });
/** Ends every session but this one. */
export const endOtherSessions = () => request("DELETE", "/account/sessions", { body: {} });

/**
 * Gives the password once more; the session continues, under a new token if the server issues one.
 * @param {string} password
 * @param {string} [totp]
 */
export async function reauthenticate(password, totp) {
  adopt(await request("POST", "/session/reauthenticate", { body: { password, ...(totp ? { totp } : {}) }, asIs: true }));
}
