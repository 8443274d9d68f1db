import GateHTTP
import GateTesting
import Glibc
import Synchronization
import Testing

@testable import MicroHTTP

/// R63: whoever fills a listener with quiet connections loses them, not the others.
@Suite(.timeLimit(.minutes(2)))
struct CrowdTests {
    /// With deadlines far longer than a test may take, so that only the crowd makes anybody leave.
    private static func server(
        _ limit: Int,
        _ responder: EchoResponder = EchoResponder(),
        _ change: (inout HTTPServer.Deadlines) -> Void = { _ in }
    ) throws -> TestServer {
        try .patient(responder) { configuration in
            configuration.connectionLimit = limit
            change(&configuration.deadlines)
        }
    }

    /// Long before libmicrohttpd accepts nobody any more: whoever comes while the first are leaving needs a place too.
    @Test(arguments: [(9, Int.max, Int.max), (10, 9, 8), (40, 36, 32), (20_000, 18_000, 16_000)])
    func somebodyIsAskedToLeaveBeforeItIsFull(connections: Int, full: Int, roomy: Int) {
        let limits = CrowdLimits(connectionLimit: connections)
        #expect(limits.full == full)
        #expect(limits.roomy == roomy)
    }

    @Test(arguments: [false, true])
    func aCrowdFromOneAddressDoesNotKeepOthersOut(hasAskedBefore: Bool) throws {
        let server = try Self.server(40)
        let early = try RawClient(port: server.port, host: 3)
        #expect(try early.get("/early").status == 200)
        var crowd: [RawClient] = []
        for number in 0..<120 {
            let client = try RawClient(port: server.port, host: 2)
            // Those that asked are idle, those that did not are fresh.
            if hasAskedBefore { client.send("GET /crowd\(number) HTTP/1.1\r\nHost: t\r\n\r\n") }
            crowd.append(client)
        }
        for host: UInt32 in 4...8 { #expect(try RawClient(port: server.port, host: host).get("/phone").status == 200) }
        #expect(try early.get("/again").status == 200, "the longest quiet of all, and the only one of its address")
        #expect(server.server.crowdedOutCount > 0)
        #expect(server.server.connectionCount <= 40)
        withExtendedLifetime(crowd) {}
    }

    /// Nor does one from so many addresses that none has more than its share, though each of them has just come.
    @Test
    func aCrowdFromManyAddressesDoesNotKeepOthersOut() throws {
        let server = try Self.server(40)
        var crowd: [RawClient] = []
        for number: UInt32 in 0..<120 { crowd.append(try RawClient(port: server.port, host: 10 + number % 20)) }
        for host: UInt32 in 4...8 { #expect(try RawClient(port: server.port, host: host).get("/phone").status == 200) }
        #expect(server.server.crowdedOutCount > 0)
        withExtendedLifetime(crowd) {}
    }

    /// Even of the crowd: nobody is cut in the middle of a request or an answer.
    @Test
    func whoIsInTheMiddleOfSomethingStays() throws {
        let body = [UInt8](repeating: 0x78, count: 8 << 20)
        let server = try Self.server(
            40,
            EchoResponder { $0.path == "/large" ? HTTPResponse(status: 200, body: body) : .text("\($0.method) \($0.path)") }
        )
        let header = try RawClient(port: server.port, host: 2)
        header.send("GET /header HTTP/1.1\r\nHost: t\r\n")
        let upload = try RawClient(port: server.port, host: 2)
        upload.send("POST /body HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\n\r\nab")
        let download = try RawClient(port: server.port, receiveBufferBytes: 4096, host: 2)
        download.send("GET /large HTTP/1.1\r\nHost: t\r\n\r\n")
        try blockUntil("the large answer was asked for") { !server.responder.requests.isEmpty }
        let crowd = try (0..<120).map { _ in try RawClient(port: server.port, host: 2) }
        #expect(try RawClient(port: server.port, host: 4).get("/phone").status == 200)
        header.send("\r\n")
        #expect(try header.read().text == "GET /header")
        upload.send("cd")
        #expect(try upload.read().text == "POST /body")
        #expect(try download.read().body == body)
        withExtendedLifetime(crowd) {}
    }

    /// Callers in the middle of something who never get on: a fifth of their deadline is theirs even now, and then others need the place.
    @Test(arguments: ["GET /a HTTP/1.1\r\nHost: t\r\nX: ", "POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nhalf"])
    func aCrowdThatNeverGetsOnDoesNotKeepOthersOut(_ beginning: String) throws {
        let server = try Self.server(40) {
            $0.headers = .seconds(5)
            $0.body = .seconds(5)
        }
        var crowd: [RawClient] = []
        for _ in 0..<120 {
            let client = try RawClient(port: server.port, host: 2)
            client.send(beginning)
            crowd.append(client)
        }
        #expect(try RawClient(port: server.port, host: 4).get("/phone").status == 200)
        #expect(server.server.crowdedOutCount > 0, "and not only cut when their deadline was over")
        #expect(server.responder.paths == ["/phone"])
        withExtendedLifetime(crowd) {}
    }

    /// One address with more than a quarter of the places does not even get the fifth: here that would be two minutes.
    @Test
    func oneAddressThatNeverGetsOnKeepsNobodyWaiting() throws {
        let server = try Self.server(40)
        var crowd: [RawClient] = []
        for _ in 0..<120 {
            let client = try RawClient(port: server.port, host: 2)
            client.send("POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nhalf")
            crowd.append(client)
        }
        #expect(try RawClient(port: server.port, host: 4).get("/phone").status == 200)
        #expect(server.server.crowdedOutCount > 0)
        #expect(server.responder.paths == ["/phone"])
        withExtendedLifetime(crowd) {}
    }

    /// Whoever has just come, and must shake hands for TLS before anything can be asked, is quiet too; and the only one, where the crowd is
    /// in the middle of something.
    @Test
    func whoHasJustComeHasTimeToAsk() throws {
        let server = try Self.server(40)
        var crowd: [RawClient] = []
        for _ in 0..<CrowdLimits(connectionLimit: 40).full - 1 {
            let client = try RawClient(port: server.port, host: 2)
            client.send("POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nhalf")
            crowd.append(client)
        }
        let phone = try RawClient(port: server.port, host: 4)
        try blockUntil("somebody was asked to leave") { server.server.crowdedOutCount > 0 }
        #expect(try phone.get("/phone").status == 200)
        withExtendedLifetime(crowd) {}
    }

    /// A refusal that waits for a body keeps a place, and whoever was refused may take all the time of a body: not while others need it.
    @Test
    func whoIsRefusedIsNotWaitedForWhenItIsFull() throws {
        let begun = Atomic(0)
        let responder = EchoResponder(refuse: { head in
            begun.add(1, ordering: .relaxed)
            return head.path == "/no" ? .text("who are you?", status: 401) : nil
        })
        let server = try Self.server(40, responder)
        // In the middle of a request, and none from an address with so many that it has less time than others.
        var crowd: [RawClient] = []
        for number in 0..<CrowdLimits(connectionLimit: 40).full {
            let client = try RawClient(port: server.port, host: 2 + UInt32(number % 9))
            client.send("POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nhalf")
            crowd.append(client)
            try blockUntil("request \(number) was begun") { begun.load(ordering: .relaxed) > number }
        }
        let stranger = try RawClient(port: server.port, host: 20)
        stranger.send("POST /no HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nhalf")
        let answer = try stranger.read()
        #expect(answer.status == 401)
        #expect(answer.closes, "what is left of the body is not waited for")
        #expect(server.server.crowdedOutCount == 0, "and nobody else had to go")
        withExtendedLifetime(crowd) {}
    }

    @Test
    func belowTheLimitNobodyIsAskedToLeave() throws {
        let server = try Self.server(40)
        let clients = try (0..<30).map { _ in try RawClient(port: server.port, host: 2) }
        for client in clients { #expect(try client.get("/").status == 200) }
        #expect(server.server.crowdedOutCount == 0)
    }

    // MARK: The choice

    private func member(_ neighbourhood: UInt64, _ mayLeaveSince: UInt64?) -> Crowd.Member {
        Crowd.Member(neighbourhood: neighbourhood, mayLeaveSince: mayLeaveSince)
    }

    @Test
    func whoHasTheMostGivesUpTheLongestQuietFirst() {
        let members = [member(1, 5), member(2, 1), member(1, 3), member(1, nil), member(1, 4), member(2, 2)]
        #expect(Crowd.leaving(members, count: 0) == [])
        #expect(Crowd.leaving(members, count: 1) == [2])
        #expect(Set(Crowd.leaving(members, count: 2)) == [2, 4])
        #expect(Set(Crowd.leaving(members, count: 3)) == [2, 4, 1], "now both have two, and the second's is the longest quiet")
        #expect(Set(Crowd.leaving(members, count: 4)) == [2, 4, 1, 0])
        #expect(Set(Crowd.leaving(members, count: 9)) == [0, 1, 2, 4, 5], "all but the one that is busy")
    }

    @Test
    func amongEqualsTheLongestQuietLeaves() {
        let members = (0..<100).map { member(UInt64($0), UInt64(1_000 - $0)) }
        #expect(Crowd.leaving(members, count: 3).sorted() == [97, 98, 99])
    }

    /// Whatever the crowd: as many as wanted leave if so many are quiet, none of them busy, and nobody who has fewer left than another
    /// leaves.
    @Test
    func theChoiceIsFair() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let members = (0..<Int.random(in: 1...200, using: &random)).map { _ in
                member(
                    .random(in: 0...(.random(in: 0...20, using: &random)), using: &random),
                    Bool.random(using: &random) ? .random(in: 1...50, using: &random) : nil
                )
            }
            let wanted = Int.random(in: 0...members.count, using: &random)
            let leaving = Set(Crowd.leaving(members, count: wanted))
            let quiet = members.indices.filter { members[$0].mayLeaveSince != nil }
            #expect(leaving.count == min(wanted, quiet.count))
            #expect(leaving.isSubset(of: quiet))
            var left: [UInt64: Int] = [:]
            for index in members.indices where !leaving.contains(index) { left[members[index].neighbourhood, default: 0] += 1 }
            let most = quiet.filter { !leaving.contains($0) }.map { left[members[$0].neighbourhood] ?? 0 }.max() ?? 0
            for index in leaving { #expect((left[members[index].neighbourhood] ?? 0) + 1 >= most, "somebody who could leave has more") }
        }
    }

    @Test
    func anIPv6CallerCountsByItsNetwork() {
        func neighbourhood(_ text: String) -> UInt64 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            inet_pton(AF_INET6, text, &address.sin6_addr)
            return withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { PeerAddress.neighbourhood(of: $0) }
            }
        }
        var version4 = sockaddr_in()
        version4.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, "192.0.2.7", &version4.sin_addr)
        let mapped = withUnsafePointer(to: &version4) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { PeerAddress.neighbourhood(of: $0) }
        }
        #expect(neighbourhood("2001:db8:1:2:3:4:5:6") == neighbourhood("2001:db8:1:2::1"))
        #expect(neighbourhood("2001:db8:1:2::1") != neighbourhood("2001:db8:1:3::1"))
        #expect(neighbourhood("::ffff:192.0.2.7") == mapped)
        #expect(neighbourhood("::ffff:192.0.2.8") != mapped)
        #expect(neighbourhood("::1") != mapped)
    }
}
