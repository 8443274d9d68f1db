import ArgumentParser
import Foundation
import GateCrypto
import GateHTTP
import GateJSON
import GateModel
import GateServer
import GateService
import GateStore
import Logging
import MicroHTTP

/// One running server: opens ``ServerCore`` and ``ServerParts``, listens, and waits for its end, which is ``Shutdown``.
struct ServerProcess {
    private let settings: ServeSettings
    private let log: Logger
    private let lines: LogQueue
    private let refusals: RefusalLog

    init(_ settings: ServeSettings) {
        self.settings = settings
        let lines = LogQueue { count in
            JSONLines.line(
                .warning,
                "\(count) lines of the log were dropped: standard error took no more",
                ["dropped": .stringConvertible(Int(count))]
            )
        }
        LoggingSystem.bootstrap { _ in JSONLines(queue: lines) }
        self.lines = lines
        log = Logger(label: "gatehouse")
        refusals = RefusalLog(log)
    }

    func run() throws {
        Signals.hold()
        lines.start()
        // However this ends, the last lines get out, if anybody reads them.
        defer { lines.flush(patience: .seconds(2)) }
        tellUnknownVariables()
        let sqlite = try SQLiteRelease.loaded()
        guard sqlite.isSupported || settings.database != nil else {
            throw StoreCommand.failure("SQLite \(sqlite) is loaded; 3.37 or newer is needed")
        }
        let places = places()
        let core = try ServerCore(settings, log: log)
        let parts = try ServerParts(settings, of: core, log: log)
        let (admin, feeds) = try listen(core, parts, places)
        // Windows that came due while the server was down are carried out as soon as the history has been checked.
        let scheduler = Scheduler(ScheduleService(ledger: core.ledger), now: { .now }, isOnDuty: { parts.watch?.hasDuty ?? true })
        announce(admin: admin, feeds: feeds, access: core.access, sqlite: sqlite)
        let names = SharedName(settings.serverName, log: log)
        let keepers = Keepers(core, parts) {
            names.look(at: parts.watch)
            // A first start beside a database that was not up yet has its set-up link only now.
            if core.opener.keepTrying() { tellReady(admin: admin, feeds: feeds, access: core.access, isAgain: true) }
            refusals.tell()
        }
        let shutdown = Shutdown(admin: admin, feeds: feeds, scheduler: scheduler, keepers: keepers, core: core, parts: parts)
        let signal = Signals.wait { hangUp([admin, feeds]) }
        log.info("stopping", metadata: ["signal": "\(signal)"])
        shutdown.run()
        core.failures.settle()
        refusals.tell(all: true)
        // What an unfinished backup has written. Whatever a kill leaves is removed at the next start.
        PassingFiles.removeAll()
        log.info("stopped")
    }

    /// By their names alone: what somebody has put into the wrong variable may be a secret.
    private func tellUnknownVariables() {
        for unknown in settings.unknownVariables {
            var details: Logger.Metadata = ["variable": "\(unknown.name.prefix(100))"]
            if let meant = unknown.meant { details["meant"] = "\(meant)" }
            log.warning("a variable of the environment is not known and has no effect; look for a spelling mistake", metadata: details)
        }
    }

    /// How many connections there is room for.
    private func places() -> Places {
        let places = Places(descriptors: DescriptorLimit.raise())
        if places.isShort {
            log.warning(
                "the limit of open files leaves room for \(places.feeds) connections of phones instead of \(Places.wantedFeeds); raise it (ulimit -n, LimitNOFILE)"
            )
        }
        return places
    }

    private var isSecure: Bool { settings.tls != nil || settings.origin?.hasPrefix("https:") == true }

    /// Starts both listeners, the feeds' first; if one cannot start, none runs.
    private func listen(_ core: ServerCore, _ parts: ServerParts, _ places: Places) throws -> (admin: HTTPServer, feeds: HTTPServer) {
        let listeners = Listeners()
        let metrics = Metrics(
            ledger: core.ledger,
            backups: parts.backups,
            version: Release.current.description,
            connections: listeners.connections,
            logLosses: { [lines, refusals] in (lines.droppedCount, refusals.withheldCount) },
            process: { [data = settings.data] in .now(dataFolder: data) },
            objects: { parts.objects?.figures },
            servers: parts.servers
        )
        let notices = Notices { [log] message, details in log.warning("\(message)", metadata: details.mapValues { "\($0)" }) }
        let hosts = OwnHosts(listening: settings.admin.address, origins: settings.origins)
        let responder = try responder(services(core, parts, metrics, listeners, notices), core.table)
        let feedsResponder = FeedsResponder(table: core.table, rehearsals: parts.rehearsals)
        let feeds = try listen(
            settings.feeds,
            responder: MeteredResponder(feedsResponder, metrics: metrics.feeds, log: nil),
            isFeeds: true,
            places: places.feeds
        )
        let admin: HTTPServer
        do {
            admin = try listen(
                settings.admin,
                responder: MeteredResponder(responder, metrics: metrics.admin, log: refusals.note),
                isFeeds: false,
                places: places.admin
            ) { host, target in
                let isOwn = hosts.accepts(host, target: target)
                if !isOwn { notices.turnedAway(host: host) }
                return isOwn
            }
        } catch {
            feeds.stop()
            throw error
        }
        if !isSecure, settings.proxies == .none {
            log.warning(
                "the dashboard is reached by plain http: its cookie is gh_session, without Secure; give --tls-certificate, or --origin https://... behind a proxy"
            )
        }
        listeners.set(admin: admin, feeds: feeds)
        return (admin, feeds)
    }

