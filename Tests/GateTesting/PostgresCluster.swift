import Foundation
import Glibc
import Synchronization

/// A real PostgreSQL for the tests, from Debian's package, in a temporary folder and on a Unix socket that nobody else knows.
/// Thread-safe.
///
/// The server runs as the user of the tests or, if that is root, which PostgreSQL refuses, as `postgres`. It ends with the process of the
/// tests, however that ends: a shell beside it reads from a socket whose other end only that process has.
package final class PostgresCluster: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Shared by all tests of the process that do not stop it; made at first use.
    package static func shared() throws -> PostgresCluster { try one.get() }

    private static let one = Result { try PostgresCluster() }

    /// Where the socket is; below it `data`.
    package let folder: String
    private let programs: String
    /// The words before a program that start it as the server's user; none if that is the tests' user.
    private let asOwner: [String]
    /// This process's end of the socket: when it closes, the shell ends the server.
    private let lifeline: Int32
    /// The shell that ends the server.
    private let shell: pid_t
    private let databases = Atomic<Int>(0)
    /// Part of the socket's name, and the TCP port if it listens on TCP.
    package let port: UInt16

    /// Makes a cluster and starts it; takes about two seconds.
    /// - Parameter isEncrypted: whether it listens on TCP too, on 127.0.0.1, with TLS and a certificate that nobody signed.
    package init(isEncrypted: Bool = false) throws {
        programs = try Self.installed()
        asOwner = geteuid() == 0 ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] : []
        folder = try Self.makeFolder(asOwner)
        port = isEncrypted ? try Self.freePort() : 5432
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Failure(description: "no sockets: \(String(cString: strerror(errno)))")
        }
        lifeline = ends[0]
        defer { close(ends[1]) }
        // Ctrl-C must end only the tests: the shell still has to stop the server.
        let script =
            "trap '' INT TERM HUP; cat > /dev/null; folder=$0; cd /; \"$@\" -D \"$folder/data\" -m immediate stop; rm -rf \"$folder\""
        shell = try SystemCommand.start(
            ["sh", "-c", script, folder] + asOwner + [programs + "/pg_ctl"],
            input: ends[1],
            output: nil
        )
        try owned(["initdb", "--no-sync", "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C", "-D", folder + "/data"])
        try configure(isEncrypted)
        try start()
        // For tests of passwords: the only user whom pg_hba.conf asks for one, by a method that was not the default before version 14.
        try run("SET password_encryption = 'scram-sha-256'; CREATE ROLE locked LOGIN PASSWORD 'right password'")
    }

    /// Waits until the server is gone. A process that nobody waits for stays in the system's table, and there the thread by which Swift
    /// Testing waits for exit tests' processes finds it again and again, and never gets to those after it.
    deinit {
        close(lifeline)
        while waitpid(shell, nil, 0) < 0, errno == EINTR {}
    }

    // MARK: Life

    package func start() throws { try owned(["pg_ctl", "-D", folder + "/data", "-w", "-t", "120", "-l", folder + "/log", "start"]) }

    /// Stops it like a crash: at once, without telling sessions and without a checkpoint.
    package func stopAtOnce() throws { try owned(["pg_ctl", "-D", folder + "/data", "-m", "immediate", "-w", "-t", "60", "stop"]) }

    /// Stops it like an administrator: sessions are told and ended.
    package func stopInOrder() throws { try owned(["pg_ctl", "-D", folder + "/data", "-m", "fast", "-w", "-t", "60", "stop"]) }

    // MARK: Databases

    /// An empty database of its own for one test.
    /// - Parameter options: as CREATE DATABASE takes them, such as a template.
    package func database(_ options: String = "") throws -> PostgresDatabase {
        let name = "test_\(databases.add(1, ordering: .relaxed).newValue)"
        try run("CREATE DATABASE \(name) \(options)")
        return PostgresDatabase(name: name, cluster: self)
    }

    /// Runs SQL as the server's administrator.
    @discardableResult
    package func run(_ sql: String, in database: String = "postgres") throws -> String {
        try owned([
            "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", folder, "-p", "\(port)", "-U", "postgres", "-d", database, "-c",
            sql,
        ])
    }

    /// The server's major version.
    package func version() throws -> Int {
        let number = try run("SHOW server_version_num").trimmingCharacters(in: .whitespacesAndNewlines)
        return try Int(number).map { $0 / 10_000 } ?? { throw Failure(description: "a server of version \(number)") }()
    }

    /// Ends sessions as an administrator does, and waits until they are gone.
    /// - Parameter which: a condition on `pg_stat_activity`'s columns, such as `pid = 12`.
    package func end(sessions which: String) throws {
        try run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(which)")
        try blockUntil("no session is left where \(which)") { try run("SELECT count(*) FROM pg_stat_activity WHERE \(which)") == "0\n" }
    }

    /// Copies a database into an empty one as somebody would who restores a backup: with `pg_dump` and `psql`.
    package func restore(_ database: PostgresDatabase, into other: PostgresDatabase) throws {
        let at = "-h '\(folder)' -p \(port) -U postgres"
        let script = "'\(programs)/pg_dump' \(at) \(database.name) | '\(programs)/psql' -X -q -v ON_ERROR_STOP=1 \(at) -d \(other.name)"
        try owned(["sh", "-c", script + " > /dev/null"], isProgram: false)
    }

    /// `postgresql://postgres@%2Fdev%2Fshm…:5432/test_1`
    package func url(database: String, user: String = "postgres") -> String {
        "postgresql://\(user)@\(folder.replacing("/", with: "%2F")):\(port)/\(database)"
    }

    /// The path of the server's socket, for code that does not use libpq.
    package var socket: String { "\(folder)/.s.PGSQL.\(port)" }

    // MARK: Making

    /// The newest version that Debian's packages installed; there can be several.
    private static func installed() throws -> String {
        let root = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []  // no such folder: none is installed
        let found = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
            .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
        guard let found else {
            throw Failure(description: "PostgreSQL's server is not installed (Debian's package postgresql, which deploy/test installs)")
        }
        return found
    }

    /// In memory, in the system's temporary folder, or in /tmp if the server's user has no access to that. Its path is short, since a
    /// socket's path has at most 107 bytes.
    private static func makeFolder(_ asOwner: [String]) throws -> String {
        let name = "/gh-" + UUID().uuidString.prefix(8).lowercased()
        var failure: any Error = Failure(description: "no temporary folder")
        for parent in memory + [FileManager.default.temporaryDirectory.path, "/tmp"] where parent.utf8.count < 70 {
            let folder = parent + name
            do {
                try FileManager.default.createDirectory(
                    atPath: folder,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                if !asOwner.isEmpty { try SystemCommand.run(["chown", "postgres:postgres", folder]) }
                try SystemCommand.run(asOwner + ["test", "-w", folder])
                return folder
            } catch {
                failure = error
                // Not made, or of no use: the next place is tried.
                try? FileManager.default.removeItem(atPath: folder)
            }
        }
        throw failure
    }

    /// A file system in memory with room for it: fsync stays on but costs no time there, and no test simulates a power cut.
    private static var memory: [String] {
        var figures = statvfs()
        guard statvfs("/dev/shm", &figures) == 0, figures.f_bavail * figures.f_bsize >= 4 << 30 else { return [] }
        return ["/dev/shm"]
    }

    private func configure(_ isEncrypted: Bool) throws {
        var settings = [
            "port = \(port)", "unix_socket_directories = '\(folder)'", "listen_addresses = '\(isEncrypted ? "127.0.0.1" : "")'",
            // fsync and synchronous_commit stay on, as by default, so its guarantees hold here too. Only what is around them is
            // made cheap.
            "fsync = on", "synchronous_commit = on", "full_page_writes = off", "wal_level = minimal", "max_wal_senders = 0",
            "max_wal_size = 256MB",
            "shared_buffers = 32MB", "max_connections = 200", "autovacuum = off", "jit = off", "log_timezone = UTC", "timezone = UTC",
        ]
        if isEncrypted {
            settings += ["ssl = on", "ssl_cert_file = '\(folder)/tls.crt'", "ssl_key_file = '\(folder)/tls.key'"]
            let request = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
            try SystemCommand.run(asOwner + request + ["-keyout", folder + "/tls.key", "-out", folder + "/tls.crt"])
        }
        try append(settings, to: "data/postgresql.conf")
        // The first matching line counts, so the old ones are removed.
        try owned(["sh", "-c", ": > \"$0\"", folder + "/data/pg_hba.conf"], isProgram: false)
        try append(
            ["local all locked scram-sha-256", "local all all trust", "hostssl all all 127.0.0.1/32 trust"],
            to: "data/pg_hba.conf"
        )
    }

    private func append(_ lines: [String], to file: String) throws {
        try owned(["sh", "-c", "printf '%s\\n' \"$@\" >> \"$0\"", folder + "/" + file] + lines, isProgram: false)
    }

    /// Runs a program as the server's user.
    @discardableResult
    private func owned(_ words: [String], isProgram: Bool = true) throws -> String {
        // initdb and pg_ctl complain about a working directory that their user may not read.
        let start = ["env", "-C", folder] + asOwner
        return try SystemCommand.run(start + (isProgram ? [programs + "/" + words[0]] : [words[0]]) + words.dropFirst())
    }

    /// A port that was free a moment ago.
    private static func freePort() throws -> UInt16 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard found else { throw Failure(description: "no free port: \(String(cString: strerror(errno)))") }
        return UInt16(bigEndian: address.sin_port)
    }
}
