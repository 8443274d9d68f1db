import Dispatch
import GateHTTP
import GateTesting
import Glibc
import MicroHTTP
import Testing

/// Callers who are slow on purpose. No test measures time: each would wait for a minute if the connection were not cut, and the idle
/// timer, which every byte starts anew, is far longer.
@Suite(.timeLimit(.minutes(2)))
struct DeadlineTests {
    /// Nobody else sets them: the listeners of the server have these.
    @Test func whoNamesNoDeadlinesHasThose() {
        let deadlines = HTTPServer.Configuration().deadlines
        #expect(deadlines.headers == .seconds(10))
        #expect(deadlines.body == .seconds(30))
        #expect(deadlines.response == .seconds(60))
        #expect(deadlines.connectionAge == .seconds(300))
    }

    /// Sends a byte now and then until the connection is cut.
    private func drip(_ client: RawClient) throws {
        try blockUntil("who drips is cut") { !client.send([0x78]) }
    }

    @Test
    func aRequestLineThatNeverEndsIsCut() throws {
        let server = try TestServer.patient { $0.deadlines.headers = .milliseconds(200) }
        let client = try server.client()
        client.send("GET /")
        try drip(client)
        #expect(server.responder.requests.isEmpty)
    }

    @Test
    func aHeaderThatNeverEndsIsCut() throws {
        let server = try TestServer.patient { $0.deadlines.headers = .milliseconds(200) }
        let client = try server.client()
        client.send("GET / HTTP/1.1\r\nHost: t\r\nX: ")
        try drip(client)
        #expect(server.responder.requests.isEmpty)
    }

    @Test
    func aLaterHeaderThatNeverEndsIsCut() throws {
        let server = try TestServer.patient { $0.deadlines.headers = .milliseconds(200) }
        let client = try server.client()
        #expect(try client.get("/first").status == 200)
        client.send("GET / HTTP/1.1\r\nHost: t\r\nX: ")
        try drip(client)
        #expect(server.responder.paths == ["/first"])
    }

    @Test
    func aCallerWhoSendsNothingIsCut() throws {
        let server = try TestServer.patient { $0.deadlines.headers = .milliseconds(200) }
        #expect(try server.client().readToEnd() == "")
    }

    @Test
    func aBodyThatNeverEndsIsCut() throws {
        let server = try TestServer.patient { $0.deadlines.body = .milliseconds(200) }
        let client = try server.client()
        client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 100000\r\n\r\n")
        try drip(client)
        #expect(server.responder.requests.isEmpty)
    }

    /// A worker that stays in the answer to `/slow` until it is let go.
    private struct HeldUp {
        let begun = DispatchSemaphore(value: 0)
        let goesOn = DispatchSemaphore(value: 0)

        var responder: EchoResponder {
            EchoResponder { request in
                if request.path == "/slow" {
                    begun.signal()
                    goesOn.wait()
                }
                return .text(request.path)
            }
        }
    }

    /// Whoever has sent all in time is not cut because the worker is held up by somebody else, and is answered when it is free.
    @Test
    func aRequestThatNobodyHasReadYetIsNotCut() throws {
        let work = HeldUp()
        let server = try TestServer.patient(work.responder) {
            $0.workers = 1
            $0.deadlines.headers = .seconds(3)
        }
        let (slow, waiting, silent) = (try server.client(), try server.client(), try server.client())
        try blockUntil("all are there") { server.server.connectionCount == 3 }
        slow.send("GET /slow HTTP/1.1\r\nHost: t\r\n\r\n")
        work.begun.wait()
        waiting.send("GET /waiting HTTP/1.1\r\nHost: t\r\n\r\n")
        #expect(silent.readToEnd() == "", "the deadline is over")
        work.goesOn.signal()
        #expect(try slow.read().status == 200)
        #expect(try waiting.read().status == 200)
    }

    /// Nothing is done for a caller who was cut while the worker was held up: they take it for undone.
    @Test
    func aRequestIsNotCarriedOutAfterItsCallerWasCut() throws {
        let work = HeldUp()
        let server = try TestServer.patient(work.responder) {
            $0.workers = 1
            $0.deadlines.connectionAge = .seconds(3)
        }
        let (slow, late) = (try server.client(), try server.client())
        try blockUntil("both are there") { server.server.connectionCount == 2 }
        slow.send("GET /slow HTTP/1.1\r\nHost: t\r\n\r\n")
        work.begun.wait()
        late.send("POST /late HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\n\r\nx")
        #expect(late.readToEnd() == "", "it is too old")
        work.goesOn.signal()
        try blockUntil("both are gone") { server.server.connectionCount == 0 }
        #expect(!server.responder.paths.contains("/late"))
    }

    @Test
    func anAnswerThatIsNotReadIsCut() throws {
        let body = [UInt8](repeating: 0x78, count: 32 << 20)
        let server = try TestServer.patient(EchoResponder { _ in HTTPResponse(status: 200, body: body) }) {
            $0.deadlines.response = .milliseconds(200)
        }
        let client = try RawClient(port: server.port, receiveBufferBytes: 4096)
        client.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n")
        try blockUntil("the answer is cut") { !server.responder.finished.isEmpty }
        #expect(server.responder.finished.map(\.isComplete) == [false])
    }

    @Test
    func anOldConnectionIsToldToCloseAndIsClosed() throws {
        let server = try TestServer.patient(EchoResponder(prepared: ["/feed.json": TestServer.feed()])) {
            $0.deadlines.connectionAge = .seconds(2)
        }
        let client = try server.client()
        try blockUntil("an answer says that the connection is closed") {
            let answer = try client.get("/feed.json")
            #expect(answer.status == 200)
            return answer.closes
        }
        #expect(client.readToEnd() == "")
    }

    @Test
    func anOldConnectionThatIsQuietIsClosed() throws {
        let server = try TestServer.patient { $0.deadlines.connectionAge = .milliseconds(300) }
        let client = try server.client()
        #expect(try client.get("/").status == 200)
        #expect(client.readToEnd() == "")
    }

    @Test
    func aQuietConnectionIsClosedAfterTheIdleTimeout() throws {
        let server = try TestServer { $0.idleTimeout = .seconds(1) }
        let client = try server.client()
        #expect(try client.get("/").status == 200)
        #expect(client.readToEnd() == "")
    }
}
