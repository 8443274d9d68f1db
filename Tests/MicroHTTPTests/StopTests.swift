import GateHTTP
import GateTesting
import Glibc
import MicroHTTP
import Synchronization
import Testing

/// Starting where one cannot, and stopping at any moment.
@Suite(.timeLimit(.minutes(5)), .serialized)
struct StopTests {
    @Test
    func aTakenPortIsNamed() throws {
        let server = try TestServer()
        let port = server.port
        #expect {
            _ = try TestServer { $0.port = port }
        } throws: { error in
            guard let error = error as? HTTPServerError else { return false }
            return error.code == .addressInUse && error.description.contains("127.0.0.1 port \(port)")
        }
    }

    @Test(arguments: ["localhost", "", "1.2.3", "[::1]"])
    func anAddressThatIsNoneIsNamed(_ address: String) {
        #expect {
            _ = try TestServer { $0.address = address }
        } throws: { error in
            (error as? HTTPServerError)?.code == .badAddress && "\(error)".contains("\"\(address)\"")
        }
    }

    @Test
    func anAddressOfAnotherMachineIsNamed() {
        #expect {
            _ = try TestServer { $0.address = "192.0.2.1" }
        } throws: { error in
            (error as? HTTPServerError)?.code == .badAddress && "\(error)".contains("192.0.2.1")
        }
    }

    @Test
    func theVersionOfTheLibraryIsKnown() {
        #expect(HTTPServer.libraryVersion.split(separator: ".").count >= 3)
    }

    @Test
    func aStoppedPortCanBeListenedOnAgain() throws {
        let first = try TestServer()
        let port = first.port
        _ = try first.client().get("/")
        first.server.stop()
        first.server.stop()
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port).get("/") }
        let second = try TestServer { $0.port = port }
        #expect(try second.client().get("/").status == 200)
    }

    @Test
    func stoppingWaitsForARequestInHandAndTellsItsConnectionToClose() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("POST /slow HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.read().status == 100)
        let listener = server.server
        let stopping = Background { listener.stop() }
        // Once new callers are turned away the draining has begun.
        try blockUntil("new callers are turned away") { (try? RawClient(port: server.port).get("/"))?.status != 200 }
        client.send("hi")
        let answer = try client.read()
        #expect(answer.text == "POST /slow")
        #expect(answer.closes)
        stopping.join()
    }

    @Test
    func stoppingDoesNotWaitForQuietConnections() throws {
        let server = try TestServer { $0.idleTimeout = .seconds(600) }
        let quiet = try server.client()
        let used = try server.client()
        #expect(try used.get("/").status == 200)
        server.server.stop(grace: .seconds(600))
        #expect(server.server.connectionCount == 0)
        #expect(quiet.readToEnd() == "")
        #expect(used.readToEnd() == "")
    }

    @Test
    func stoppingEndsInSpiteOfACallerWhoNeverDoes() throws {
        let server = try TestServer()
        let client = try server.client()
        client.send("POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.read().status == 100)
        server.server.stop(grace: .milliseconds(50))
        #expect(server.responder.finished.map(\.status) == [0])
        #expect(server.responder.finished.map(\.isComplete) == [false])
    }

    /// One slow phone, or anybody who means it, keeps the feeds away from all others no longer than that.
    @Test
    func stoppingGivesAHeadUpThatNeverEnds() throws {
        let server = try TestServer { $0.idleTimeout = .seconds(600) }
        let client = try server.client()
        client.send("GET / HTTP/1.1\r\nHost: t\r\nX-Half")
        try blockUntil("the connection is counted") { server.server.connectionCount > 0 }
        // Within the test's own limit of time; ten minutes are not waited for.
        server.server.stop(grace: .seconds(600))
        #expect(client.readToEnd() == "")
    }

    /// What a client asked before the stop is answered whole or not at all, and the process lives.
    @Test
    func stoppingUnderLoadCutsNoAnswer() throws {
        for round in 0..<40 {
            let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()]))
            let port = server.port
            let isOver = Flag()
            let clients = (0..<6).map { number in
                Background {
                    while !isOver.isSet {
                        guard let client = try? RawClient(port: port) else { return }
                        // A connection may end between two answers; an answer that has begun must be whole.
                        while !isOver.isSet {
                            do {
                                let answer = try client.get(number.isMultiple(of: 2) ? "/feed.json" : "/made")
                                if answer.closes { break }
                            } catch let failure as RawClient.Failure {
                                if failure.what.contains("in a body") { Issue.record("\(failure.what)") }
                                break
                            } catch {
                                break
                            }
                        }
                    }
                }
            }
            try blockUntil("\(20 + round) answers are out") { server.responder.finished.count >= 20 + round }
            server.server.stop()
            isOver.set()
            for client in clients { client.join() }
        }
    }

    final class Flag: Sendable {
        private let value = Atomic<Bool>(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }

    /// A thread that is waited for.
    struct Background {
        private final class Work: Sendable {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }

        private let handle: pthread_t

        init(_ run: @escaping @Sendable () -> Void) {
            var handle = pthread_t()
            pthread_create(
                &handle,
                nil,
                { context in
                    Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                    return nil
                },
                Unmanaged.passRetained(Work(run)).toOpaque()
            )
            self.handle = handle
        }

        func join() {
            pthread_join(handle, nil)
        }
    }
}
