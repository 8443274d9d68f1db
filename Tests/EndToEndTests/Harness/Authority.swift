import Foundation
import GateTesting

/// An authority of its own that signs certificates, with `openssl`, where the machine has it.
struct Authority: Sendable {
    static let openssl = "/usr/bin/openssl"
    static let isAvailable = FileManager.default.isExecutableFile(atPath: openssl)

    private let folder: TemporaryFolder

    /// The file with the authority's own certificate.
    var file: String { folder.path + "/authority.pem" }

    init() async throws {
        folder = try TemporaryFolder()
        try await openssl(
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-subj",
            "/CN=Test",
            "-days",
            "2",
            "-keyout",
            "authority.key",
            "-out",
            "authority.pem"
        )
        try await openssl(
            "req",
            "-new",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-subj",
            "/CN=Server",
            "-keyout",
            "server.key",
            "-out",
            "server.csr"
        )
    }

    /// Options of `gatehouse serve` for a certificate.
    /// - Parameters:
    ///   - name: such as `IP:127.0.0.1`.
    ///   - days: how long it is valid from now on; negative for one that has expired.
    func options(for name: String, days: Int = 1) async throws -> [String] {
        let extensions = try folder.file("extensions", "subjectAltName=\(name)")
        let file = "\(UUID().uuidString).pem"
        try await openssl(
            "x509",
            "-req",
            "-in",
            "server.csr",
            "-CA",
            "authority.pem",
            "-CAkey",
            "authority.key",
            "-CAcreateserial",
            "-days",
            "\(days)",
            "-extfile",
            extensions,
            "-out",
            file
        )
        return ["--tls-certificate", "\(folder.path)/\(file)", "--tls-key", "\(folder.path)/server.key"]
    }

    private func openssl(_ arguments: String...) async throws {
        let outcome = try await run(Self.openssl, arguments, environment: Server.environment, in: folder.path)
        guard outcome.status == 0 else { throw HarnessError("openssl \(arguments[0]): \(outcome)") }
    }
}
