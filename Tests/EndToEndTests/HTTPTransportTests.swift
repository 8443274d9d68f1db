import CurlHTTP
import Foundation
import GateTesting
import Synchronization
import Testing

@testable import GateAdminClient

/// One exchange with whatever answers: what of it is an answer, and what is known when there is none.
struct HTTPTransportTests {
    private func request(_ stub: StubServer, _ method: String = "GET", body: [UInt8]? = nil, isAlone: Bool = false) -> HTTPTransport.Request
    {
        HTTPTransport.Request(
            method: method,
            url: stub.address + "/a/../b?c=%20d",
            headers: [("Accept", "application/json"), ("X-One", "1")],
            body: body,
            isAlone: isAlone
        )
    }

    @Test func anAnswerIsTakenAsItCame() async throws {
        let stub = try StubServer { _, _ in
            .bytes(
                "HTTP/1.1 100 Continue\r\nX-Early: yes\r\n\r\nHTTP/1.1 201 Created\r\nX-B:  two \r\nx-a: one\r\nX-B: three\r\nX-Empty:\r\nContent-Length: 4\r\nConnection: close\r\n\r\n\u{0}ä\n"
            )
        }
        let answer = try await HTTPTransport().perform(request(stub), within: .seconds(5))
        #expect(answer.status == 201)
        #expect(
            answer.headers.map { "\($0.name)=\($0.value)" } == [
                "connection=close", "content-length=4", "x-a=one", "x-b=two", "x-b=three", "x-empty=",
            ]
        )
        #expect(answer.body == [0, 0xC3, 0xA4, 0x0A])
        #expect(stub.requests.count == 1)
        let lines = try #require(stub.requests.first).components(separatedBy: "\r\n")
        #expect(lines.first == "GET /a/../b?c=%20d HTTP/1.1", "the path as it was encoded")
        #expect(lines.contains("X-One: 1"))
        #expect(!lines.contains { $0.lowercased().hasPrefix("expect") || $0.lowercased().hasPrefix("cookie") })
    }

    @Test func aBodyIsSentWithItsLengthWhateverTheMethod() async throws {
        let stub = try StubServer { _, _ in StubServer.json("200 OK", "{}") }
        let transport = HTTPTransport()
        for (method, body) in [
            ("POST", Array("{\"a\":1}".utf8)), ("PUT", []), ("DELETE", Array("{}".utf8)),
            ("PATCH", [UInt8](repeating: 0x61, count: 2_000_000)),
        ] {
            #expect(try await transport.perform(request(stub, method, body: body, isAlone: true), within: .seconds(5)).status == 200)
            let sent = try #require(stub.requests.last)
            #expect(sent.hasPrefix("\(method) /a/"), "\(sent.prefix(80))")
            #expect(sent.contains("\r\nContent-Length: \(body.count)\r\n"))
            #expect(Array(sent.utf8.suffix(body.count)) == body)
        }
    }

    @Test func nothingOfOneExchangeIsLeftInTheNext() async throws {
        let stub = try StubServer { _, _ in StubServer.json("200 OK", "{}", headers: "Set-Cookie: a=b\r\n") }
        let transport = HTTPTransport()
        var first = request(stub, "POST", body: Array("secret".utf8))
        first.headers.append(("Authorization", "Bearer gate_a_b"))
        _ = try await transport.perform(first, within: .seconds(5))
        _ = try await transport.perform(request(stub), within: .seconds(5))
        let second = try #require(stub.requests.last)
        #expect(second.hasPrefix("GET /a/"))
        #expect(!["gate_a_b", "secret", "a=b", "Content-Length"].contains(where: second.contains), "\(second)")
    }

    @Test(arguments: [
        ("SSH-2.0-OpenSSH_9.2\r\n", TransportError.Obstacle.notHTTP), ("\u{15}\u{3}\u{3}\u{0}\u{2}\u{2}\u{28}", .notHTTP), ("", .hungUp),
        ("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", .lost),
        ("HTTP/1.1 200 OK\r\nContent-Length: 101\r\nConnection: close\r\n\r\n" + String(repeating: "a", count: 101), .tooLong),
    ])
    func whatIsNoAnswerIsToldApart(bytes: String, code: TransportError.Obstacle) async throws {
        let stub = try StubServer { _, _ in bytes.isEmpty ? .hangUp : .bytes(bytes) }
        let transport = HTTPTransport(maximumAnswerBytes: 100)
        let error = await #expect(throws: TransportError.self) { try await transport.perform(request(stub), within: .seconds(5)) }
        #expect(error?.code == code, "\(String(describing: error))")
        #expect(error?.mayHaveArrived == true, "it was sent")
        #expect(stub.requests.count == 1, "and once")
    }

    @Test func manyExchangesGoOnAtOnce() async throws {
        let stub = try StubServer { _, count in count == 0 ? .silence : StubServer.json("200 OK", "{}") }
        let transport = HTTPTransport()
        let request = request(stub)
        let isHanging = Mutex(false)
        // As long as the test goes on: it ends with the one that lets it hang.
        let hanging = Task {
            await #expect(throws: TransportError.self) { try await transport.perform(request, within: .seconds(300)) }
            isHanging.withLock { $0 = false }
        }
        isHanging.withLock { $0 = true }
        try await waitUntil("the first request has come") { !stub.requests.isEmpty }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...20 { group.addTask { try await transport.perform(request, within: .seconds(60)).status } }
            for try await status in group { #expect(status == 200) }
        }
        #expect(isHanging.withLock { $0 }, "one that waits holds nobody up")
        stub.hangUp()
        await hanging.value
    }
}
