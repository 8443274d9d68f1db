package import GateCrypto
import GateJSON
package import GateModel
import GateStore
import Synchronization

/// Gates that are tried out on real phones, beside the ones in force, at addresses that nobody can guess.
///
/// They exist only in memory and end with the server: nothing here can alter what is published. Beginning, altering and ending one is
/// recorded in the audit. Any thread.
package final class RehearsalService: Sendable {
    /// How many there may be at a time on a server. When all are taken, somebody who has at least two fewer than whoever has most gets the
    /// place of the oldest of theirs: one script that begins them all keeps nobody else from trying a gate.
    package static let most = 20

    private let ledger: Ledger
    private let random: RandomSource
    private let stage: any RehearsalStage
    private let entries = Mutex<[Entry]>([])
    /// How often an account may begin or alter one: each is a row of the audit. More than anybody does who tries gates out.
    private let makings = MinutePace<String>(most: 600)

    private struct Entry: Sendable {
        var rehearsal: Rehearsal
        let secret: String
    }

    package init(ledger: Ledger, random: RandomSource, stage: any RehearsalStage) {
        (self.ledger, self.random, self.stage) = (ledger, random, stage)
    }

    /// - Parameters:
    ///   - gate: the whole gate; nil for the one in force.
    ///   - span: seconds within ``Rehearsal/spans``.
    /// - Throws: `forbidden`; `target_not_found`; the refusals of a gate; `too_many_rehearsals` (409); `too_often` (429); an error when the
    ///   audit cannot be written, and then nothing was begun.
    package func begin(_ key: TargetKey, gate: GateEdit?, span: Int64, by caller: Caller) throws(ServiceError) -> Rehearsal {
        try caller.require(.operator, of: key.app)
        let now = ledger.now()
        let staged = try stage(gate, on: key, at: now, for: caller)
        let secret = random.secret()
        var feeds: [FeedName: String] = [:]
        for name in FeedName.allCases { feeds[name] = Self.address(of: name.path(for: key), under: secret) }
        let rehearsal = Rehearsal(
            id: Self.id(random),
            target: key,
            gate: staged.gate,
            actor: caller.actor,
            at: now,
            until: now.advanced(bySeconds: span),
            feeds: feeds,
            ownFeeds: Self.ownAddresses(of: staged.scene.app, on: key.platform, under: secret)
        )
        settle(at: now)
        try makings.admit(caller.actor, at: now)
        if let yielding = try yielding(to: caller.actor.account) {
            try audit("rehearsal.delete", yielding.rehearsal, by: caller, at: now, inFavourOf: rehearsal)
            remove([yielding])
        }
        let hasRoom = entries.withLock { entries in
            guard entries.count < Self.most else { return false }
            entries.append(Entry(rehearsal: rehearsal, secret: secret))
            return true
        }
        // Two at once may have seen the same place.
        guard hasRoom else { throw Self.full(hasOwn: false) }
        do { try audit("rehearsal.create", rehearsal, by: caller, at: now) } catch {
            entries.withLock { $0.removeAll { $0.secret == secret } }
            throw error
        }
        return try show(staged.scene, rehearsal, under: secret)
    }

    /// The rehearsals that a caller may manage, newest first.
    /// - Throws: `forbidden`.
    package func list(for caller: Caller) throws(ServiceError) -> [Rehearsal] {
        try caller.require(.operator)
        settle(at: ledger.now())
        return entries.withLock { $0 }.reversed().filter { caller.sees($0.rehearsal.target.app) }.map(told)
    }

    /// - Throws: `rehearsal_not_found`, also for one that is over or whose target was removed; `forbidden`.
    package func rehearsal(_ id: String, for caller: Caller) throws(ServiceError) -> Rehearsal { told(try entry(id, for: caller)) }

    /// Gives a rehearsal another gate or another end; phones get it with their next poll.
    /// - Throws: as ``begin(_:gate:span:by:)`` and ``rehearsal(_:for:)``.
    package func alter(_ id: String, gate: GateEdit?, span: Int64?, by caller: Caller) throws(ServiceError) -> Rehearsal {
        let before = try entry(id, for: caller)
        let now = ledger.now()
        let key = before.rehearsal.target
        let staged = try stage(gate ?? GateEdit(replacingWith: before.rehearsal.gate), on: key, at: now, for: caller)
        var after = before.rehearsal
        after.gate = staged.gate
        if let span { after.until = now.advanced(bySeconds: span) }
        after.ownFeeds = Self.ownAddresses(of: staged.scene.app, on: key.platform, under: before.secret)
        try makings.admit(caller.actor, at: now)
        try audit("rehearsal.update", after, by: caller, at: now)
        return try show(staged.scene, after, under: before.secret)
    }

    /// Ends a rehearsal: its addresses answer 404 from now on.
    /// - Throws: as ``rehearsal(_:for:)``.
    package func end(_ id: String, by caller: Caller) throws(ServiceError) {
        let entry = try entry(id, for: caller)
        try audit("rehearsal.delete", entry.rehearsal, by: caller, at: ledger.now())
        remove([entry])
    }

    // MARK: -

    /// The app as it would be published with this gate, also after its kill switch has lifted itself.
    private func stage(
        _ edit: GateEdit?,
        on key: TargetKey,
        at now: Timestamp,
        for caller: Caller
    ) throws(ServiceError) -> (scene: RehearsalScene, gate: Gate) {
        var target = try ledger.target(key, for: caller)
        if let edit {
            var gate = Gate.open
            do {
                try gate.apply(edit, settings: target.settings)
                try gate.checkSize(after: target.gate)
            } catch { throw ServiceError(error, at: "/gate") }
            try gate.checkTimes(after: target.gate, at: now, in: "/gate")
            target.gate = gate
        }
        var app = try ledger.app(key.app, for: caller)
        func published(_ gate: Gate) throws(ServiceError) -> PublishedApp {
            var target = target
            target.gate = gate
            app.platforms[key.platform] = target
            return try PublishedApp(rendering: app)
        }
        let lifted = try target.gate.killSwitch?.until.map { until throws(ServiceError) in (until, try published(target.gate.lifted)) }
        return (RehearsalScene(app: try published(target.gate), lifted: lifted), target.gate)
    }

    /// The rehearsal that ends so that there is room for another one; nil while there is room.
    /// - Throws: `too_many_rehearsals` when nobody has at least two more than this account.
    private func yielding(to account: String) throws(ServiceError) -> Entry? {
        let present = entries.withLock { $0 }
        guard present.count >= Self.most else { return nil }
        var counts: [String: Int] = [:]
        for entry in present { counts[entry.rehearsal.actor.account, default: 0] += 1 }
        let own = counts[account] ?? 0
        let most = counts.values.max() ?? 0
        // The oldest comes first.
        guard most > own + 1, let oldest = present.first(where: { counts[$0.rehearsal.actor.account] == most }) else {
            throw Self.full(hasOwn: own > 0)
        }
        return oldest
    }

    private static func full(hasOwn: Bool) -> ServiceError {
        let remedy = hasOwn ? "End one of yours, or wait for one to end." : "Wait for one to end."
        return ServiceError(.conflict, "too_many_rehearsals", "There are already \(most) rehearsals, which is the limit. \(remedy)")
    }

    /// If two callers alter one at once, the later one wins; one that was ended meanwhile stays ended.
    private func show(_ scene: RehearsalScene, _ rehearsal: Rehearsal, under secret: String) throws(ServiceError) -> Rehearsal {
        let isThere = entries.withLock { entries in
            guard let index = entries.firstIndex(where: { $0.secret == secret }) else { return false }
            entries[index].rehearsal = rehearsal
            stage.show(scene, of: rehearsal.target, under: secret, until: rehearsal.until)
            return true
        }
        guard isThere else { throw Self.missing }
        return told(Entry(rehearsal: rehearsal, secret: secret))
    }

    private func entry(_ id: String, for caller: Caller) throws(ServiceError) -> Entry {
        try caller.require(.operator)
        settle(at: ledger.now())
        // A rehearsal of an app the caller may not see is treated as missing.
        let found = entries.withLock { $0.first { $0.rehearsal.id == id && caller.sees($0.rehearsal.target.app) } }
        guard let found else { throw Self.missing }
        return found
    }

    private static let missing = ServiceError(.notFound, "rehearsal_not_found", "There is no such rehearsal, or not any more.")

    private func told(_ entry: Entry) -> Rehearsal {
        var told = entry.rehearsal
        (told.pollCount, told.polls) = stage.polls(under: entry.secret)
        return told
    }

    /// Does what time, or the removal of a target, has done to the rehearsals.
    private func settle(at now: Timestamp) {
        let present = entries.withLock { entries in
            for index in entries.indices {
                guard let until = entries[index].rehearsal.gate.killSwitch?.until, until <= now else { continue }
                entries[index].rehearsal.gate = entries[index].rehearsal.gate.lifted
            }
            return entries
        }
        remove(present.filter { $0.rehearsal.until <= now || !ledger.has($0.rehearsal.target) })
    }

    private func remove(_ gone: [Entry]) {
        if gone.isEmpty { return }
        let secrets = Set(gone.map(\.secret))
        entries.withLock { entries in
            entries.removeAll { secrets.contains($0.secret) }
            for secret in secrets { stage.strike(secret) }
        }
    }

    /// Eight characters that name a rehearsal. None begins with a hyphen: on a command line it would be taken for an option.
    private static func id(_ random: RandomSource) -> String {
        while true {
            let id = random.secret(byteCount: 6)
            if !id.hasPrefix("-") { return id }
        }
    }

    /// The address of a feed such as `/feeds/shop/ios/gate.json` in a rehearsal.
    private static func address(of path: String, under secret: String) -> String {
        "/rehearsals/\(secret)/" + path.dropFirst("/feeds/".count)
    }

    /// The addresses of the own shapes of the platform, and of the whole app.
    private static func ownAddresses(of app: PublishedApp, on platform: PlatformKey, under secret: String) -> [String: String] {
        let feeds = (app.source?.ownFeeds ?? [:]).values.filter { $0.platform == nil || $0.platform == platform }
        return Dictionary(uniqueKeysWithValues: feeds.map { ($0.fileName, address(of: $0.path(in: app.key), under: secret)) })
    }

    /// - Throws: when the entry cannot be written: what could not be looked up later is not done.
    /// - Parameter other: the rehearsal that this one ends for.
    private func audit(
        _ action: String,
        _ rehearsal: Rehearsal,
        by caller: Caller,
        at now: Timestamp,
        inFavourOf other: Rehearsal? = nil
    ) throws(ServiceError) {
        guard let store = ledger.store else {
            throw ServiceError(
                .unavailable,
                "database_unavailable",
                "The database cannot be written at the moment, so nothing was changed.",
                retryAfter: 5
            )
        }
        var detail: JSONObject = [
            "id": .string(rehearsal.id), "until": .string(rehearsal.until.description), "gate": rehearsal.gate.json,
        ]
        detail["inFavourOf"] = other.map { .string($0.id) }
        do throws(StoreError) {
            try store.appendAudit(
                AuditEntry(
                    at: now,
                    actor: caller.actor,
                    action: action,
                    subject: rehearsal.target.description,
                    address: caller.address,
                    requestId: caller.requestId,
                    detail: detail
                ),
                by: caller.authority
            )
        } catch { throw ServiceError(error) }
    }
}

extension Gate {
    /// Without its kill switch.
    fileprivate var lifted: Gate {
        var gate = self
        gate.killSwitch = nil
        return gate
    }
}
