import GateCrypto
import GateJSON
import GateModel
import GateTesting

@testable import GateService
@testable import GateStore

/// A time that is stored and that no reader takes.
extension Timestamp {
    static let never = Timestamp(milliseconds: 4_000_000_000_000_000)
}

/// What an older version, or somebody past the program, may have left in a database: sound by its chains, and read by nobody.
extension House {
    /// Puts a gate on a target past the planner, as a change of its own.
    func put(_ gate: Gate, on text: String) throws {
        let store = try ledger.store.unwrapped()
        let state = try store.loadState()
        let key = TargetKey(text)!
        // An app that is sealed by then has a state all the same.
        var app = try state.apps.first { $0.key == key.app } ?? ledger.app(key.app, for: .admin)
        var target = try app.platforms[key.platform].unwrapped()
        let last = try store.changes(ChangeQuery(app: key.app, platform: key.platform, limit: 1)).first?.targets.first { $0.target == key }
        if let last { (target.revision, target.gate) = (last.revision, last.after) }
        let sequence = state.lastSequence + 1
        let changed = ChangedTarget(target: key, previous: target.revision, revision: target.revision + 1, before: target.gate, after: gate)
        (target.gate, target.revision, target.sequence) = (gate, target.revision + 1, sequence)
        app.platforms[key.platform] = target
        let change = Change(
            sequence: sequence,
            at: clock.now,
            actor: Actor(kind: .user, name: "eve"),
            source: .api,
            kind: .set,
            reason: nil,
            requestId: "r",
            app: nil,
            targets: [changed]
        )
        try ReadBack.$isOff.withValue(true) { try store.commit(Commit(change: change, apps: [app])) }
    }

    /// A gate that nobody reads.
    static let unreadable = Gate(killSwitch: KillSwitch(message: .text("Back."), retryInterval: 30, until: .never))

    /// A window over `shop/ios` whose start nobody reads.
    func putWindow() throws -> Int {
        let store = try ledger.store.unwrapped()
        let schedule = try store.loadSchedule()
        let window = Window(
            id: schedule.lastID + 1,
            state: .pending,
            targets: [Window.Target(key: TargetKey("shop/ios")!, revision: 1, expected: GateEdit([.killSwitch: nil]))],
            set: try GateEdit(json: Rules.kill.json),
            start: try ZonedTime(at: .never, zone: "Pacific/Kiritimati"),
            end: nil,
            then: .open,
            actor: Actor(kind: .user, name: "eve"),
            source: .api,
            reason: nil,
            events: []
        )
        try ReadBack.$isOff.withValue(true) { try store.save([WindowRecord(window: window, version: schedule.lastVersion + 1)], audit: []) }
        return window.id
    }

    /// An entry of the audit, a person and a token that nobody reads.
    func putPeople() throws {
        let store = try ledger.store.unwrapped()
        let entry = AuditEntry(at: clock.now, actor: nil, action: "people.create", requestId: "r")
        try ReadBack.$isOff.withValue(true) {
            try store.appendAudit(AuditEntry(at: .never, actor: nil, action: "session.create", requestId: "r"))
            _ = try store.createUser(
                NewUser(name: "eve", role: .viewer, passwordHash: PasswordHash(stored: "x"), createdAt: .never),
                audit: entry
            )
            try store.createToken(
                TokenRecord(
                    id: "t",
                    name: "t",
                    secretDigest: .zero,
                    role: .viewer,
                    apps: .all,
                    createdBy: "ann",
                    createdAt: clock.now,
                    expiresAt: .never
                ),
                audit: entry
            )
        }
    }

    /// A new server over the same folder.
    func restarted() throws -> House {
        ledger.keepHouse()
        try close()
        return try House(again: self)
    }

    /// What a server looks for in the background after its start.
    func lookThroughRows() throws {
        let store = try ledger.store.unwrapped()
        var position: RowPosition?
        repeat {
            let part = try store.unreadableRows(after: position, limit: 2)
            ledger.found(unreadable: part.faults)
            position = part.position
        } while position != nil
    }
}
