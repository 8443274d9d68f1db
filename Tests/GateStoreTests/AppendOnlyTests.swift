import GRDB
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// R10: what the triggers refuse, tried with SQL on a connection with the settings of the store.
@Suite struct AppendOnlyTests {
    private static let refusals = [
        "UPDATE changes SET reason = 'x' WHERE sequence = 4",
        "UPDATE changes SET reason = reason",
        "UPDATE OR REPLACE changes SET sequence = 3 WHERE sequence = 4",
        "DELETE FROM changes WHERE sequence = 4",
        "DELETE FROM changes",
        "INSERT OR REPLACE INTO changes SELECT * FROM changes WHERE sequence = 4",
        "INSERT INTO changes SELECT 6, at, actor_kind, actor_name, source, kind, reason, request_id, app, target_count, hash, apps_after, actor_id, actor_user, skipped FROM changes WHERE sequence = 4",
        "INSERT INTO changes SELECT 0, at, actor_kind, actor_name, source, kind, reason, request_id, app, target_count, hash, apps_after, actor_id, actor_user, skipped FROM changes WHERE sequence = 4",
        "INSERT INTO changes SELECT NULL, at, actor_kind, actor_name, source, kind, reason, request_id, app, target_count, hash, apps_after, actor_id, actor_user, skipped FROM changes WHERE sequence = 4",
        "UPDATE change_targets SET after = '{}'",
        "DELETE FROM change_targets WHERE sequence = 4",
        "INSERT OR REPLACE INTO change_targets SELECT * FROM change_targets WHERE sequence = 4",
        "INSERT INTO change_targets SELECT sequence, 1, app, 'tv', previous, revision, before, after, settings_before, settings_after, feeds FROM change_targets WHERE sequence = 4",
        "INSERT INTO change_targets SELECT 1, 0, app, 'tv', previous, revision, before, after, settings_before, settings_after, feeds FROM change_targets WHERE sequence = 4",
        "UPDATE audit SET detail = NULL",
        "DELETE FROM audit",
        "INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE sequence = 1",
        "INSERT INTO audit SELECT 3, at, actor_kind, actor_name, action, outcome, subject, address, request_id, detail, hash, actor_id, actor_user FROM audit WHERE sequence = 1",
    ]

    /// PostgreSQL has no such words.
    @Test(arguments: refusals.filter { TestEngine.current == .sqlite || !$0.contains("OR REPLACE") })
    func refused(sql: String) throws {
        let store = try Scratch().store()
        let world = try store.fill()
        try store.appendAudit(AuditEntry(at: Timestamp(milliseconds: 0), actor: nil, action: "a", requestId: "r"))
        let error = #expect(throws: SQLError.self) { try store.writer.run { db in try db.execute(sql: sql) } }
        #expect(
            error?.code == (TestEngine.current == .sqlite ? .sqlite(ResultCode.SQLITE_CONSTRAINT_TRIGGER.rawValue) : .postgresql("P0001")),
            "\(String(describing: error))"
        )
        #expect(try store.loadState() == world.state)
        #expect(try store.changes() == world.changes.reversed())
    }

    /// PostgreSQL's types are in the statement already.
    @Test(
        .onSQLite,
        arguments: [
            "INSERT INTO apps (key, name, aliases) VALUES ('a', 'A', 7.5)",
            "UPDATE targets SET revision = 'many'",
            "INSERT INTO retired_targets VALUES ('a', 'ios', x'00')",
        ]
    )
    func strictTablesTakeNoOtherType(sql: String) throws {
        let store = try Scratch().store()
        _ = try store.fill()
        // A number is text's kin in SQLite and is converted; what cannot be converted is refused.
        if sql.contains("7.5") {
            try store.writer.run { db in try db.execute(sql: sql) }
            #expect(try store.writer.read { try $0.value(String.self, sql: "SELECT typeof(aliases) FROM apps WHERE key = 'a'") } == "text")
        } else {
            let error = #expect(throws: SQLError.self) { try store.writer.run { db in try db.execute(sql: sql) } }
            #expect(error?.code == .sqlite(ResultCode.SQLITE_CONSTRAINT_DATATYPE.rawValue))
        }
    }
}
