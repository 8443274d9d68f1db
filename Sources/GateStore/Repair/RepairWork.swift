import GateJSON
import GateModel

/// One repair, inside its transaction.
///
/// Rows in a chain are never rewritten: a row of the history or of the audit stays as it is, and an audit entry says that it cannot be
/// read. Only the present state is repaired: windows end, and a target gets an earlier gate by a change of its own.
struct RepairWork {
    let db: SQLConnection
    let reverting: [TargetKey: Int]
    let directory: String
    let now: Timestamp
    /// Whether to write the file with what was replaced; a trial must not.
    let keepsFile: Bool
    private(set) var report = RepairReport()
    /// Documents of windows as they were found.
    private var kept: [JSONValue] = []
    private var reverted: [TargetKey] = []
    /// The keys of the rows that the faults name.
    private var places: [String: [[SQLValue]]] = [:]

    init(db: SQLConnection, reverting: [TargetKey: Int], directory: String, now: Timestamp, keepsFile: Bool) {
        (self.db, self.reverting, self.directory, self.now, self.keepsFile) = (db, reverting, directory, now, keepsFile)
    }

    mutating func run() throws {
        var faults = try StateLoader.load(from: db).unreadable
        for table in RowCheck.allCases {
            for (fault, place) in try table.run(in: db, after: nil, limit: .max).found {
                faults.append(fault)
                places[fault.name, default: []].append(place)
            }
        }
        faults = try RepairRecord.unnoted(faults, in: db)
        // Existing rows first; a revert adds rows of its own.
        for fault in faults { report.rows.append(RepairReport.TreatedRow(fault: fault, outcome: try mend(fault))) }
        for (target, revision) in reverting.sorted(by: { $0.key < $1.key }) { try revert(target, to: revision) }
        guard report.rows.contains(where: { $0.isNews }) || !reverted.isEmpty else { return }
        try keepFile()
        try note()
    }

    private mutating func mend(_ fault: StoreFault) throws -> RepairReport.Treatment {
        let table = RowCheck(rawValue: fault.place)
        switch table {
        case .windows:
            try end(window: fault)
            return .ended
        case .sessions?, .throttles?, .idempotencyRecords?:
            guard let table else { return .left }
            for place in places[fault.name] ?? [] {
                try db.execute(sql: "DELETE FROM \(table.rawValue) WHERE \(table.condition("=", in: db))", arguments: SQLArguments(place))
            }
            return .removed
        case .changes, .audit, .users, .tokens: return .noted
        case nil:
            guard fault.place == "targets", let target = TargetKey(fault.row ?? "") else {
                return fault.place == "retired_targets" ? .noted : .left
            }
            if let revision = reverting[target] { return .reverted(to: revision) }
            return .undecided(try choices(for: target))
        }
    }

    // MARK: Windows

    private mutating func end(window fault: StoreFault) throws {
        guard let row = try db.row(sql: "SELECT * FROM windows WHERE id = ?", arguments: [fault.row.flatMap { Int64($0) }]) else {
            return
        }
        let record = try WindowRows.told(row, in: db, PeopleRows.justWritten)
        // A document that is not text cannot be kept as text.
        kept.append(["window": .integer(record.window.id), "document": .string((try? row.stored("document") as String) ?? "")])
        var window = record.window
        window.fault = nil
        if window.state.isActive { window.state = .failed }
        window.events.append(
            Window.Event(
                at: now,
                what: .failed,
                actor: .repair,
                detail: "It could no longer be read (\(fault.problem)), so it will do nothing more."
            )
        )
        let version = try db.value(Int.self, sql: "SELECT coalesce(max(version), 0) + 1 FROM windows") ?? 1
        do {
            try WindowRows.write(WindowRecord(window: window, version: version, previous: record.version), to: db)
        } catch let error as StoreError where error.code == .internal {
            // Even its readable parts cannot be read back: then only the fact that there was a window is kept.
            let bare = Window(
                id: window.id,
                state: window.state,
                targets: window.targets.map { Window.Target(key: $0.key, revision: $0.revision, expected: GateEdit([:])) },
                set: GateEdit([:]),
                start: try ZonedTime(at: now),
                end: nil,
                then: .open,
                actor: .unreadable,
                source: .api,
                reason: nil,
                events: window.events.suffix(1)
            )
            try WindowRows.write(WindowRecord(window: bare, version: version + 1, previous: version), to: db)
        }
    }

    // MARK: Targets

    /// Earlier revisions of a target that can be put back.
    private func choices(for target: TargetKey) throws -> [RepairReport.Choice] {
        let rows = try db.rows(
            sql: "SELECT revision, after FROM change_targets WHERE app = ? AND platform = ? ORDER BY revision DESC LIMIT 20",
            arguments: [target.app.text, target.platform.text]
        )
        var documents = DocumentReader()
        return try rows.compactMap { row in
            try Salvage.read {
                let gate = try documents.gate(row.stored("after"))
                return RepairReport.Choice(revision: try row.stored("revision"), state: gate.state)
            } or: { _ in
                nil
            }
        }.prefix(3).map { $0 }
    }

