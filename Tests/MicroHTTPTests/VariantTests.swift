import GateHTTP
import MicroHTTP
import Synchronization
import Testing

/// Ready-made answers by query: who is given one, and that a query is read there as strictly as anywhere.
@Suite struct VariantTests {
    /// Answers `version=1` with a document of its own, and remembers what it was asked.
    private final class Variants: ResponseVariants {
        static let body = Array(#"{"one":{}}"#.utf8)
        private let own = PreparedResponse(body: Variants.body, etag: "89ef", headers: ["Content-Type": "application/json; charset=utf-8"])
        let asked = Mutex<[(query: String, isPoll: Bool)]>([])

        func response(to query: UnsafeRawBufferPointer, isPoll: Bool) -> PreparedResponse? {
            asked.withLock { $0.append((String(decoding: query, as: UTF8.self), isPoll)) }
            return query.elementsEqual("version=1".utf8) ? own : nil
        }
    }

    private func server(_ variants: Variants, countsPolls: Bool = true) throws -> TestServer {
        let feed = PreparedResponse(body: TestServer.feedBody, etag: "0123abcd", headers: [:], variants: variants)
        return try TestServer(EchoResponder(prepared: ["/feed.json": feed])) { $0.countsPolls = countsPolls }
    }

    private func ask(_ server: TestServer, _ target: String, _ method: String = "GET", _ more: String = "") throws -> RawClient.Answer {
        let client = try server.client()
        client.send("\(method) \(target) HTTP/1.1\r\nHost: t\r\n\(more)\r\n")
        return try client.read()
    }

    @Test(arguments: [
        ("?version=1", Variants.body), ("?version=2", TestServer.feedBody), ("?", TestServer.feedBody), ("", TestServer.feedBody),
    ])
    func aQueryHasItsOwnAnswer(query: String, body: [UInt8]) throws {
        let answer = try ask(server(Variants()), "/feed.json" + query)
        #expect((answer.status, answer.body) == (200, body))
    }

    @Test func theAnswersEntityTagIsItsOwn() throws {
        let server = try server(Variants())
        #expect(try ask(server, "/feed.json?version=1", "GET", "If-None-Match: \"89ef\"\r\n").status == 304)
        #expect(try ask(server, "/feed.json?version=1", "GET", "If-None-Match: \"0123abcd\"\r\n").status == 200)
    }

    /// What a reader in front could take for the end of the target is refused, before the query is shown to anybody.
    @Test(arguments: ["a b", "version=1 ", " version=1", "version=1 HTTP/1.1", "a\tb", "a\u{1f}b", "\u{7f}"])
    func aBlankOrAControlIsRefused(query: String) throws {
        let variants = Variants()
        #expect(try ask(server(variants), "/feed.json?\(query)").status == 400)
        #expect(variants.asked.withLock { $0.isEmpty })
    }

    @Test(arguments: [("GET", true, true), ("HEAD", true, false), ("GET", false, false), ("HEAD", false, false)])
    func onlyAGetWhereTheyAreCountedIsAPoll(method: String, countsPolls: Bool, isPoll: Bool) throws {
        let variants = Variants()
        let server = try server(variants, countsPolls: countsPolls)
        let client = try server.client()
        client.send("\(method) /feed.json?version=1 HTTP/1.1\r\nHost: t\r\nConnection: keep-alive\r\n\r\n")
        _ = try client.read(hasBody: method == "GET")
        #expect(variants.asked.withLock { $0.map(\.isPoll) } == [isPoll])
    }
}
