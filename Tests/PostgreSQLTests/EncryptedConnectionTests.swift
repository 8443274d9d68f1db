import GateTesting
import PostgreSQL
import Testing

/// TLS, over TCP: the server has none on its socket.
@Suite(.timeLimit(.minutes(3)))
struct EncryptedConnectionTests {
    @Test func overTLSEverythingComesToo() throws {
        let cluster = try PostgresCluster(isEncrypted: true)
        let url = "postgresql://postgres:s3cret@127.0.0.1:\(cluster.port)/postgres?sslmode="
        let connection = try PostgresConnection(to: PostgresAddress(url + "require"))
        #expect(try connection.execute("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").rows[0][0] == .boolean(true))
        // Records of TLS and libpq's buffer have other sizes: nothing may be left between them.
        for size in [1, 4_000, 8_191, 8_192, 8_193, 16_300, 16_384, 16_400, 32_768, 65_536, 1 << 20, 5_000_001] {
            let answer = try connection.execute(
                "SELECT repeat('x', $1), $2::text",
                [.integer(Int64(size)), .text(String(repeating: "y", count: size))]
            )
            #expect(answer.rows[0][0].text?.utf8.count == size, "\(size)")
            #expect(answer.rows[0][1].text?.utf8.count == size, "\(size)")
        }
        #expect(try connection.execute("SELECT generate_series(1, 50000)").rows.count == 50_000)
        // Its certificate is signed by nobody, and of another host than 127.0.0.1.
        let folder = try TemporaryFolder()
        let certificate = try folder.file("root.crt", try cluster.run("SELECT pg_read_file('\(cluster.folder)/tls.crt')"))
        let root = "&sslrootcert=\(certificate.replacing("/", with: "%2F"))"
        _ = try PostgresConnection(to: PostgresAddress(url + "verify-ca" + root))
        for mode in ["verify-full" + root, "verify-ca&sslrootcert=%2Fnone", "verify-full&sslrootcert=%2Fnone"] {
            let error = try #require(thrown { () throws(PostgresError) in try PostgresConnection(to: PostgresAddress(url + mode)) })
            #expect(error.kind == .tls, "\(mode): \(error)")
            #expect(!"\(error)".contains("s3cret"))
        }
        try cluster.stopAtOnce()
        #expect(thrown { () throws(PostgresError) in try connection.execute("SELECT 1") }?.isConnectionLost == true)
    }
}
