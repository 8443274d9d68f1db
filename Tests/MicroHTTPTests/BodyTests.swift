import GateHTTP
import GateTesting
import MicroHTTP
import Testing

/// Bodies: their coding, their limit, and refusing one before it comes.
@Suite(.timeLimit(.minutes(2)))
struct BodyTests {
    static let limit = 4096

    static func server(_ responder: EchoResponder = EchoResponder { .text("\($0.body.count)") }) throws -> TestServer {
        try TestServer(responder) { configuration in
            configuration.maximumBodyBytes = limit
            configuration.idleTimeout = .seconds(2)
        }
    }

    static func chunked(_ pieces: [Int]) -> String {
        "POST /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"
            + pieces.map { String($0, radix: 16) + ";ext=1\r\n" + String(repeating: "x", count: $0) + "\r\n" }.joined()
            + "0\r\nTrailer: t\r\n\r\n"
    }

    @Test(arguments: [[0], [1], [1, 2, 3], [4096], [4000, 96], Array(repeating: 7, count: 500)])
    func aChunkedBodyArrivesWhole(_ pieces: [Int]) throws {
        let server = try Self.server()
        let client = try server.client()
        let pieces = pieces.filter { $0 > 0 }
        client.send(Self.chunked(pieces))
        let answer = try client.read()
        #expect(answer.text == "\(pieces.reduce(0, +))")
        #expect(answer.closes)
        #expect(client.readToEnd() == "")
    }

    /// Where chunks end, two programs one behind the other can see differently, and libmicrohttpd 0.9.75 takes three things for an end that
    /// are none. So nothing that follows on such a connection is executed, however the chunks ended and whatever the answer was.
    @Test(
        arguments: ["/yes", "/no"],
        [
            "5\r\nhello\r\n0\r\n\r\n", "0\r\n\r\n", "5\nhello\n0\n\n", "5;a\n0\r\nhello\r\n0\r\n\r\n", "0\r\n\0\r\n", "0\r\nA: b\r\n:\r\n",
        ]
    )
    func nothingBehindChunksIsExecuted(_ path: String, _ chunks: String) throws {
        let server = try Self.server(
            EchoResponder(respond: { .text("\($0.body.count)") }, refuse: { $0.path == "/no" ? .text("who are you?", status: 401) : nil })
        )
        let client = try server.client()
        client.send("POST \(path) HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)\(EdgeTests.marker)")
        let answer = try client.read()
        #expect(answer.closes)
        #expect(client.readToEnd() == "")
        #expect(server.responder.paths.allSatisfy { $0 == "/yes" })
    }

    @Test(arguments: ["g\r\n", "-1\r\n", "\r\n", "5 \r\nhello\r\n", "5\r\nhelloX\r\n0\r\n\r\n", "fffffffffffffffff\r\n", " 5\r\nhello\r\n"])
    func aBrokenChunkIsRefused(_ chunk: String) throws {
        let server = try Self.server()
        let client = try server.client()
        client.send("POST /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)\(EdgeTests.marker)")
        #expect([400, 413].contains(try client.read().status))
        #expect(!client.readToEnd().contains("200 OK"))
        #expect(server.responder.requests.isEmpty)
    }

