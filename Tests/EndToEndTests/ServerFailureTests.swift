import Foundation
import GRDB
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// What the real server writes into its log when disk or database fail.
struct ServerFailureTests {
    /// The records of the log so far that tell of a failure.
    private func failures(_ server: Server) throws -> [JSONObject] {
        let text = try String(contentsOfFile: server.folder.path + "/log", encoding: .utf8)
        return try text.split(separator: "\n").compactMap { try JSONReader.read(String($0)).object }.filter { $0["operation"] != nil }
    }

    /// Waits until the log says so; a test whose log never does ends by the harness's own limit.
    private func wait(_ server: Server, until isSaid: ([JSONObject]) -> Bool) async throws -> [JSONObject] {
        let begun = ContinuousClock.now
        while true {
            let failures = try failures(server)
            if isSaid(failures) { return failures }
            try #require(ContinuousClock.now - begun < .seconds(20), "the log says \(failures.map { JSONValue.object($0).text })")
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test func aChangeThatMeetsALockedDatabaseLeavesOneLineWithItsCause() async throws {
        let server = try await Server.withShop()
        var holding = Configuration()
        holding.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: server.data + "/gatehouse.sqlite", configuration: holding)
        try await other.writeWithoutTransaction { db in try db.execute(sql: "BEGIN IMMEDIATE") }
        let error = try await #require(throws: AdminClientError.self) { _ = try await server.client().kill("Back at nine.", at: 1) }
        try await other.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
        try other.close()
        let problem = try #require(error.problem)
        #expect((problem.status, problem.code) == (503, "database_busy"))

        let told = try await wait(server) { lines in lines.contains { $0["requestId"]?.string == problem.requestId } }
        let lines = told.filter { $0["requestId"]?.string == problem.requestId }
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line["level"]?.string == "error")
        #expect(line["message"]?.string == "Writing a change failed")
        #expect((line["operation"]?.string, line["code"]?.string, line["sqlite"]?.integer) == ("Writing a change", "busy", 5))
        #expect(line["path"]?.string == server.data + "/gatehouse.sqlite")
        #expect((line["problem"]?.string, line["target"]?.string) == ("database_busy", "shop/ios"))
        #expect(line["actor"]?.string?.hasPrefix("token ci (") == true)
        #expect(!JSONValue.object(line).text.contains("Back at nine."))
        #expect(!problem.json.text.contains(server.data))
    }

    @Test func feedsThatCannotBeKeptAreToldWhenThatBeginsAndWhenItEnds() async throws {
        let server = try await Server.withShop()
        let folder = server.data + "/publication"
        // Until the housekeeper has written what the shop's own making left for it.
        try await waitUntil("the shop's feeds are kept") { FileManager.default.fileExists(atPath: folder + "/shop.json") }
        try FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
        try Data().write(to: URL(filePath: folder))
        _ = try await server.client().kill("Back.", at: 1)
        let began = try await wait(server) { !$0.isEmpty }
        #expect(began.map { $0["message"]?.string } == ["Writing the feeds fails and is tried again"])
        #expect(
            (began[0]["errno"]?.integer, began[0]["path"]?.string, began[0]["requestId"]?.string) == (Int(ENOTDIR), folder, "housekeeping")
        )
        // Several seconds of it, and no further word.
        try await Task.sleep(for: .seconds(3))
        #expect(try failures(server).count == 1)
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: folder + ".away", toPath: folder)
        let ended = try await wait(server) { $0.count > 1 }
        #expect(ended.last?["message"]?.string?.hasPrefix("Writing the feeds works again, after ") == true)
        #expect(ended.last?["level"]?.string == "notice")
    }
}
