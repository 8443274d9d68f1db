import Foundation
import GateHTTP
import MicroHTTP
import Testing

/// The listener with a certificate of its own. The client is `openssl`, where the machine has it.
@Suite(.timeLimit(.minutes(2)))
struct TLSTests {
    static let openssl = "/usr/bin/openssl"
    static let hasOpenSSL = FileManager.default.isExecutableFile(atPath: openssl)

    private func run(_ arguments: [String], input: String = "") throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.openssl)
        process.arguments = arguments
        let (stdin, stdout) = (Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = FileHandle.nullDevice
        try process.run()
        stdin.fileHandleForWriting.write(Data(input.utf8))
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        try stdin.fileHandleForWriting.close()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    private func certificate() throws -> HTTPServer.TLSFiles {
        let pem = try run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost", "-days", "1",
            "-keyout", "-", "-out", "-",
        ])
        let end = try #require(pem.range(of: "-----END PRIVATE KEY-----\n")).upperBound
        return HTTPServer.TLSFiles(certificate: String(pem[end...]), key: String(pem[..<end]))
    }

    @Test(.enabled(if: hasOpenSSL), arguments: ["-tls1_2", "-tls1_3"])
    func requestsAreAnsweredOverTLS(_ version: String) throws {
        let files = try certificate()
        let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()])) { $0.tls = files }
        let answer = try run(
            ["s_client", "-quiet", version, "-connect", "127.0.0.1:\(server.port)"],
            input: "GET /feed.json HTTP/1.0\r\n\r\n"
        )
        #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
        #expect(answer.hasSuffix(#"{"ios":{}}"#))
    }

    @Test(.enabled(if: hasOpenSSL), arguments: ["-tls1", "-tls1_1"])
    func olderVersionsAreRefused(_ version: String) throws {
        let files = try certificate()
        let server = try TestServer { $0.tls = files }
        let answer = try run(
            ["s_client", "-quiet", version, "-cipher", "ALL:@SECLEVEL=0", "-connect", "127.0.0.1:\(server.port)"],
            input: "GET / HTTP/1.0\r\n\r\n"
        )
        #expect(answer == "")
        #expect(server.responder.requests.isEmpty)
    }

    @Test(.enabled(if: hasOpenSSL))
    func aPlainRequestToATLSListenerReachesNoOne() throws {
        let files = try certificate()
        let server = try TestServer { $0.tls = files }
        let client = try server.client()
        client.send("GET / HTTP/1.1\r\nHost: t\r\n\r\n")
        #expect(!client.readToEnd().contains("HTTP/1.1"))
        #expect(server.responder.requests.isEmpty)
    }

    @Test
    func whatIsNoCertificateIsRefusedAtTheStart() {
        #expect {
            _ = try TestServer { $0.tls = HTTPServer.TLSFiles(certificate: "junk", key: "junk") }
        } throws: { error in
            (error as? HTTPServerError)?.code == .cannotStart && "\(error)".contains("PEM")
        }
    }
}
