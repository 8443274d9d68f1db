// @ts-check
/**
 * The documents of the admin API that more than one screen reads, as types. Tests/Dashboard/test_types.py holds them to
 * /openapi.json. No page loads this file.
 */

/** @typedef {"viewer" | "operator" | "admin"} Role */
/**
 * @typedef {{ user: { username: string, role: Role, apps: string[] | null }, csrf: string, expiresAt: string | null, origin?: "proxy",
 *   signOut?: string }} Session  `origin`: a proxy in front signs them in; `signOut`: the address where it signs them out
 */
/**
 * @typedef {{ state: "ok" | "degraded" | "starting", reasons: string[],
 *   notices?: string[] }} Health  `notices`: worth fixing, but not a fault
 */
/**
 * @typedef {{ environment: { name: string, colour: string, protected: boolean }, version: string, serverTime: string, sequence: number,
 *   health: Health, feedsPort?: number, servers?: SharedServer[] }} Status
 * @typedef {{ name: string, startedAt: string, sequence: number, silentSeconds: number }} SharedServer
 *   one of several servers that share a database
 */
/** @typedef {string | Record<string, string>} Message  a string, or language tags with a `default` member */
/**
 * @typedef {{ message?: Message, retryInterval?: number, until?: string, opening?: string, minimumVersion?: string,
 *   blockedVersions?: string[], optionalVersion?: string, blocking?: boolean }} Rule
 */
/** @typedef {"killSwitch" | "forceUpdate" | "requiredUpdate" | "optionalUpdate" | "alert"} RuleName */
/** @typedef {Partial<Record<RuleName, Rule>>} Gate */
/** @typedef {"blocked" | "updateRequired" | "notice" | "open"} State */
/** @typedef {"bellerophon" | "launchgate" | "gandalf" | "prince-of-versions" | "gatekit" | "openfeature"} Library */
/**
 * @typedef {{ versionScheme: "dotted" | "code", storeURL: string | null, releases: string[], defaultRetryInterval: number,
 *   clients?: Library[] | null }} Settings  `clients`: the libraries in the app; null while not known, absent if the server does not
 *   have this setting
 */
/**
 * @typedef {{ pollsPerMinute: number, share: number | null, secondsSinceStale: number | null, confirmed: number, replaced: number,
 *   fetched: number, feeds?: string[] }} Reach  counted from polls of one revision; `feeds`: the documents polled within a day
 */
/**
 * @typedef {{ app: string, platform: string, revision: number, sequence: number, state: State, since: string, gate: Gate,
 *   settings: Settings, feeds: Record<string, string>, lastChange: Change | null, reach?: Reach }} Target
 */
/** @typedef {{ path: string, feed: string, platform?: string }} Alias */
/** @typedef {{ name: string, platform?: string, path: string }} ListedOwnFeed */
/**
 * @typedef {{ key: string, name: string, aliases: Alias[], platforms: Record<string, Settings>, ownFeeds?: ListedOwnFeed[] }} App
 */
/**
 * @typedef {{ app: string, platform: string, previous: number, revision: number, before: Gate, after: Gate,
 *   feeds?: Record<string, string>, settings?: { before: unknown, after: unknown } }} ChangedTarget
 */
/** @typedef {{ kind: "user" | "token" | "system", name: string, id?: string, user?: string }} Actor `user`: whose token it is */
/**
 * @typedef {{ sequence: number, at: string, actor: Actor, source: string, kind: string, reason: string | null, requestId: string,
 *   app?: string, targets: ChangedTarget[], skipped?: { from: number, to: number }, omitted?: number }} Change
 *   `skipped`: sequences that a restore skips before its own; `omitted`: how many of its targets did not fit in the answer
 */
/** @typedef {{ app: string, platform: string, field: string, before: unknown, after: unknown }} Difference */
/** @typedef {{ app: string, field: string, before: unknown, after: unknown }} AppDifference */
/** @typedef {{ code: string, detail: string, versions: string[] }} Warning */
/** @typedef {"blocked" | "forced" | "required" | "optional" | "alert" | "nothing"} Meant  what a gate intends a version to see */
/** @typedef {Meant | "crash" | "stuck" | "rejected"} Shown  what a library shows */
/**
 * @typedef {{ app: string, platform: string, client: Library, versions: string[], before: Shown, after: Shown, meant: Meant,
 *   detail: string }} Effect  `versions`: examples of the versions it applies to
 */
/**
 * @typedef {{ phones: number, pollsPerSecond: number,
 *   slower?: { retryInterval: number, pollsPerSecond: number } }} PollLoad  the polls to expect during a kill switch; an estimate
 */
/**
 * @typedef {{ tier: number, confirm: string | null, reasonRequired: boolean, diff: Difference[], apps?: AppDifference[],
 *   effects?: Effect[], warnings: Warning[], load?: PollLoad,
 *   omitted?: { diff: number, apps: number, effects?: number, warnings: number } }} Plan  `omitted`: how many rows were left out
 */
/**
 * @typedef {{ path: string, value: unknown, code: string, detail: string, overridable?: boolean, line?: number, column?: number }} Refused
 */
/**
 * @typedef {{ title: string, status: number, code: string, detail: string, field?: string, overridable?: boolean, requestId?: string,
 *   plan?: Plan, current?: Target, refused?: Refused[],
 *   choices?: { at: string, wallTime: string, zone: string, offset: string }[] }} Problem
 */
/** @typedef {{ changed: boolean, change: Change | null, plan: Plan, refused?: Refused[] }} Outcome */
/**
 * @typedef {{ items: Change[], sequence: number, serverTime: string, health: Health, schedule?: number,
 *   reset?: boolean }} Events  `schedule` goes up whenever a window changes
 */

export {};
