import Foundation
import GateHTTP
import GateJSON
import GateTesting
import Synchronization
import Testing

@testable import GateServer

/// Making tokens over HTTP, once for each Idempotency-Key.
@Suite struct TokenRouteTests {
    private static let key: HTTPHeaders = ["Idempotency-Key": "k1"]

    private static func make(_ name: String, at desk: Desk, as who: Desk.Who = .admin, headers: HTTPHeaders = key) -> HTTPResponse {
        desk.ask(.post, "/api/v1/tokens", #"{"name":"\#(name)","role":"viewer"}"#, as: who, headers: headers)
    }

    private static func names(at desk: Desk) -> [String] {
        desk.ask(.get, "/api/v1/tokens").json["items"]?.array?.compactMap { $0["name"]?.string } ?? []
    }

    @Test func sentAgainUnderItsKeyARequestMakesNoSecondToken() throws {
        let desk = try Desk()
        let first = Self.make("ci", at: desk)
        try first.expect(201)
        let (text, id) = (try first.json["token"]?.string.unwrapped() ?? "", try first.json["id"]?.string.unwrapped() ?? "")
        let again = Self.make("ci", at: desk)
        #expect(again.summary == "409 token_made")
        #expect(again.headers["Content-Type"] == "application/problem+json")
        let detail = again.json["detail"]?.string ?? ""
        #expect(detail.contains(#""ci" (\#(id))"#) && detail.contains("shown once") && detail.contains("revoke"), "\(detail)")
        #expect(Self.make("ci", at: desk).body == again.body)
        #expect(Self.names(at: desk).count { $0 == "ci" } == 1)
        #expect(desk.ask(.get, "/api/v1/audit?action=token.create").json["items"]?.array?.count { $0["subject"]?.string == id } == 1)

        #expect(Self.make("other", at: desk).summary == "422 idempotency_key_reused")
        #expect(Self.make("ci", at: desk, headers: ["Idempotency-Key": "k2"]).status == 201)
        #expect(Self.make("ci", at: desk, headers: [:]).status == 201)
        #expect(Self.names(at: desk).count { $0 == "ci" } == 3)

        // Its text is kept nowhere.
        let secret = String(text.dropFirst("gate_\(id)_".count))
        #expect(text.hasPrefix("gate_\(id)_") && secret.utf8.count > 20)
        let told = desk.ask(.get, "/api/v1/audit?limit=500").text
        #expect(!told.contains(secret) && !again.text.contains(secret) && !desk.logged.all.contains { $0.contains(secret) })
        guard desk.server == nil else { return }
        let files = try ["", "-wal"].map { try Data(contentsOf: URL(filePath: desk.folder + "/gatehouse.sqlite" + $0)) }
        #expect(files.allSatisfy { $0.range(of: Data(secret.utf8)) == nil })
        #expect(files.contains { $0.range(of: Data(id.utf8)) != nil })
    }

    /// What was done stays done, also where it would be refused now, and after the token is gone.
    @Test func aRepetitionIsToldTheSameLater() throws {
        let desk = try Desk()
        let browser = try desk.browser()
        func make() -> HTTPResponse {
            let body = #"{"name":"laptop","expiresAt":"\#(desk.clock.now.advanced(bySeconds: 600 - passed))"}"#
            return desk.ask(.post, "/api/v1/tokens", body, in: browser, more: Self.key)
        }
        var passed: Int64 = 0
        let first = make()
        try first.expect(201)
        desk.clock.advance(seconds: 60)
        passed = 60
        let again = make()
        #expect(again.summary == "409 token_made")
        try desk.ask(.delete, "/api/v1/tokens/\(first.json["id"]?.string ?? "")", "{}", in: browser).expect(204)
        #expect(make().body == again.body)
        // Not before they have given their password again, as for any token.
        desk.clock.advance(seconds: 600)
        passed = 660
        #expect(make().summary == "403 fresh_sign_in_required")
    }

    @Test func ofManyAtOnceOneMakesIt() throws {
        let desk = try Desk()
        let answers = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let answer = Self.make("ci", at: desk)
            answers.withLock { $0.append(answer.summary) }
        }
        #expect(answers.withLock { $0.sorted() } == ["201"] + Array(repeating: "409 token_made", count: 7))
        #expect(Self.names(at: desk).count { $0 == "ci" } == 1)
    }

    @Test func whoMayMakeNoTokensIsToldThat() throws {
        let desk = try Desk()
        try Self.make("ci", at: desk).expect(201)
        #expect(Self.make("ci", at: desk, as: .viewer).summary == "403 forbidden")
    }
}
