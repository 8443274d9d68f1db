import Foundation
import GateHTTP
import GateTesting
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
        stdin.offer(input)
        let output = stdout.fileHandleForReading.readDataToEndOfFile()
        try stdin.fileHandleForWriting.close()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self)
    }

    private func certificate(_ name: String = "localhost") throws -> HTTPServer.TLSFiles {
        let pem = try run([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=\(name)", "-days", "1",
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

    /// The name in the certificate that a new connection is shown.
    private func shown(_ server: TestServer, _ version: String = "-tls1_3") throws -> String {
        let told = try run(["s_client", version, "-connect", "127.0.0.1:\(server.port)"], input: "GET /feed.json HTTP/1.0\r\n\r\n")
        return String(told.split(separator: "\n").first { $0.hasPrefix("subject=") }?.dropFirst(8).drop { $0 == " " } ?? "")
    }

    @Test(.enabled(if: hasOpenSSL), arguments: ["-tls1_2", "-tls1_3"])
    func anotherCertificateIsShownToNewConnectionsAlone(_ version: String) throws {
        let first = try certificate("first")
        let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()])) { $0.tls = first }
        #expect(try shown(server, version).hasSuffix("first"))

        // A connection that is open goes on as it is.
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.openssl)
        process.arguments = ["s_client", "-quiet", version, "-connect", "127.0.0.1:\(server.port)"]
        let (stdin, stdout) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, FileHandle.nullDevice)
        try process.run()
        stdin.offer("GET /feed.json HTTP/1.1\r\nHost: t\r\n\r\n")
        var told = Data()
        while !String(decoding: told, as: UTF8.self).hasSuffix(#"{"ios":{}}"#) {
            let more = stdout.fileHandleForReading.availableData
            try #require(!more.isEmpty, "it ended after \(String(decoding: told, as: UTF8.self))")
            told += more
        }

        try server.server.replace(try certificate("second"))
        for _ in 0..<5 { #expect(try shown(server, version).hasSuffix("second")) }
        stdin.offer("GET /feed.json HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")
        let rest = String(decoding: stdout.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(rest.hasPrefix("HTTP/1.1 200 OK\r\n") && rest.hasSuffix(#"{"ios":{}}"#), "\(rest)")
        try stdin.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    @Test(.enabled(if: hasOpenSSL))
    func aCertificateThatIsNotTakenLeavesTheOneInUse() throws {
        let (first, other) = (try certificate("first"), try certificate("other"))
        let server = try TestServer { $0.tls = first }
        for files in [
            HTTPServer.TLSFiles(certificate: "junk", key: "junk"), HTTPServer.TLSFiles(certificate: other.certificate, key: first.key),
            HTTPServer.TLSFiles(certificate: "", key: other.key), HTTPServer.TLSFiles(certificate: other.certificate, key: ""),
        ] {
            #expect { try server.server.replace(files) } throws: { ($0 as? HTTPServerError)?.code == .invalidCertificate }
        }
        #expect(try shown(server).hasSuffix("first"))
    }

    /// A server's certificate with those between it and a root, and the root, as an authority gives them out.
    private struct Chain {
        var server: String
        var between: String
        var root: String
        var key: String
    }

    private func chain() throws -> Chain {
        let folder = try TemporaryFolder()
        func path(_ name: String) -> String { folder.path + "/" + name }
        func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }
        try folder.file("authority", "basicConstraints=critical,CA:true\n")
        try folder.file("host", "subjectAltName=DNS:localhost\n")
        let made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        _ = try run(["req", "-x509"] + made + ["-subj", "/CN=root", "-days", "1", "-keyout", path("root.key"), "-out", path("root")])
        for (name, subject, issuer, extensions) in [
            ("between", "between", "root", "authority"), ("server", "localhost", "between", "host"),
        ] {
            _ = try run(["req"] + made + ["-subj", "/CN=\(subject)", "-keyout", path("\(name).key"), "-out", path("\(name).csr")])
            _ = try run([
                "x509", "-req", "-in", path("\(name).csr"), "-CA", path(issuer), "-CAkey", path("\(issuer).key"), "-CAcreateserial",
                "-days", "1",
                "-extfile", path(extensions), "-out", path(name),
            ])
        }
        return Chain(server: try text("server"), between: try text("between"), root: try text("root"), key: try text("server.key"))
    }

    /// Whoever trusts the root alone takes the server for what it is, in whichever order a file tells what comes after the server's own.
    @Test(.enabled(if: hasOpenSSL), arguments: ["-tls1_2", "-tls1_3"])
    func aChainIsShownWhole(_ version: String) throws {
        let chain = try chain()
        let folder = try TemporaryFolder()
        let trusted = try folder.file("root.pem", chain.root)
        for parts in [
            [chain.server, chain.between], [chain.server, chain.between, chain.root], [chain.server, chain.root, chain.between],
        ] {
            let files = HTTPServer.TLSFiles(certificate: parts.joined(), key: chain.key)
            let server = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()])) { $0.tls = files }
            let answer = try run(
                [
                    "s_client", "-quiet", version, "-CAfile", trusted, "-verify_return_error", "-verify_hostname", "localhost", "-connect",
                    "127.0.0.1:\(server.port)",
                ],
                input: "GET /feed.json HTTP/1.0\r\n\r\n"
            )
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(parts.count): \(answer)")
        }
        #expect {
            _ = try TestServer { $0.tls = .init(certificate: chain.between + chain.server, key: chain.key) }
        } throws: { error in
            (error as? HTTPServerError)?.code == .cannotStart && "\(error)".contains("the server's own certificate first")
        }
        let alone = try TestServer(EchoResponder(prepared: ["/feed.json": TestServer.feed()])) {
            $0.tls = .init(certificate: chain.server, key: chain.key)
        }
        let refused = try run(
            ["s_client", "-quiet", version, "-CAfile", trusted, "-verify_return_error", "-connect", "127.0.0.1:\(alone.port)"],
            input: "GET /feed.json HTTP/1.0\r\n\r\n"
        )
        #expect(refused.isEmpty, "without what is between, nobody can tell: \(refused)")
    }
}