    private mutating func revert(_ target: TargetKey, to revision: Int) throws {
        let key: SQLArguments = [target.app.text, target.platform.text]
        guard let row = try db.row(sql: "SELECT * FROM targets WHERE app = ? AND platform = ?", arguments: key),
            let app = try db.row(sql: "SELECT key, name, aliases FROM apps WHERE key = ?", arguments: [target.app.text])
        else { throw StoreError(.notFound, "There is no target \(target)") }
        var documents = DocumentReader()
        guard
            let after = try db.value(
                String.self,
                sql: "SELECT after FROM change_targets WHERE app = ? AND platform = ? AND revision = ?",
                arguments: key + [revision]
            )
        else { throw StoreError(.notFound, "\(target) never had a revision \(revision)") }
        let gate = try Salvage.read {
            try documents.gate(after)
        } or: {
            throw StoreError(.notFound, "Revision \(revision) of \(target) cannot be read either: \(Salvage.fault($0, "after"))")
        }
        let present = try Salvage.read {
            try documents.settings(row.stored("settings"), platform: target.platform)
        } or: { _ in
            nil
        }
        let settings = try present ?? lastSettings(of: target, &documents)
        do { _ = try Gate(json: gate.json, settings: settings, from: .kept) } catch {
            throw StoreError(.notFound, "Revision \(revision) of \(target) does not fit its settings: \(error.detail)")
        }
        let previous: Int = try row.stored("revision")
        let head = try ChainStore.head(of: .changes, in: db)
        let changed = ChangedTarget(
            target: target,
            previous: previous,
            revision: previous + 1,
            before: .open,
            after: gate,
            settings: present == nil ? SettingsChange(before: nil, after: settings) : nil
        )
        var whole = try TargetRows.app(app)
        whole.platforms[target.platform] = Target(
            key: target,
            settings: settings,
            gate: gate,
            revision: previous + 1,
            sequence: head.sequence + 1,
            since: now,
            changedAt: now
        )
        let change = Change(
            sequence: head.sequence + 1,
            at: now,
            actor: .repair,
            source: .api,
            kind: .revert,
            reason: "gatehouse repair put revision \(revision) back, because revision \(previous) could not be used.",
            requestId: "repair",
            app: nil,
            targets: [changed]
        )
        try Commit(change: change, apps: [whole]).carryOut(now: now, failpoint: nil, in: db)
        reverted.append(target)
    }

    /// The newest settings of a target that can still be read from the history.
    private func lastSettings(of target: TargetKey, _ documents: inout DocumentReader) throws -> PlatformSettings {
        let texts = try db.values(
            String.self,
            sql:
                "SELECT settings_after FROM change_targets WHERE app = ? AND platform = ? AND settings_after IS NOT NULL ORDER BY revision DESC",
            arguments: [target.app.text, target.platform.text]
        )
        for text in texts {
            if let settings = try Salvage.read({ try documents.settings(text, platform: target.platform) }, or: { _ in nil }) {
                return settings
            }
        }
        return .standard(for: target.platform)
    }

    // MARK: What tells of it

    private mutating func keepFile() throws {
        guard !kept.isEmpty else { return }
        let name = "repair-\(now.inFileNames).json"
        let document: JSONValue = ["at": .string(now.description), "replaced": .array(kept)]
        report.keptFile = name
        guard keepsFile else { return }
        try DurableFile.replace(directory + "/" + name, with: document.bytes + [0x0A], doing: "Keeping what was replaced")
        try DurableFile.syncFolder(directory, doing: "Keeping what was replaced")
    }

    private mutating func note() throws {
        func names(_ outcome: RepairReport.Treatment) -> [StoreFault] { report.rows.filter { $0.outcome == outcome }.map(\.fault) }
        var detail = JSONObject()
        for (member, faults) in [("ended", names(.ended)), ("removed", names(.removed))] where !faults.isEmpty {
            detail[member] = .array(faults.map { .string($0.name) })
        }
        if !reverted.isEmpty { detail["reverted"] = .array(reverted.map { .string("\($0) to revision \(reverting[$0] ?? 0)") }) }
        detail["kept"] = report.keptFile.map(JSONValue.string)
        for entry in RepairRecord.entries(names(.noted), at: now, requestId: "repair", detail: detail) {
            try AuditRows.append(entry, to: db)
            report.entries.append(try ChainStore.head(of: .audit, in: db).sequence)
        }
    }
}

extension RepairReport.TreatedRow {
    /// Whether something was done about it.
    fileprivate var isNews: Bool {
        switch outcome {
        case .noted, .ended, .removed, .reverted: true
        case .undecided, .left: false
        }
    }
}
