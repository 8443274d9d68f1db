import GRDB
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateStore
import Testing

@testable import GateServer

/// A request that fails in disk or database leaves one line with its cause and its identifier, and its answer tells none of it.
@Suite struct FailureLineTests {
    enum Fault: String, CaseIterable {
        case full, readOnly, locked

        /// SQLite's result code, the answer's status and code.
        var shows: (sqlite: Int32, status: Int, problem: String) {
            switch self {
            case .full: (13, 507, "disk_full")
            case .readOnly: (8, 503, "database_read_only")
            case .locked: (5, 503, "database_busy")
            }
        }
    }

    /// - Returns: what must be kept as long as the fault is to last.
    private func cause(_ fault: Fault, to desk: Desk) throws -> DatabaseQueue? {
        switch fault {
        case .full:
            // To SQLite a page more is what a full disk has no room for.
            try desk.reopen("PRAGMA max_page_count = 1")
            return nil
        case .readOnly:
            try desk.reopen("PRAGMA query_only = ON")
            return nil
        case .locked:
            var holding = Configuration()
            holding.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: desk.folder + "/gatehouse.sqlite", configuration: holding)
            try other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN EXCLUSIVE") }
            return other
        }
    }

    /// The first change that fails: what pages SQLite still has are used up first.
    private func failing(_ desk: Desk) throws -> HTTPResponse {
        for number in 0..<80 {
            let revision = try desk.ledger.target(TargetKey("shop/ios")!, for: .reader).revision
            let text = String(repeating: "private \(number) ", count: 40)
            let response = desk.change(
                #"{"app":"shop","platform":"ios","revision":\#(revision)}"#,
                #""set":{"alert":{"message":"\#(text)","blocking":false}}"#,
                as: .operator
            )
            if response.status != 200 { return response }
        }
        return HTTPResponse(status: 200, headers: [:], body: [])
    }

    @Test(arguments: Fault.allCases) func aChangeLeavesOneLineWithItsCauseAndItsIdentifier(fault: Fault) throws {
        let desk = try Desk().furnished()
        // When a token was used is noted once in five minutes: not in the midst of this.
        try desk.ask(.get, "/api/v1/status", as: .operator).expect(200)
        let kept = try cause(fault, to: desk)
        let response = try failing(desk)
        #expect((response.status, response.code) == (fault.shows.status, fault.shows.problem))
        let told = desk.told.take()
        #expect(told.count == 1)
        let failure = try told.first.unwrapped()
        #expect(failure.stage == .once)
        #expect(failure.requestId == response.json["requestId"]?.string)
        #expect(
            (failure.operation, failure.cause, failure.path) == (
                "Writing a change", .sqlite(fault.shows.sqlite), desk.folder + "/gatehouse.sqlite"
            )
        )
        #expect((failure.endpoint, failure.problem, failure.target) == ("POST /api/v1/changes", fault.shows.problem, "shop/ios"))
        let actor = try failure.actor.unwrapped()
        #expect((actor.kind, actor.name) == (.token, "operator"))
        // Nothing of it is the caller's business, and nothing of the body the log's.
        #expect(!response.text.contains(desk.folder) && !response.text.contains("SQL"))
        let line = failure.fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ") + failure.sentence
        #expect(!line.contains("private") && !line.contains(desk.token(.operator) ?? "gate_"))
        try kept?.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
    }

    /// Every route that writes, at a database that takes nothing: one line each.
    @Test(
        arguments: [
            (HTTPMethod.post, "/api/v1/apps", #"{"key":"new","name":"New"}"#, "Writing a change", "new"),
            (.put, "/api/v1/apps/shop/platforms/tv", "{}", "Writing a change", "shop/tv"),
            (.patch, "/api/v1/apps/shop", #"{"name":"Other"}"#, "Writing a change", "shop"),
            (.post, "/api/v1/tokens", #"{"name":"more"}"#, "Adding a token", nil),
            (.post, "/api/v1/users", #"{"username":"bob","role":"viewer","password":"violet-harbour-41"}"#, "Adding a user", nil),
            (.post, "/api/v1/session", #"{"username":"bob","password":"violet-harbour-41"}"#, "Writing a throttle", nil),
            (.get, "/api/v1/export", nil, "Writing the audit", nil),
        ] as [(HTTPMethod, String, String?, String, String?)]
    )
    func everyWriteLeavesOneLine(method: HTTPMethod, path: String, body: String?, operation: String, target: String?) throws {
        let desk = try Desk().furnished()
        try desk.reopen("PRAGMA query_only = ON")
        let response = desk.ask(method, path, body, as: path.hasSuffix("/session") ? .nobody : .admin)
        #expect((response.status, response.code) == (503, "database_read_only"))
        let told = desk.told.take()
        #expect(told.map { "\($0.operation) \($0.requestId)" } == ["\(operation) \(response.json["requestId"]?.string ?? "")"])
        #expect(told.first?.target == target)
        #expect(told.first?.cause == .sqlite(8))
    }

    /// Reading fails before anybody is recognised.
    @Test func aReadLeavesOneLineToo() throws {
        let desk = try Desk().furnished()
        try desk.ledger.store?.close()
        let response = desk.ask(.get, "/api/v1/changes")
        #expect(response.status == 500)
        let told = desk.told.take()
        #expect(
            told.map { "\($0.operation) \($0.requestId) \($0.endpoint ?? "")" } == [
                "Reading a token \(response.json["requestId"]?.string ?? "") GET /api/v1/changes"
            ]
        )
        #expect(told.first?.actor == nil)
    }

    @Test func whatIsRefusedLeavesNone() throws {
        let desk = try Desk().furnished()
        for (target, set) in [("ios", #""set":{"alert":5}"#), ("none", #""set":{}"#)] {
            #expect(desk.change(#"{"app":"shop","platform":"\#(target)","revision":1}"#, set).status >= 400)
        }
        #expect(desk.ask(.get, "/api/v1/status", as: .nobody).status == 401)
        desk.ledger.historyChecked(fault: "history: changes row 2")
        #expect(desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, #""set":{"killSwitch":{"message":"a"}}"#).status == 503)
        #expect(desk.told.take().isEmpty)
    }
}

extension Caller {
    fileprivate static let reader = Caller(
        actor: Actor(kind: .system, name: "test"),
        role: .viewer,
        scope: .all,
        source: .api,
        requestId: "test",
        address: ""
    )
}