    @Test
    func aBodyOfTheLimitIsTakenAndOneByteMoreIsNot() throws {
        let server = try Self.server()
        for (count, status) in [(Self.limit, 200), (Self.limit + 1, 413), (Self.limit * 4, 413)] {
            let client = try server.client()
            client.send("POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: \(count)\r\n\r\n\(String(repeating: "x", count: count))")
            let answer = try client.read()
            #expect(answer.status == status, "\(count)")
            #expect(answer.closes == (status == 413))
            if status == 413 { #expect(answer.text == "The body is larger than 4096 bytes.\n") }
        }
        #expect(server.responder.refused == [.bodyTooLarge(limit: Self.limit), .bodyTooLarge(limit: Self.limit)])
        #expect(server.responder.requests.map(\.body.count) == [Self.limit])
    }

    /// A responder may take more of some requests; the next request on the connection has the listener's limit again.
    @Test
    func aLargerLimitHoldsForTheRequestsThatHaveIt() throws {
        let responder = EchoResponder(
            respond: { .text("\($0.body.count)") },
            maximumBodyBytes: { $0.path == "/large" ? Self.limit * 3 : nil }
        )
        let server = try Self.server(responder)
        for isChunked in [false, true] {
            for (path, count, status) in [
                ("/large", Self.limit * 3, 200), ("/large", Self.limit * 3 + 1, 413), ("/a", Self.limit + 1, 413),
            ] {
                let client = try server.client()
                let body = String(repeating: "x", count: count)
                let head = "POST \(path) HTTP/1.1\r\nHost: t\r\n"
                client.send(
                    isChunked
                        ? head + "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n"
                        : head + "Content-Length: \(count)\r\n\r\n\(body)"
                )
                #expect(try client.read().status == status, "\(path) \(count) \(isChunked)")
            }
        }
        let client = try server.client()
        for (path, status) in [("/large", 200), ("/a", 413)] {
            client.send(
                "POST \(path) HTTP/1.1\r\nHost: t\r\nContent-Length: \(Self.limit * 2)\r\n\r\n\(String(repeating: "x", count: Self.limit * 2))"
            )
            #expect(try client.read().status == status, "\(path)")
        }
    }

    @Test
    func aFarTooLargeBodyIsRefusedBeforeItComes() throws {
        let server = try Self.server()
        let client = try server.client()
        client.send("POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000000\r\n\r\n")
        #expect(try client.read().status == 413)
        #expect(client.readToEnd() == "")
    }

    @Test
    func aClientThatWaitsIsRefusedWithoutItsBody() throws {
        let server = try Self.server()
        let client = try server.client()
        client.send("POST /a HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: \(Self.limit + 1)\r\n\r\n")
        #expect(try client.read().status == 413)
        #expect(client.readToEnd() == "")
    }

    @Test
    func aClientThatWaitsIsToldToGoOn() throws {
        let server = try Self.server()
        let client = try server.client()
        client.send("POST /a HTTP/1.1\r\nHost: t\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try client.read().status == 100)
        client.send("hi")
        #expect(try client.read().text == "2")
    }

    @Test
    func aChunkedBodyBeyondTheLimitIsReadAndRefused() throws {
        let server = try Self.server()
        let client = try server.client()
        client.send(Self.chunked([4000, 97]))
        let answer = try client.read()
        #expect(answer.status == 413)
        #expect(answer.closes)
        #expect(server.responder.requests.isEmpty)
    }

    @Test
    func anEndlessChunkedBodyIsCut() throws {
        let server = try Self.server()
        let client = try server.client()
        client.send("POST /a HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n")
        let piece = "100\r\n" + String(repeating: "x", count: 256) + "\r\n"
        try blockUntil("the body is cut") { !client.send(piece) }
        #expect(server.responder.requests.isEmpty)
    }

    /// It is cut by its size: here no deadline would do it before the test's own.
    @Test
    func aChunkedBodyIsCutAtFourTimesItsLimit() throws {
        let server = try TestServer(EchoResponder { .text("\($0.body.count)") }) { configuration in
            configuration.maximumBodyBytes = Self.limit
            configuration.idleTimeout = .seconds(600)
            let long = Duration.seconds(600)
            configuration.deadlines = HTTPServer.Deadlines(headers: long, body: long, response: long, connectionAge: long)
        }
        for (pieces, isAnswered) in [([Self.limit * 4], true), ([Self.limit, Self.limit * 3], true), ([Self.limit * 4 + 1], false)] {
            let client = try server.client()
            client.send(Self.chunked(pieces))
            if isAnswered { #expect(try client.read().status == 413, "\(pieces)") } else { #expect(client.readToEnd() == "", "\(pieces)") }
        }
        #expect(server.responder.requests.isEmpty)
    }

    @Test
    func aRefusedBodyIsThrownAwayAndTheConnectionGoesOn() throws {
        let server = try Self.server(
            EchoResponder(
                respond: { .text("\($0.body.count)") },
                refuse: { $0.path == "/no" ? .text("who are you?", status: 401) : nil }
            )
        )
        let client = try server.client()
        client.send("POST /no HTTP/1.1\r\nHost: t\r\nContent-Length: 3000\r\n\r\n\(String(repeating: "x", count: 3000))")
        let answer = try client.read()
        #expect(answer.status == 401)
        #expect(!answer.closes)
        client.send("POST /yes HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabc")
        #expect(try client.read().text == "3")
        #expect(server.responder.paths == ["/yes"])
    }

    @Test
    func aRefusalThatClosesDoesNotWaitForTheBody() throws {
        let server = try Self.server(
            EchoResponder(refuse: { _ in HTTPResponse(status: 403, body: [0x6e], closesConnection: true) })
        )
        let client = try server.client()
        client.send("POST /no HTTP/1.1\r\nHost: t\r\nContent-Length: 3000\r\n\r\n")
        #expect(try client.read().status == 403)
        #expect(client.readToEnd() == "")
    }

    @Test
    func theHeadAskedAboutHasNoBodyAndTheSameNumber() throws {
        let server = try Self.server(
            EchoResponder(
                respond: { .text($0.id) },
                refuse: { head in head.body.isEmpty && head.headers["content-length"] == "3" ? nil : .text("", status: 400) }
            )
        )
        let client = try server.client()
        client.send("POST /yes HTTP/1.1\r\nHost: t\r\nContent-Length: 3\r\n\r\nabc")
        let answer = try client.read()
        #expect(answer.status == 200)
        #expect(answer.text == server.responder.requests.first?.id)
        #expect(server.responder.requests.first?.body == Array("abc".utf8))
    }

    @Test
    func aBodyCutShortReachesNoOne() throws {
        let server = try Self.server()
        let client = try server.client()
        client.send("POST /a HTTP/1.1\r\nHost: t\r\nContent-Length: 10\r\n\r\nhello")
        client.finishSending()
        _ = client.readToEnd()
        server.server.stop()
        #expect(server.responder.requests.isEmpty)
        #expect(server.responder.finished.map(\.isComplete) == [false])
    }

    /// A listener that takes no bodies says so, however the body is sent; chunks got no answer at all.
    @Test(arguments: [
        "Content-Length: 2\r\n\r\n{}", "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ])
    func whereNoBodyIsTakenEveryBodyIs413(_ body: String) throws {
        let server = try TestServer { $0.maximumBodyBytes = 0 }
        let client = try server.client()
        client.send("POST /a HTTP/1.1\r\nHost: t\r\n\(body)")
        let answer = try client.read()
        #expect(answer.status == 413)
        #expect(answer.closes)
        #expect(server.responder.requests.isEmpty)
    }

    @Test
    func tooLongATargetIs414AndTooLargeAHeader431() throws {
        let server = try Self.server()
        let long = String(repeating: "x", count: 9000)
        for (request, status) in [
            ("GET /\(long) HTTP/1.1\r\nHost: t\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: t\r\nX: \(long)\r\n\r\n", 431),
            ("GET / HTTP/1.1\r\nHost: t\r\n\(String(repeating: "X: y\r\n", count: 2000))\r\n", 431),
        ] {
            let client = try server.client()
            client.send(request)
            #expect(try client.read().status == status)
            _ = client.readToEnd()
        }
        #expect(server.responder.requests.isEmpty)
    }

    /// A header that fits must leave room for the answer's, or is refused: also within the last 200 bytes before libmicrohttpd's own 431,
    /// where it has no room for even the shortest answer.
    @Test(arguments: [1, 10, 40], ["/feed.json", "/feed.json?a=b"])
    func aHeaderOfAnySizeIsServedOrRefused(_ fieldCount: Int, _ path: String) throws {
        let feed = TestServer.feed()
        let server = try Self.server(EchoResponder(prepared: ["/feed.json": feed]) { _ in HTTPResponse(prepared: feed) })
        var refusedAt: Int?
        for count in [Int](stride(from: 2000, to: 7000, by: 40)) + [Int](7000...8400) {
            let fields = (0..<fieldCount).map { "X-\($0): \(String(repeating: "v", count: count / fieldCount))\r\n" }.joined()
            let memory = fields.utf8.count + path.utf8.count + 64 * (fieldCount + 2)
            let client = try server.client()
            let status = (try? client.get(path, fields).status) ?? 0
            if refusedAt == nil, status == 431 { refusedAt = memory }
            #expect(status == (refusedAt == nil ? 200 : 431), "\(count) \(memory): \(status)")
        }
        #expect(6900...7300 ~= (refusedAt ?? 0), "\(refusedAt ?? 0)")
    }

    @Test
    func anAnswerWhoseHeaderMightNotFitBecomesA500() throws {
        let server = try Self.server(EchoResponder { _ in HTTPResponse(status: 200, headers: ["X": String(repeating: "x", count: 900)]) })
        #expect(try server.client().get("/").status == 500)
        #expect(server.log.first?.contains("the header has 1033 bytes; 1024 fit") == true, "\(server.log)")
    }
}