    private func services(
        _ core: ServerCore,
        _ parts: ServerParts,
        _ metrics: Metrics,
        _ listeners: Listeners,
        _ notices: Notices
    ) -> Services {
        // Behind a proxy, phones do not poll this machine's port; only whoever set up the proxy knows which address they poll.
        let isBehindProxy = settings.origin != nil || settings.proxies != .none
        return Services(
            ledger: core.ledger,
            access: core.access,
            version: Release.current.description,
            isSecure: isSecure,
            rehearsals: RehearsalService(ledger: core.ledger, random: core.random, stage: parts.rehearsals),
            reach: parts.reach.tracker,
            backups: parts.backups,
            metrics: metrics,
            feedsPort: { isBehindProxy ? nil : listeners.feedsPort() },
            servers: parts.servers,
            notices: notices,
            proxySignIn: settings.proxySignIn
        )
    }

    /// The admin listener's answers, and the dashboard's files.
    private func responder(_ services: Services, _ table: FeedTable) throws -> AdminResponder {
        let files = try StaticFiles(
            folder: settings.publicFolder,
            headers: HeaderSet.file,
            pages: HeaderSet.page,
            lasting: HeaderSet.lasting
        ) {
            SHA256Digest(of: $0).hexadecimal(ofFirst: 16)
        }
        for skipped in files.skipped { log.warning("not served: \(skipped)") }
        return try AdminResponder(services: services, files: files, table: table, origins: settings.origins, proxies: settings.proxies)
    }

    /// Reads again what a running server can: the certificate of both listeners. The log is standard error, and keys are read whenever they
    /// are needed. If the new certificate is not accepted, the one in use stays.
    private func hangUp(_ listeners: [HTTPServer]) {
        guard settings.tls != nil else { return log.notice("SIGHUP: there is nothing to read anew") }
        do {
            guard let tls = try settings.certificateNow() else { return }
            let files = HTTPServer.TLSFiles(certificate: tls.certificate, key: tls.key)
            for listener in listeners { try listener.replace(files) }
            log.notice("SIGHUP: the certificate was read anew", metadata: ["certificate": "\(settings.tlsFiles?.certificate ?? "")"])
        } catch {
            log.error(
                "SIGHUP: the new certificate is not taken, the one in use stays",
                metadata: [
                    "cause": "\(error)",
                    "remedy": "Put a certificate chain and its key in place, both in PEM, then: systemctl reload gatehouse",
                ]
            )
        }
    }

    private func listen(
        _ address: ListenAddress,
        responder: any HTTPResponder,
        isFeeds: Bool,
        places: Int,
        acceptsHost: (@Sendable (String, String) -> Bool)? = nil
    ) throws -> HTTPServer {
        let cores = max(2, ProcessInfo.processInfo.activeProcessorCount)
        let configuration = HTTPServer.Configuration(
            address: address.address,
            port: address.port,
            workers: isFeeds ? cores : 4,
            connectionLimit: places,
            connectionMemoryBytes: isFeeds ? 8_192 : 16_384,
            // A pointless body costs nothing to refuse; feeds take none.
            maximumBodyBytes: isFeeds ? 0 : 262_144,
            idleTimeout: .seconds(isFeeds ? 15 : 30),
            backlog: isFeeds ? 4_096 : 128,
            acceptsHost: acceptsHost,
            // Phones poll the feeds listener; a feed on the admin listener is read by the dashboard, gatectl or a person having a look.
            countsPolls: isFeeds,
            tls: settings.tls.map { HTTPServer.TLSFiles(certificate: $0.certificate, key: $0.key) }
        )
        do {
            return try HTTPServer(configuration: configuration, responder: responder, log: refusals.complain)
        } catch {
            throw StoreCommand.failure(error.description)
        }
    }

    /// The one line on standard output that says where the server is; the set-up link goes there and never into the log.
    /// - Parameter isAgain: said before: said again only if there is a link now.
    private func tellReady(admin: HTTPServer, feeds: HTTPServer, access: AccessService, isAgain: Bool = false) {
        let (adminURL, feedsURL) = urls(admin, feeds)
        var ready: JSONObject = ["event": .string("ready"), "admin": .string(adminURL), "feeds": .string(feedsURL)]
        // At the listener's own address even where there is an origin, because set-up is not possible through a proxy.
        let code = access.setupCode()
        if isAgain, code == nil { return }
        if let code { ready["setup"] = .string("\(adminURL)/#/setup/\(code)") }
        // Phones do not care whether anybody reads it: a server whose output takes nothing serves all the same.
        if !OutputEnd.output.write(line: JSONValue.object(ready).text) {
            log.warning("the ready line could not be written to standard output")
        }
    }

    private func urls(_ admin: HTTPServer, _ feeds: HTTPServer) -> (admin: String, feeds: String) {
        let scheme = settings.tls == nil ? "http" : "https"
        return (
            "\(scheme)://\(Self.host(settings.admin.address)):\(admin.port)",
            "\(scheme)://\(Self.host(settings.feeds.address)):\(feeds.port)"
        )
    }

    private func announce(admin: HTTPServer, feeds: HTTPServer, access: AccessService, sqlite: SQLiteRelease) {
        tellReady(admin: admin, feeds: feeds, access: access)
        let (adminURL, feedsURL) = urls(admin, feeds)
        var details: Logger.Metadata = [
            "admin": "\(adminURL)", "feeds": "\(feedsURL)", "libmicrohttpd": "\(HTTPServer.libraryVersion)", "sqlite": "\(sqlite)",
            "version": "\(Release.current)",
            "environment": "\(settings.environment.name)", "protected": "\(settings.environment.isProtected)",
            "data": "\(settings.data)",
        ]
        details["database"] = settings.database.map { "\($0)" }
        log.info("ready", metadata: details)
    }

    private static func host(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }
}
