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

/// One running server: opens, wires, starts, waits for its end, stops in order.
struct ServerProcess {
    private let settings: ServeSettings
    private let log: Logger

    init(_ settings: ServeSettings) {
        self.settings = settings
        LoggingSystem.bootstrap { JSONLines(label: $0) }
        log = Logger(label: "gatehouse")
    }

    func run() throws {
        Signals.hold()
        let table = FeedTable()
        let failures = FailureLog(log)
        let folder = PublicationFolder(dataFolder: settings.data)
        let changes = ChangeService(environment: settings.environment, folder: folder, sink: table, failures: failures, now: { .now })
        let random = RandomSource.system
        let keys = KeyFolder(dataFolder: settings.data, random: random)
        let access = AccessService(store: { changes.store }, hasher: PasswordHasher(cost: .standard), random: random, keys: keys, failures: failures, now: { .now })
        let opener = StoreOpener(settings: settings, changes: changes, log: log)
        try opener.open()

        let reach = ReachKeeper(folder: settings.data, table: table, failures: failures)
        let isSecure = settings.tls != nil || settings.origin?.hasPrefix("https:") == true
        let listeners = Listeners()
        let metrics = Metrics(changes: changes, version: ServerVersion.text, connections: listeners.connectionCount)
        // Behind a proxy phones do not poll this machine's port: which address they poll, the proxy's makers know.
        let isBehindProxy = settings.origin != nil || settings.proxies != .none
        let feedsPort: @Sendable () -> Int? = { isBehindProxy ? nil : listeners.feedsPort() }
        let services = Services(changes: changes, access: access, version: ServerVersion.text, isSecure: isSecure, reach: reach.tracker, metrics: metrics, feedsPort: feedsPort)
        let files = try StaticFiles(folder: settings.publicFolder, headers: HeaderSet.page) { SHA256Digest(of: $0).hexadecimal.prefix(32).description }
        for skipped in files.skipped { log.warning("not served: \(skipped)") }
        let admin = try AdminResponder(services: services, files: files, table: table, origin: settings.origin, proxies: settings.proxies)
        let feedsServer = try listen(settings.feeds, responder: metered(FeedsResponder(table: table), metrics.feeds) { _ in "/feeds" }, isFeeds: true)
        let adminServer: HTTPServer
        do { adminServer = try listen(settings.admin, responder: metered(admin, metrics.admin, pattern: admin.pattern(of:)), isFeeds: false) } catch {
            feedsServer.stop()
            throw error
        }
        if !isSecure, settings.proxies == .none {
            log.warning("the dashboard is reached by plain http: its cookie is gh_session, without Secure; give --tls-certificate, or --origin https://... behind a proxy")
        }
        listeners.set(admin: adminServer, feeds: feedsServer)
        // What came due while the server was down is done as soon as the history has been checked.
        let scheduler = Scheduler(ScheduleService(changes: changes), now: { .now })
        announce(admin: adminServer, feeds: feedsServer, access: access)

        let housekeeper = Housekeeper(pause: .seconds(1)) {
            changes.keepHouse()
            reach.keep()
            opener.keepTrying()
            opener.keepAnchor()
            access.writeRefusals()
        }
        let signal = Signals.wait()
        log.info("stopping", metadata: ["signal": "\(signal)"])
        // Admin first: no change may be acknowledged whose publication is not going to be written.
        adminServer.stop()
        feedsServer.stop()
        scheduler.stop()
        housekeeper.stop()
        changes.keepHouse()
        access.writeRefusals(all: true)
        reach.save()
        opener.stop()
        do throws(StoreError) { try changes.store?.close() } catch { failures.failed(.closing, error) }
        failures.settle()
        log.info("stopped")
    }

    private func metered<Responder: HTTPResponder>(
        _ responder: Responder,
        _ metrics: ListenerMetrics,
        pattern: @escaping @Sendable (HTTPRequest) -> String
    ) -> MeteredResponder<Responder> {
        MeteredResponder(responder, metrics: metrics, pattern: pattern) { [log] record in
            log.info(
                "request",
                metadata: [
                    "method": "\(record.method)", "pattern": "\(record.pattern)", "status": "\(record.status)", "microseconds": "\(record.microseconds)",
                    "peer": "\(record.peer)", "requestId": "\(record.id)",
                ]
            )
        }
    }

    private func listen(_ address: ListenAddress, responder: any HTTPResponder, isFeeds: Bool) throws -> HTTPServer {
        let cores = max(2, ProcessInfo.processInfo.activeProcessorCount)
        let configuration = HTTPServer.Configuration(
            address: address.address,
            port: address.port,
            workers: isFeeds ? cores : 4,
            connectionLimit: isFeeds ? 12_000 : 256,
            connectionMemoryBytes: isFeeds ? 8_192 : 16_384,
            // A pointless body costs nothing to refuse; feeds take none.
            maximumBodyBytes: isFeeds ? 0 : 262_144,
            idleTimeout: .seconds(isFeeds ? 15 : 30),
            backlog: isFeeds ? 4_096 : 128,
            tls: settings.tls.map { HTTPServer.TLSFiles(certificate: $0.certificate, key: $0.key) }
        )
        do {
            return try HTTPServer(configuration: configuration, responder: responder) { [log] line in log.warning("\(line)") }
        } catch {
            throw StoreCommand.failure(error.description)
        }
    }

    /// The one line on standard output that says where the server is; the set-up link goes there and never into the log.
    private func announce(admin: HTTPServer, feeds: HTTPServer, access: AccessService) {
        let scheme = settings.tls == nil ? "http" : "https"
        let adminURL = "\(scheme)://\(Self.host(settings.admin.address)):\(admin.port)"
        let feedsURL = "\(scheme)://\(Self.host(settings.feeds.address)):\(feeds.port)"
        var ready: JSONObject = ["event": .string("ready"), "admin": .string(adminURL), "feeds": .string(feedsURL)]
        if let code = access.setupCode() { ready["setup"] = .string("\(settings.origin ?? adminURL)/#/setup/\(code)") }
        // Not through print: its buffer would hold the line back from whoever waits for it at the other end of a pipe.
        FileHandle.standardOutput.write(Data(JSONValue.object(ready).bytes + [0x0A]))
        log.info(
            "ready",
            metadata: ["admin": "\(adminURL)", "feeds": "\(feedsURL)", "libmicrohttpd": "\(HTTPServer.libraryVersion)", "version": "\(ServerVersion.text)"]
        )
    }

    private static func host(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }
}
