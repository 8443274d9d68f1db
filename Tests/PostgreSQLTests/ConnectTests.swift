import GateTesting
import Glibc
import PostgreSQL
import Testing

/// Why a connection is not made, told apart; and that nothing tells the password.
@Suite(.timeLimit(.minutes(2)))
struct ConnectTests {
    private static func failure(_ url: String, within: Duration = .seconds(5)) throws -> PostgresError {
        var options = PostgresOptions()
        options.connectTimeout = within
        let error = try #require(thrown { () throws(PostgresError) in try PostgresConnection(to: PostgresAddress(url), options) })
        #expect(!"\(error) \(error.message) \(error.detail ?? "") \(error.hint ?? "")".contains("s3cret"), "\(error)")
        #expect(!error.mayHaveBeenCarriedOut)
        return error
    }

    @Test func eachObstacleHasItsKind() throws {
        let database = try PostgresCluster.shared().database()
        let cluster = database.cluster
        let socket = cluster.folder.replacing("/", with: "%2F")
        let cases: [(String, PostgresError.Kind)] = [
            (database.url(user: "locked:s3cret"), .signInRefused),
            (database.url(user: "locked"), .signInRefused),
            (database.url(user: "nobody"), .signInRefused),
            (cluster.url(database: "nowhere", user: "postgres:s3cret"), .unknownDatabase),
            ("postgresql://u:s3cret@\(socket)%2Fnone/gate", .refused),
            ("postgresql://u:s3cret@127.0.0.1:9/gate", .refused),
            ("postgresql://u:s3cret@no-such-host.invalid/gate", .unknownHost),
            ("postgresql://u:s3cret@127.0.0.1:9/gate?sslmode=maybe", .tls),
            ("postgresql://u:s3cret@127.0.0.1:9/gate?keepalives=maybe", .invalidAddress),
            ("postgresql://u:s3cret@127.0.0.1:99999/gate", .invalidAddress),
            ("postgresql://u:s3cret@127.0.0.1:9,127.0.0.2:9/gate", .refused),
            ("postgresql://u:s3cret@127.0.0.1:9,/gate", .invalidAddress),
            ("postgresql://u:s3cret@/gate?host=127.0.0.1,127.0.0.1,127.0.0.1&port=9,9", .invalidAddress),
        ]
        for (url, kind) in cases {
            let error = try Self.failure(url)
            #expect(error.kind == kind, "\(url): \(error)")
        }
        // The right one gets in, by the address or by libpq's own file.
        _ = try PostgresConnection(to: PostgresAddress(database.url(user: "locked:right%20password")))
        let folder = try TemporaryFolder()
        let file = try folder.file("pgpass", "*:*:*:locked:right password\n")
        _ = try PostgresConnection(to: PostgresAddress(database.url(user: "locked") + "?passfile=\(file.replacing("/", with: "%2F"))"))
    }

    @Test func whoIsTooManyIsToldSo() throws {
        let database = try PostgresCluster.shared().database()
        try database.cluster.run("ALTER DATABASE \(database.name) CONNECTION LIMIT 1; CREATE ROLE guest_\(database.name) LOGIN")
        let url = database.url(user: "guest_\(database.name)")
        let connection = try PostgresConnection(to: PostgresAddress(url))
        #expect(try Self.failure(url).kind == .tooManyConnections)
        #expect(connection.isAlive)
        connection.close()
        try database.cluster.run("DROP ROLE guest_\(database.name)")
    }

    @Test func withoutTLSWhereItIsAskedForThereIsNoConnection() throws {
        let database = try PostgresCluster.shared().database()
        let proxy = try TestProxy(to: database.cluster.socket)
        defer { proxy.end() }
        #expect(try Self.failure("postgresql://postgres:s3cret@127.0.0.1:\(proxy.port)/\(database.name)?sslmode=require").kind == .tls)
        _ = try PostgresConnection(to: PostgresAddress("postgresql://postgres@127.0.0.1:\(proxy.port)/\(database.name)?sslmode=prefer"))
    }

    /// Who accepts and says nothing, as a server that is stopped does.
    @Test func aSilentServerIsGivenUpAndTheNextOneAsked() throws {
        let database = try PostgresCluster.shared().database()
        let proxy = try TestProxy(to: database.cluster.socket)
        defer { proxy.end() }
        proxy.fallSilent()
        let began = SuspendingClock.now
        #expect(
            try Self.failure("postgresql://postgres:s3cret@127.0.0.1:\(proxy.port)/\(database.name)", within: .milliseconds(300)).kind
                == .unreachable
        )
        #expect(SuspendingClock.now - began < .seconds(30))
        var options = PostgresOptions()
        let speaking = try TestProxy(to: database.cluster.socket)
        defer { speaking.end() }
        let hosts = "127.0.0.1:\(proxy.port),127.0.0.1:9,127.0.0.1:\(speaking.port)"
        let url = "postgresql://postgres@\(hosts)/\(database.name)?sslmode=disable&target_session_attrs=read-write"
        // A busy machine may need longer for the one that speaks.
        options.connectTimeout = .seconds(5)
        let connection = try PostgresConnection(to: PostgresAddress(url), options)
        #expect(connection.isAlive)
        // Of all the servers, the one that answered is told of.
        #expect(
            try Self.failure("postgresql://postgres@127.0.0.1:9,127.0.0.1:\(speaking.port)/nowhere?sslmode=disable").kind
                == .unknownDatabase
        )
        // The address itself may say how long.
        #expect(
            try Self.failure("postgresql://postgres@127.0.0.1:\(proxy.port)/gate?connect_timeout=1", within: .seconds(600)).message
                .contains("1 s")
        )
    }

    @Test func aServerThatIsNoneOfPostgreSQLsIsNotBelieved() throws {
        let cluster = try PostgresCluster.shared()
        // The socket's own file is there, and nobody listens: as after a crash.
        let folder = try TemporaryFolder()
        let path = folder.path + "/.s.PGSQL.5432"
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < 100)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
        #expect(bound == 0)
        close(listener)
        #expect(try Self.failure("postgresql://u:s3cret@\(folder.path.replacing("/", with: "%2F"))/gate").kind == .refused)
        #expect(cluster.port == 5432)
    }
}
