import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// A gate that is opened gradually by a real server, as phones meet it. What is counted is what was answered.
@Suite(.serialized, .timeLimit(.minutes(4)))
struct GradualOpeningTests {
    /// How a phone asks.
    enum Kind: CaseIterable {
        /// Bellerophon.
        case plain
        /// With its version, behind a proxy that names its address.
        case targeted
        /// OpenFeature, with a key.
        case flags
        /// GateKit, with what it draws with.
        case keyed
    }

    private static let status = "/feeds/shop/ios/bellerophon.json"

    /// Asks as one phone does, and says whether it is let in.
    private func isLetIn(_ kind: Kind, _ phone: Int, on connection: RawConnection) throws -> Bool {
        switch kind {
        case .plain: connection.send("GET \(Self.status) HTTP/1.1\r\nHost: a\r\n\r\n")
        case .targeted:
            connection.send(
                "GET \(Self.status)?version=4.1.0&os=17.2 HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 10.1.\(phone / 250).\(phone % 250)\r\n\r\n"
            )
        case .keyed: connection.send("GET /feeds/shop/ios/gate.json?targetingKey=\(phone) HTTP/1.1\r\nHost: a\r\n\r\n")
        case .flags:
            let body = #"{"context":{"app":"shop","platform":"ios","targetingKey":"phone-\#(phone)"}}"#
            connection.send(
                "POST /ofrep/v1/evaluate/flags/gate.kill HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            )
        }
        let answer = try #require(connection.answer())
        #expect(answer.status == 200)
        #expect(answer.head.contains("Cache-Control: no-store"))
        switch kind {
        case .plain, .targeted: return answer.body.contains(#""apiInactive":false"#)
        case .keyed: return !answer.body.contains("killSwitch")
        case .flags: return answer.body.contains(#""value":false"#)
        }
    }

    private func opened(over seconds: Int, _ server: Server) async throws {
        let client = try server.client()
        _ = try await client.kill("Back soon.", at: 1)
        try await open(server, at: 2, over: seconds)
    }

    private func open(_ server: Server, at revision: Int, over seconds: Int?) async throws {
        let target = TargetRef(app: "shop", platform: "ios", revision: revision)
        _ = try await server.client().commit(ChangeRequest(targets: [target], content: .set(GateEdit([.killSwitch: nil])), over: seconds))
    }

    /// 2,000 clients that ask every second until they are let in, over a minute: between 40 and 60 % after 30 seconds, never more than 5 %
    /// in one second, all after 60.
    @Test func twoThousandClientsComeInEvenly() async throws {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Back soon.", at: 1)
        let connection = try RawConnection(to: server.feeds)
        var outside = (0..<2_000).map { (kind: Kind.allCases[$0 % Kind.allCases.count], phone: $0) }
        let asked = ContinuousClock.now
        try await open(server, at: 2, over: 60)
        let begin = ContinuousClock.now
        // The opening began somewhere in its request, which takes long where the machine is busy elsewhere.
        let request = (begin - asked) / .seconds(1)
        /// When a round began and ended, in seconds, and how many were in after it.
        var rounds: [(from: Double, to: Double, inside: Int)] = [(-request, 0, 0)]
        func now() -> Double { (ContinuousClock.now - begin) / .seconds(1) }
        while now() < 57 {
            let from = now()
            try outside.removeAll { try isLetIn($0.kind, $0.phone, on: connection) }
            rounds.append((from, now(), 2_000 - outside.count))
            let next = begin + .seconds(now().rounded(.down) + 1)
            try await Task.sleep(until: next, clock: .continuous)
        }
        let half = try #require(rounds.first { $0.from >= 30 })
        // 40 to 60 % at 30 seconds. Of a long round, who was asked first met the share of its begin, who was asked last that of its end.
        let share = Double(half.inside) / 2_000
        #expect(share >= half.from / 60 - 0.1 && share <= (half.to + request) / 60 + 0.1, "\(half.inside) of 2,000: \(half)")
        for (one, other) in zip(rounds, rounds.dropFirst()) {
            // A machine that is busy elsewhere makes rounds longer than a second; between the two times of asking, each phone waited
            // no longer than the first or the last of them.
            let seconds = max(1, other.from - one.from, other.to - one.to)
            #expect(
                Double(other.inside - one.inside) <= 100 * seconds + 1,
                "\(other.inside - one.inside) from \(one.from) s to \(other.to) s"
            )
        }
        #expect(rounds[rounds.count - 1].inside >= 1_700, "nearly all before the end: \(rounds[rounds.count - 1])")
        // The end is a change of its own; after it nobody is shut out.
        try await waitUntil("the opening has ended") { try await server.client().target("shop", "ios").target.gate.killSwitch == nil }
        #expect(now() > 59)
        for phone in 0..<50 {
            connection.send("GET \(Self.status)?targetingKey=\(phone) HTTP/1.1\r\nHost: a\r\n\r\n")
            let answer = try #require(connection.answer())
            #expect(answer.body.contains(#""apiInactive":false"#))
            #expect(answer.head.contains("s-maxage=2"))
        }
    }

    private func inside(_ server: Server) throws -> Set<Int> {
        let connection = try RawConnection(to: server.feeds)
        return Set(try (0..<300).filter { try isLetIn(.keyed, $0, on: connection) })
    }

    /// What a server that was killed begins with is what the one before ended with.
    @Test func aKilledServerGoesOnWhereItWas() async throws {
        let server = try await Server.withShop()
        try await opened(over: 40, server)
        var before: Set<Int> = []
        try await waitUntil("60 of 300 are in", pause: .milliseconds(100)) {
            before = try inside(server)
            return before.count >= 60
        }
        await server.kill()
        try await server.start()
        let after = try inside(server)
        #expect(after.isSuperset(of: before), "who was in is in")
        #expect(after.count < 300)
        // A kill shuts everybody out at the next poll.
        _ = try await server.checked()
        _ = try await server.client().kill("Again.", at: 3)
        // Made after it: on a busy machine a connection that waits for a change is closed as an idle one.
        let connection = try RawConnection(to: server.feeds)
        for phone in 0..<300 {
            connection.send("GET /feeds/shop/ios/gate.json?targetingKey=\(phone) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try #require(connection.answer()).body.contains("Again."))
        }
        try await open(server, at: 4, over: 600)
        try await open(server, at: 5, over: nil)
        let later = try RawConnection(to: server.feeds)
        later.send("GET \(Self.status) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try #require(later.answer()).body.contains(#""apiInactive":false"#))
    }

    /// HEAD and conditional requests get what GET gets, each phone its own.
    @Test func headAndConditionalRequestsAgreeWithGet() async throws {
        let server = try await Server.withShop()
        try await opened(over: 40, server)
        try await waitUntil("somebody is in", pause: .milliseconds(100)) { try !inside(server).isEmpty }
        let connection = try RawConnection(to: server.feeds)
        let insider = try #require(try inside(server).first)
        func ask(_ method: String, _ more: String = "") throws -> (status: Int, head: String, body: String) {
            connection.send("\(method) \(Self.status)?targetingKey=\(insider) HTTP/1.1\r\nHost: a\r\n\(more)\r\n")
            return try #require(connection.answer())
        }
        let got = try ask("GET")
        let tag = try #require(got.head.split(separator: "\r\n").first { $0.hasPrefix("ETag: ") }?.dropFirst(6))
        #expect(try ask("GET", "If-None-Match: \(tag)\r\n").status == 304)
        // A phone that was shut out has another tag, and is told.
        #expect(try ask("GET", "If-None-Match: \"0123\"\r\n").body == got.body)
        let other = try RawConnection(to: server.feeds)
        other.send("HEAD \(Self.status)?targetingKey=\(insider) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(other.statuses(1) == [200])
        #expect(try ask("OPTIONS").status == 200)
    }

    @Test func gatectlOpensGradually() async throws {
        let gatectl = try await Gatectl.withShop()
        let nothing = try await gatectl("open", "shop", "ios", "--over", "10m")
        #expect(nothing.status == 8)
        #expect(nothing.err.contains("nothing to open gradually\n"), "\(nothing)")
        #expect(nothing.err.contains("run: gatectl open shop ios\n"), "\(nothing)")
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back soon.", "-y").status == 0)
        let opened = try await gatectl("open", "shop", "ios", "--over", "10m")
        #expect(opened.status == 0, "\(opened)")
        #expect(opened.err.contains("opening, 0 % · all versions"), "\(opened)")
        #expect(opened.err.contains("Callers are let in at a growing share until then"), "\(opened)")
        #expect(opened.err.contains("Prince of Versions on shop/ios knows no kill switch"), "\(opened)")
        let status = try await gatectl("status", "shop", "ios")
        #expect(status.out.contains("opening, ") && status.out.contains("opens "), "\(status)")
        #expect(try await gatectl("history", "shop", "ios").out.contains("began to open gradually"))
        #expect(try await gatectl("open", "shop", "ios", "--over", "5s").status == 8)
        #expect(try await gatectl("open", "shop", "ios").status == 0)
        #expect(try await gatectl("status", "shop", "ios").out.contains("OPEN"))
    }

    /// Of all platforms those are opened that are shut: a refusal for the sake of the others would be answered by leaving --over out.
    @Test func gatectlOpensGraduallyWhatIsShut() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("kill", "shop", "ios", "-m", "Back soon.", "-y").status == 0)
        // A revision is one target's, and two are named.
        #expect(try await gatectl("open", "shop", "all", "--over", "10m", "--if-revision", "2").status == 64)
        let opened = try await gatectl("open", "shop", "all", "--over", "10m")
        #expect(opened.status == 0, "\(opened)")
        #expect(opened.err.contains("left out: shop/android, where no kill switch is on\n"), "\(opened)")
        #expect(opened.err.contains("opening, 0 % · all versions"), "\(opened)")
        #expect(try await gatectl("history", "shop", "ios").out.contains("began to open gradually"))
        #expect(!(try await gatectl("history", "shop", "android").out.contains("open gradually")))
    }
}
