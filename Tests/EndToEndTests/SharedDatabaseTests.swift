import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// Real servers on one database of PostgreSQL.
@Suite(.timeLimit(.minutes(5))) struct SharedDatabaseTests {
    private static let feed = "/feeds/shop/launchgate.json"

    private func withShop(_ servers: [Server]) async throws {
        for server in servers { _ = try await server.checked() }
        try await servers[0].client().addShop()
    }

    /// Waits until a server's feed says so.
    private func wait(_ server: Server, for text: String) async throws {
        try await waitUntil("the feed says \(text)", pause: .milliseconds(1)) { try await server.feedText(Self.feed).contains(text) }
    }

    private static let dutyLine = "this server does what the clock asks for"

    @Test func threeServersAreOne() async throws {
        let database = try PostgresCluster.shared().database()
        let servers = try await Server.sharing(database, count: 3)
        try await withShop(servers)
        let log = try servers[0].log
        #expect(log.contains(#""database":"database \"\#(database.name)\" at the socket in "#), "\(log)")

        // Whoever asks any of them, in turn, is answered by one history.
        var times: [Duration] = []
        for round in 0..<30 {
            let writer = servers[round % 3]
            let message = "Message \(round)."
            let answer = try await writer.client().kill(message, at: round + 1)
            let answered = ContinuousClock.now
            #expect(answer.change?.targets.first?.revision == round + 2)
            for server in servers where server !== writer { try await wait(server, for: message) }
            times.append(ContinuousClock.now - answered)
        }
        times.sort()
        print("after the 2xx on one server both others' feeds have it: p50 \(times[15]), p97 \(times[29])")

        // The one that has the duty dies before the window.
        let start = try ZonedTime(at: Timestamp.now.advanced(bySeconds: 4), zone: "UTC")
        let target = TargetRef(app: "shop", platform: "android", revision: 1)
        let edit = GateEdit([.killSwitch: ["message": .string("The window.")]])
        let made = try await servers[1].client().createWindow(WindowRequest(targets: [target], set: edit, start: start))
        let holder = try #require(servers.firstIndex { (try? $0.log.contains(Self.dutyLine)) == true })
        await servers[holder].kill()
        let others = servers.indices.filter { $0 != holder }.map { servers[$0] }
        let due = ContinuousClock.now + .milliseconds(max(0, start.at.milliseconds - Timestamp.now.milliseconds))
        for server in others { try await wait(server, for: "The window.") }
        print("the window of a server that was killed is in the others' feeds \(ContinuousClock.now - due) after its moment")
        let id = made.window.id
        try await waitUntil("the window is done") { try await others[0].client().window(id).state == .done }

        let page = try await others[0].client().changes([("limit", "100")])
        #expect(page.items.map(\.sequence) == Array((1...page.items.count).reversed()))
        #expect(page.items.filter { $0.source == .schedule }.count == 1)
        #expect(try await others[0].feedText(Self.feed) == others[1].feedText(Self.feed))
        for server in others {
            #expect(try await server.client().status().health.state == .ok)
            let log = try server.log
            #expect(!log.contains(#""level":"error""#), "\(log)")
        }
        let status = try await others[0].client().status()
        #expect(status.servers.map(\.name) == ["server-0", "server-1", "server-2"])
        let gone = try #require(status.servers.first { $0.name == "server-\(holder)" })
        #expect(gone.silentSeconds >= 1)
        try await waitUntil("\(gone.name) is silent for more than 3 s") {
            try await (others[0].client().status().servers.first { $0.name == gone.name }?.silentSeconds ?? 0) > 3
        }
        let metrics = String(decoding: try await others[0].client().raw("/metrics").body, as: UTF8.self)
        for server in status.servers { #expect(metrics.contains(#"gatehouse_server_silent_seconds{server="\#(server.name)"} "#)) }
        let gatectl = try Gatectl(others[0])
        let told = try await gatectl("status").err
        #expect(told.contains("Servers: server-") && told.contains("server-\(holder) was not heard of for "), "\(told)")
        let named = try await gatectl("status", "--json").json()["servers"]?.array?.compactMap { $0["name"]?.string }
        #expect(named == ["server-0", "server-1", "server-2"])
        // From the folder of the one that was killed; the others go on.
        let verified = try await servers[holder].gatehouse("verify", "--database", database.url)
        #expect(verified.status == 0, "\(verified)")
        try await servers[holder].start()
        try await wait(servers[holder], for: "The window.")
        for server in servers { #expect(await server.stop() == 0) }
    }

    /// It knows of no window, since it cannot tell who wrote them.
    @Test func aServerWithoutTheKeysLeavesTheClocksWorkToOneThatHasThem() async throws {
        let database = try PostgresCluster.shared().database()
        let one = try await Server.sharing(database, count: 1)[0]
        try await withShop([one])
        let bare = Server(
            folder: try TemporaryFolder(),
            token: one.token,
            options: ["--database", database.url, "--server-name", "bare"]
        )
        try await bare.start()
        try await waitUntil("it says what it lacks") { try await bare.ready().contains("rows.key is missing") }
        #expect(await one.stop() == 0)
        try await waitUntil("it takes the duty all the same") { try bare.log.contains(Self.dutyLine) }
        try await one.start()
        _ = try await one.checked()
        let start = try ZonedTime(at: Timestamp.now.advanced(bySeconds: 2), zone: "UTC")
        let target = TargetRef(app: "shop", platform: "android", revision: 1)
        let edit = GateEdit([.killSwitch: ["message": .string("The window.")]])
        _ = try await one.client().createWindow(WindowRequest(targets: [target], set: edit, start: start))
        try await wait(one, for: "The window.")
        #expect(try await one.client().status().health.state == .ok)
        #expect(try bare.log.contains("this server leaves what the clock asks for to another"))
        for server in [one, bare] { #expect(await server.stop() == 0) }
    }

    /// Sign-outs, revoked tokens and what else ends, ends everywhere.
    @Test func aTokenThatIsRevokedAtOneServerOpensNoOther() async throws {
        let database = try PostgresCluster.shared().database()
        let servers = try await Server.sharing(database, count: 2)
        // Stopped and dropped with their values, which an optimised build ends after their last use.
        defer { withExtendedLifetime((database, servers)) {} }
        for server in servers { _ = try await server.checked() }
        let made = try await servers[0].client().createToken(TokenRequest(name: "second", role: .admin))
        func client(_ server: Server) throws -> AdminClient {
            AdminClient(server: try #require(ServerAddress(server.admin)), token: BearerToken(made.text), source: "api")
        }
        _ = try await client(servers[1]).createApp(AppRequest(key: "shop", name: "Shop"))
        try await servers[0].client().revokeToken(made.listed.id)
        let refused = await #expect(throws: AdminClientError.self) {
            _ = try await client(servers[1]).createApp(AppRequest(key: "bank", name: "Bank"))
        }
        #expect(refused?.status == 401)
        #expect(try await servers[1].client().apps().map(\.key.text) == ["shop"])
    }

    /// What is counted at one server is told by all of them: reach, versions, plans, and `--wait` at one that nobody polls.
    @Test func theReachIsTheSumOfAllServers() async throws {
        let database = try PostgresCluster.shared().database()
        let servers = try await Server.sharing(database, count: 2)
        // Stopped and dropped with their values, which an optimised build ends after their last use.
        defer { withExtendedLifetime((database, servers)) {} }
        try await withShop(servers)
        let path = "/feeds/shop/ios/bellerophon.json"
        func poll(_ server: Server, _ query: String = "", having tag: String? = nil) -> String {
            let header = tag.map { "If-None-Match: \($0)\r\n" } ?? ""
            return StubServer.ask(server.feeds, "GET \(path)\(query) HTTP/1.1\r\nHost: phones\r\n\(header)Connection: close\r\n\r\n")
        }
        func tag(of answer: String) throws -> String {
            let line = try #require(answer.split(separator: "\r\n").first { $0.lowercased().hasPrefix("etag: ") })
            return String(line.dropFirst(6))
        }
        func reach(_ server: Server) async throws -> [Int]? {
            try await server.client().target("shop", "ios").reach.map { [$0.confirmed, $0.replaced, $0.fetched] }
        }
        func wait(for expected: [Int], at servers: [Server]) async throws {
            for server in servers {
                try await waitUntil("the reach is \(expected)") { try await reach(server) == expected }
            }
        }
        let begun = ContinuousClock.now
        // Before that server has heard of the app there is nothing to count.
        try await waitUntil("the second server knows the app") { poll(servers[1]).hasPrefix("HTTP/1.1 200 ") }
        let open = try tag(of: poll(servers[0]))
        #expect(poll(servers[0], having: open).hasPrefix("HTTP/1.1 304 "))
        for _ in 0..<3 { #expect(poll(servers[1], having: open).hasPrefix("HTTP/1.1 304 "), "The feeds are the same.") }
        _ = poll(servers[1], having: #""older""#)
        try await wait(for: [4, 1, 2], at: servers)
        for server in servers {
            let reach = try await server.client().target("shop", "ios").reach
            #expect(reach?.feeds == [.bellerophon])
            // On a machine that was held up the minute may be over.
            guard ContinuousClock.now - begun < .seconds(50) else { continue }
            #expect(reach?.pollsPerMinute == 7)
            #expect(reach?.share == 0.8)
        }

        // The versions, and what a plan says of them.
        _ = poll(servers[0], "?version=4.0.0")
        for version in ["4.0.0", "4.1.0", "4.1.0"] { _ = poll(servers[1], "?version=\(version)") }
        try await wait(for: [4, 1, 6], at: servers)
        for server in servers {
            let gatectl = try Gatectl(server)
            try await waitUntil("four polls with a version are counted") {
                try await gatectl("reach", "shop", "ios", "--versions", "--json").json()["polls"]?.integer == 4
            }
            let versions = try await gatectl("reach", "shop", "ios", "--versions", "-o", "plain")
            #expect(versions.out == "4.0.0\t2\t50 %\n4.1.0\t2\t50 %\n", "\(versions)")
            let plan = try await gatectl("require", "shop", "ios", "4.1.0", "-m", "Update.", "-n", "--json")
            #expect(plan.out.contains("Blocks 50 % of the polls of the last hour on shop/ios: 4.0.0 (50 %)."), "\(plan)")
        }

        // What a server counted before its end counts once: not while it is gone, nor when it has read its own counts again.
        #expect(await servers[1].stop() == 0)
        try await wait(for: [4, 1, 6], at: [servers[0]])
        try await servers[1].start()
        _ = poll(servers[1], having: open)
        try await wait(for: [5, 1, 6], at: servers)

        // Nobody polls the server at which it is waited for.
        let outcome = Task {
            try await Gatectl(servers[0])("kill", "shop", "ios", "-m", "Back.", "-y", "--wait", "100%", "--wait-limit", "2m", "--json")
        }
        try await waitUntil("the second server's feed says the kill") { poll(servers[1]).contains(#""apiInactive":true"#) }
        let present = try tag(of: poll(servers[1]))
        for _ in 0..<3 { _ = poll(servers[1], having: present) }
        let killed = try await outcome.value
        #expect(killed.status == 0, "\(killed)")
        #expect(try killed.json()["wait.reached"] == .bool(true))
        for server in servers {
            #expect(await server.stop() == 0)
            let log = try server.log
            #expect(!log.contains(#""level":"error""#), "\(log)")
        }
    }

    /// As when both machines are switched on at once.
    @Test func aFirstStartBesideADatabaseThatIsNotUpYetHasItsSetUpLinkLater() async throws {
        let cluster = try PostgresCluster()
        let database = try cluster.database()
        try cluster.stopInOrder()
        let folder = try TemporaryFolder()
        let out = folder.path + "/out"
        #expect(FileManager.default.createFile(atPath: out, contents: nil))
        let server = Server(folder: folder, token: "", options: ["--database", database.url])
        try await server.start(standardOutput: FileHandle(forWritingAtPath: out))
        #expect(try !String(contentsOfFile: out, encoding: .utf8).contains("setup"))
        try cluster.start()
        try await waitUntil("the link of the set-up is written") { try String(contentsOfFile: out, encoding: .utf8).contains("/#/setup/") }
        #expect(try await server.ready().contains(#""ok""#))
        #expect(await server.stop() == 0)
    }

    /// The phones' five seconds at the end are not spent on a database that has fallen silent.
    @Test func aServerEndsInTimeWhileItsDatabaseIsSilent() async throws {
        let cluster = try PostgresCluster()
        let database = try cluster.database()
        let server = try await Server.sharing(database, count: 1)[0]
        _ = try await server.checked()
        let sessions = try cluster.run("SELECT pid FROM pg_stat_activity WHERE datname = '\(database.name)'")
        let postmaster = try String(contentsOfFile: cluster.folder + "/data/postmaster.pid", encoding: .utf8).split(separator: "\n")[0]
        let processes = (sessions.split(separator: "\n") + [postmaster]).compactMap { pid_t($0) }
        for process in processes { kill(process, SIGSTOP) }
        defer { for process in processes { kill(process, SIGCONT) } }
        try await waitUntil("the server says that its database is silent") {
            try await String(decoding: server.client().raw("/healthz/ready").body, as: UTF8.self).contains("not reachable")
        }
        let begun = ContinuousClock.now
        #expect(await server.stop() == 0)
        #expect(ContinuousClock.now - begun < .seconds(10))
    }

    @Test func theDatabaseGoesAndComesBack() async throws {
        let cluster = try PostgresCluster()
        let database = try cluster.database()
        let servers = try await Server.sharing(database, count: 2)
        try await withShop(servers)
        _ = try await servers[0].client().kill("Back at nine.", at: 1)
        for server in servers { try await wait(server, for: "Back at nine.") }
        try cluster.stopAtOnce()
        for server in servers {
            try await waitUntil("the server says that its database is gone") {
                try await server.ready().contains("database: not reachable since 2")
            }
            #expect(try await server.feedText(Self.feed).contains("Back at nine."))
            let asked = ContinuousClock.now
            let refused = StubServer.ask(
                server.admin,
                "GET /api/v1/apps HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(server.token)\r\nConnection: close\r\n\r\n"
            )
            #expect(refused.hasPrefix("HTTP/1.1 503 "), "\(refused)")
            #expect(ContinuousClock.now - asked < .seconds(2))
        }
        try cluster.start()
        for server in servers {
            try await waitUntil("the server says that its database is back") { try await !server.ready().contains("database: ") }
        }
        _ = try await servers[1].client().kill("Back at ten.", at: 2)
        for server in servers { try await wait(server, for: "Back at ten.") }
        for server in servers { #expect(await server.stop() == 0) }
        #expect(try await servers[0].gatehouse("verify", "--database", database.url).status == 0)
    }
}
