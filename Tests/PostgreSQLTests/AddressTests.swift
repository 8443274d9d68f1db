import Testing

@testable import PostgreSQL

/// The address of a database, which may hold a password, and tells none.
struct AddressTests {
    @Test(arguments: [
        ("postgresql://gate@db.example:5433/gatehouse", "database \"gatehouse\" at db.example:5433"),
        ("postgres://db.example/gatehouse", "database \"gatehouse\" at db.example"),
        ("postgresql://u:s3cret@db.example/gatehouse?sslmode=verify-full&password=s3cret2", "database \"gatehouse\" at db.example"),
        ("postgresql://", "the user's database"),
        ("postgresql:///gatehouse", "database \"gatehouse\""),
        ("postgresql://%2Frun%2Fpostgresql/gatehouse", "database \"gatehouse\" at the socket in /run/postgresql"),
        ("postgresql:///gatehouse?host=/run/postgresql", "database \"gatehouse\" at the socket in /run/postgresql"),
        ("postgresql://u:s3cret@one:1,two,[::1]:3/gatehouse", "database \"gatehouse\" at one:1 or two:5432 or [::1]:3"),
        ("postgresql://u:p%40s3cret%2F%25@db.example/gatehouse", "database \"gatehouse\" at db.example"),
    ])
    func anAddressIsDescribedByItsServers(_ url: String, words: String) throws {
        let address = try PostgresAddress(url)
        #expect(address.description == words)
        var dumped = ""
        dump(address, to: &dumped)
        for text in [
            "\(address)", String(reflecting: address), dumped, "\(Mirror(reflecting: address).children.map { $0 })", "\([address])",
        ] {
            #expect(!text.contains("s3cret"), "\(text)")
        }
    }

    @Test(arguments: [
        ("postgresql://gate@db.example/gatehouse?sslmode=verify-full&passfile=/etc/gatehouse/pgpass", false), ("postgresql://", false),
        ("postgresql://u:@db.example/gatehouse", false), ("postgresql://u:s3cret@db.example/gatehouse", true),
        ("postgresql://u@db.example/gatehouse?password=s3cret", true), ("postgresql://u@db.example/gatehouse?sslpassword=s3cret", true),
    ])
    func aPasswordInItIsKnown(_ url: String, holdsPassword: Bool) throws {
        #expect(try PostgresAddress(url).holdsPassword == holdsPassword)
    }

    /// Passwords that were not written as a URL has them end somewhere else; nothing of them is repeated.
    @Test(arguments: [
        "", "db.example", "host=db.example password=s3cret", "mysql://u:s3cret@db.example/gatehouse", "Postgresql://u:s3cret@db/gatehouse",
        "postgresql://u:s3cret%zz@db.example/gatehouse", "postgresql://u:s3cret%@db.example/gatehouse",
        "postgresql://u:a@s3cret@db.example/gatehouse",
        "postgresql://u:12/s3cret@db.example/gatehouse", "postgresql://u:a/s3cret@db.example/gatehouse", "postgresql://u:s3cret",
        "postgresql://u@db.example:s3cret/gatehouse", "postgresql://db.example/gatehouse?s3cret",
        "postgresql://db.example/gatehouse?s3cret=1",
        "postgresql://u@[s3cret@db.example/gatehouse", "postgresql://[s3cret/gatehouse", "postgresql://u:s3cret@db.example/\0gatehouse",
        "postgresql://u:s3cret@db.example/gatehouse?passwort=s3cret",
    ])
    func whatIsNoAddressIsRefusedInWordsOfOurOwn(_ url: String) {
        let error = thrown { () throws(PostgresError) in try PostgresAddress(url) }
        #expect(error?.kind == .invalidAddress)
        #expect(error.map { !"\($0)\($0.message)".contains("s3cret") } == true, "\(String(describing: error))")
    }

    @Test func whoseTextIsReadKeepsItsPlace() {
        let several = ConnectionParts("postgresql://one:1,two/gate")?.servers.map {
            $0.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        }
        #expect(several == ["host=one hostaddr= port=1", "host=two hostaddr= port=5432"])
        let shared = ConnectionParts("postgresql:///gate?host=one,two&port=7")?.servers.map {
            $0.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        }
        #expect(shared == ["host=one hostaddr= port=7", "host=two hostaddr= port=7"])
        #expect(ConnectionParts("postgresql:///gate")?.servers.count == 1)
        for (url, hasGaps) in [
            ("postgresql:///gate", false), ("postgresql://one/gate", false), ("postgresql://one,two:7/gate", false),
            ("postgresql://one,/gate", true),
            ("postgresql://,one/gate", true), ("postgresql://one,two/gate?hostaddr=10.0.0.1,", true),
        ] { #expect(ConnectionParts(url)?.hasGaps == hasGaps, "\(url)") }
    }

    @Test(arguments: [
        (
            "connection to server at \"db\" (10.0.0.1), port 5432 failed: Connection refused\n\tIs the server running on that host?\n",
            PostgresError.Kind.refused, nil
        ),
        ("connection to server on socket \"/run/x/.s.PGSQL.5432\" failed: No such file or directory\n", .refused, nil),
        (
            "connection failed: FATAL:  28P01: password authentication failed for user \"u\"\nLOCATION:  auth_failed, auth.c:335\n",
            .signInRefused, "28P01"
        ),
        (
            "… fehlgeschlagen: SCHWERWIEGEND:  3D000: Datenbank »x« existiert nicht\nORT:  InitPostgres, postinit.c:900\n",
            .unknownDatabase, "3D000"
        ),
        ("one failed: Connection refused\ntwo failed: FATAL:  53300: sorry, too many clients already\n", .tooManyConnections, "53300"),
        ("failed: FATAL:  57P03: the database system is starting up\n", .notReady, "57P03"),
        ("failed: fe_sendauth: no password supplied\n", .signInRefused, nil),
        ("could not translate host name \"db\" to address: Name or service not known\n", .unknownHost, nil),
        ("failed: server does not support SSL, but SSL was required\n", .tls, nil),
        ("failed: SSL error: certificate verify failed\n", .tls, nil),
        ("failed: root certificate file \"/root/.postgresql/root.crt\" does not exist\n", .tls, nil),
        ("failed: session is read-only\n", .unsupportedServer, nil),
        ("failed: expected authentication request from server, but received H\n", .unsupportedServer, nil),
        ("invalid sslmode value: \"maybe\"\n", .tls, nil),
        ("failed: Connection timed out\n", .unreachable, nil),
        (
            "failed: server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally\n", .connectionLost,
            nil
        ),
    ])
    func libpqsWordsAreUnderstood(_ words: String, kind: PostgresError.Kind, sqlState: String?) {
        let words = LibpqWords(words)
        let error = words.error(words.obstacle)
        #expect(error.kind == kind)
        #expect(error.sqlState == sqlState)
        #expect(!error.message.contains("\n"))
        #expect(!error.message.contains("LOCATION"))
    }
}
