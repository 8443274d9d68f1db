import GateHTTP
import MicroHTTP
import Synchronization
import Testing

/// The ordinary life of requests.
@Suite(.timeLimit(.minutes(2)))
struct HTTPServerTests {
    @Test
    func aThousandPollsGoOverOneConnection() throws {
        let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()]))
        let client = try server.client()
        for _ in 0..<1000 {
            let answer = try client.get("/feed.json")
            #expect(answer.status == 200)
            #expect(answer.body == TestServer.feedBody)
            #expect(answer["connection"] == nil)
        }
    }

    @Test
    func answersMadeForEachRequestKeepTheConnectionToo() throws {
        let server = try TestServer()
        let client = try server.client()
        for number in 0..<100 {
            client.send("POST /a\(number) HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi")
            let answer = try client.read()
            #expect(answer.text == "POST /a\(number)")
            #expect(answer["connection"] == nil)
        }
        #expect(server.responder.requests.map(\.body) == Array(repeating: Array("hi".utf8), count: 100))
    }

    @Test
    func aHundredPipelinedRequestsAreAnsweredInOrder() throws {
        let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()]))
        let client = try server.client()
        var requests = ""
        for number in 0..<100 {
            requests +=
                number.isMultiple(of: 3) ? "GET /feed.json HTTP/1.1\r\nHost: t\r\n\r\n" : "GET /\(number) HTTP/1.1\r\nHost: t\r\n\r\n"
        }
        client.send(requests)
        for number in 0..<100 {
            let answer = try client.read()
            #expect(answer.text == (number.isMultiple(of: 3) ? #"{"ios":{}}"# : "GET /\(number)"))
        }
    }

    @Test
    func aPipelineAfterWhichTheClientSendsNoMoreIsAnsweredWhole() throws {
        // With the data of a pipeline in the same event libmicrohttpd sees the end of the stream only at its idle timeout.
        let server = try TestServer { $0.idleTimeout = .seconds(1) }
        let client = try server.client()
        client.send(String(repeating: "GET /x HTTP/1.1\r\nHost: t\r\n\r\n", count: 10))
        client.finishSending()
        for _ in 0..<10 { #expect(try client.read().text == "GET /x") }
        #expect(client.readToEnd() == "")
    }

    @Test
    func thePreparedFeedHasExactlyItsHeaders() throws {
        let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()]))
        let answer = try server.client().get("/feed.json")
        #expect(
            Set(answer.headers.map(\.name)) == ["date", "content-type", "cache-control", "etag", "content-length"]
        )
        #expect(answer["etag"] == "\"0123abcd\"")
        #expect(answer["content-length"] == "10")
        #expect(answer["content-type"] == "application/json; charset=utf-8")
    }

    @Test(arguments: ["/feed.json", "/made"])
    func headHasTheHeadersOfGetAndNoBody(_ path: String) throws {
        let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()]) { _ in .text("twelve bytes") })
        let client = try server.client()
        let get = try client.get(path)
        client.send("HEAD \(path) HTTP/1.1\r\nHost: test\r\n\r\n")
        let head = try client.read(hasBody: false)
        #expect(head.status == 200)
        #expect(head.headers.filter { $0.name != "date" }.map(\.value) == get.headers.filter { $0.name != "date" }.map(\.value))
        #expect(head["content-length"] == "\(get.body.count)")
        #expect(try client.get(path).status == 200, "no byte of a body was left in the stream")
    }

    static let conditions: [(header: String, status: Int)] = [
        ("If-None-Match: \"0123abcd\"\r\n", 304),
        ("if-none-match:W/\"0123abcd\"\r\n", 304),
        ("If-None-Match: \"x\", \"0123abcd\"\r\n", 304),
        ("If-None-Match: \"x\"\r\nIf-None-Match: \"0123abcd\"\r\n", 304),
        ("If-None-Match: \"0123abcd\"\r\nIf-None-Match: \"x\"\r\n", 304),
        ("If-None-Match: *\r\n", 304),
        ("If-None-Match: \"0123abcd\" \t\r\n", 304),
        ("If-None-Match: \"0123abc\"\r\n", 200),
        ("If-None-Match: 0123abcd\r\n", 200),
        ("If-None-Match:\r\n", 200),
        ("If-Modified-Since: Sat, 29 Oct 2094 19:43:31 GMT\r\n", 200),
        ("", 200),
    ]

    @Test(arguments: conditions, ["/feed.json", "/feed.json?t=1", "/made"])
    func aMatchingTagIsAnswered304(_ row: (header: String, status: Int), _ path: String) throws {
        let feed = TestServer.feed()
        let responder = EchoResponder(prepared: ["/feed.json": feed]) { request in
            request.path == "/feed.json"
                ? HTTPResponse(prepared: feed)
                : HTTPResponse(status: 200, headers: feed.headers, body: feed.body)
        }
        let server = try TestServer(responder)
        let client = try server.client()
        let answer = try client.get(path, row.header)
        #expect(answer.status == row.status)
        #expect(answer["etag"] == "\"0123abcd\"")
        #expect(answer["content-length"] == "10", "RFC 9110 section 8.6: the length of the 200")
        #expect(answer["cache-control"] == "public, max-age=0")
        client.send("HEAD \(path) HTTP/1.1\r\nHost: t\r\n\(row.header)\r\n")
        #expect(try client.read(hasBody: false).status == row.status)
        #expect(try client.get("/feed.json").body == feed.body)
    }

    /// What is told of phones comes of these counts. Answers are made ready in two ways, the second for a path with a query.
    @Test(arguments: ["/feed.json", "/feed.json?t=1"], [true, false])
    func aPollIsCountedByWhatItsCallerHad(_ path: String, _ countsPolls: Bool) throws {
        let feed = TestServer.feed()
        let responder = EchoResponder(prepared: ["/feed.json": feed]) { _ in HTTPResponse(prepared: feed) }
        let server = try TestServer(responder) { $0.countsPolls = countsPolls }
        let client = try server.client()
        func expect(_ confirmed: UInt64, _ replaced: UInt64, _ fetched: UInt64) {
            let counts = countsPolls ? PollCounts(confirmed: confirmed, replaced: replaced, fetched: fetched) : PollCounts()
            #expect(feed.polls.counts == counts)
        }
        #expect(try client.get(path).status == 200)
        expect(0, 0, 1)
        #expect(try client.get(path, "If-None-Match: \"an older one\"\r\n").status == 200)
        expect(0, 1, 1)
        #expect(try client.get(path, "If-None-Match: \"0123abcd\"\r\n").status == 304)
        expect(1, 1, 1)
        for header in ["", "If-None-Match: \"an older one\"\r\n", "If-None-Match: \"0123abcd\"\r\n"] {
            client.send("HEAD \(path) HTTP/1.1\r\nHost: t\r\n\(header)\r\n")
            _ = try client.read(hasBody: false)
        }
        expect(1, 1, 1)
    }

    @Test
    func onlyASuccessfulGetOrHeadBecomes304() throws {
        let server = try TestServer(
            EchoResponder { request in
                HTTPResponse(status: request.path == "/gone" ? 404 : 200, headers: ["ETag": "\"a\""], body: [1])
            }
        )
        let client = try server.client()
        #expect(try client.get("/gone", "If-None-Match: \"a\"\r\n").status == 404)
        client.send("POST /x HTTP/1.1\r\nHost: t\r\nIf-None-Match: \"a\"\r\nContent-Length: 1\r\n\r\nx")
        #expect(try client.read().status == 200)
    }

    @Test
    func noContentHasNeitherBodyNorLength() throws {
        let server = try TestServer(EchoResponder { _ in HTTPResponse(status: 204, body: [1, 2]) })
        let client = try server.client()
        for _ in 0..<2 {
            let answer = try client.get("/")
            #expect(answer.status == 204)
            #expect(answer["content-length"] == nil)
        }
    }

    @Test
    func theResponderIsAskedWithWhatWasSent() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send(
            "PUT /a%20b/%2e?x=1&y=a+b%2Bc&bad=%zz&nul=%00&latin=%ff&=v&flag&x=2 HTTP/1.1\r\nHost: test:80\r\nX-A:  one \t\r\nx-a: two\r\nContent-Length: 3\r\n\r\nabc"
        )
        _ = try client.read()
        _ = try client.get("/second")
        let requests = server.responder.requests
        let request = try #require(requests.first)
        #expect(request.method == .put)
        #expect(request.path == "/a%20b/%2e")
        #expect(request.query.map(\.name) == ["x", "y", "flag", "x"])
        #expect(request.query.map(\.value) == ["1", "a b+c", "", "2"])
        #expect(request.parameter("x") == "1")
        #expect(request.headers.values(of: "X-A") == ["one", "two"])
        #expect(request.body == Array("abc".utf8))
        #expect(request.peer.text == "127.0.0.1")
        #expect(request.id.utf8.count == 16)
        #expect(requests.last?.id != request.id)
        #expect(requests.last?.body == [])
    }

    /// libmicrohttpd made a record of each parameter, and with more than fitted it neither answered nor closed.
    @Test(arguments: [1, 64, 100, 117, 118, 200, 256, 257, 1_000, 1_700])
    func anyNumberOfParametersThatFitsIsAnswered(_ count: Int) throws {
        let server = try TestServer()
        let client = try server.client()
        let query = (0..<count).map { "\($0 % 10)=\($0 % 7)" }.joined(separator: "&")
        for _ in 0..<2 {
            let answer = try client.get("/feed.json?\(query)")
            #expect(answer.text == "GET /feed.json")
            #expect(answer["connection"] == nil)
        }
        let request = try #require(server.responder.requests.last)
        #expect(request.query.count == min(count, HTTPRequest.maximumParameters))
        #expect(request.query.enumerated().allSatisfy { $0.element == ("\($0.offset % 10)", "\($0.offset % 7)") })
    }

    @Test
    func aQueryIsNeverAskedOfThePreparedPath() throws {
        let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()]))
        let client = try server.client()
        #expect(try client.get("/feed.json?version=4.2").text == "GET /feed.json")
        #expect(try client.get("/feed.json?").status == 200)
        client.send("POST /feed.json HTTP/1.1\r\nHost: t\r\nContent-Length: 0\r\n\r\n")
        #expect(try client.read().text == "POST /feed.json")
    }

    @Test
    func anHTTP10ClientIsAnsweredAndClosed() throws {
        let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()]))
        let client = try server.client()
        client.send("GET /feed.json HTTP/1.0\r\n\r\n")
        #expect(try client.read().body == TestServer.feedBody)
        #expect(client.readToEnd() == "")
    }

    @Test
    func aResponseThatCannotBeSentBecomesA500AndIsLogged() throws {
        let bad: [(String, String)] = [
            ("X-Injected", "a\r\nSet-Cookie: b"), ("X-Nul", "a\u{0}b"), ("X-Empty", ""), ("X Name", "v"), ("X-Bell", "\u{7}"),
            ("Content-Length", "3"), ("Connection", "keep-alive"), ("Date", "today"), ("Transfer-Encoding", "chunked"),
        ]
        let server = try TestServer(
            EchoResponder { request in
                let field = bad[Int(request.path.dropFirst()) ?? 0]
                return HTTPResponse(status: 200, headers: [field.0: field.1], body: Array("secret".utf8))
            }
        )
        let client = try server.client()
        for (number, field) in bad.enumerated() {
            let answer = try client.get("/\(number)")
            #expect(answer.status == 500, "\(field.0)")
            #expect(!answer.text.contains("secret"))
            #expect(server.log.last?.contains("the header \(field.0) ") == true, "\(server.log)")
        }
        #expect(try client.get("/0").status == 500, "and the connection goes on")
    }

    @Test(arguments: [0, 100, 199, 600, 1000])
    func aStatusThatIsNoneBecomesA500(_ status: Int) throws {
        let server = try TestServer(EchoResponder { _ in HTTPResponse(status: status) })
        #expect(try server.client().get("/").status == 500)
    }

    @Test
    func anAnswerCanEndTheConnection() throws {
        let server = try TestServer(
            EchoResponder { _ in HTTPResponse(status: 200, body: [1], closesConnection: true) }
        )
        let client = try server.client()
        #expect(try client.get("/").closes)
        #expect(client.readToEnd() == "")
    }

    @Test
    func everyRequestIsReportedWhenItIsOver() throws {
        let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()]))
        let client = try server.client()
        _ = try client.get("/feed.json")
        _ = try client.get("/feed.json", "If-None-Match: *\r\n")
        _ = try client.get("/made")
        client.send("FOO / HTTP/1.1\r\nHost: t\r\n\r\n")
        _ = try client.read()
        _ = client.readToEnd()
        server.server.stop()
        let finished = server.responder.finished
        #expect(finished.map(\.status) == [200, 304, 200, 405])
        #expect(finished.map(\.bodyBytes) == [10, 0, 9, finished.last?.bodyBytes])
        #expect(finished.map(\.method) == [.get, .get, .get, nil])
        #expect(finished.map(\.isPrepared) == [true, true, false, false])
        #expect(finished.map(\.isComplete).prefix(3) == [true, true, true])
        #expect(finished.allSatisfy { $0.duration >= .zero })
        #expect(Set(finished.map(\.id)).count == 4)
        #expect(finished[2].id == server.responder.requests[0].id)
    }

    @Test
    func theResponseOfAReplacedFeedIsFreed() throws {
        weak var old: PreparedResponse?
        let responder = EchoResponder()
        let server = try TestServer(responder)
        let client = try server.client()
        do {
            let first = TestServer.feed()
            old = first
            responder.memory.withLock { $0.prepared["/feed.json"] = first }
        }
        #expect(try client.get("/feed.json").body == TestServer.feedBody)
        let second = PreparedResponse(body: [0x32], etag: "2", headers: [:])
        responder.memory.withLock { $0.prepared["/feed.json"] = second }
        #expect(try client.get("/feed.json").text == "2")
        #expect(old == nil)
        #expect(second.attachment.value != 0)
    }

    @Test
    func aHostThatIsNotAcceptedIsRefused() throws {
        let server = try TestServer { $0.acceptsHost = { host, target in host == "gate.example:80" || target == "/open" } }
        let client = try server.client()
        client.send("GET / HTTP/1.1\r\nHost: gate.example:80\r\n\r\n")
        #expect(try client.read().status == 200)
        client.send("GET /open?a=b HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        #expect(try client.read().status == 200)
        client.send("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")
        #expect(try client.read().status == 421)
        #expect(client.readToEnd() == "")
        #expect(server.responder.requests.count == 2)
    }

    @Test
    func manyConnectionsAtOnceEachGetTheirOwnAnswers() async throws {
        let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()])) { $0.workers = 4 }
        let port = server.port
        try await withThrowingTaskGroup(of: Int.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    let client = try RawClient(port: port)
                    var right = 0
                    for number in 0..<200 {
                        if try client.get("/w\(worker)-\(number)").text == "GET /w\(worker)-\(number)" { right += 1 }
                        if try client.get("/feed.json").body == TestServer.feedBody { right += 1 }
                    }
                    return right
                }
            }
            for try await right in group { #expect(right == 400) }
        }
    }
}
