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
import ObjectStore
import Synchronization

/// One running server: opens, wires, starts, and waits for its end, which is ``Shutdown``.
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
        let sqlite = try SQLiteRelease.loaded()
        guard sqlite.isSupported || settings.database != nil else {
            throw StoreCommand.failure("SQLite \(sqlite) is loaded; 3.37 or newer is needed")
        }
        let table = FeedTable(now: { .now })
        let failures = FailureLog(log)
        let places = Places(descriptors: DescriptorLimit.raise())
        if places.isShort {
            log.warning(
                "the limit of open files leaves room for \(places.feeds) connections of phones instead of \(Places.wantedFeeds); raise it (ulimit -n, LimitNOFILE)"
            )
        }
        let folder = PublicationFolder(dataFolder: settings.data)
        let ledger = Ledger(
            environment: settings.environment,
            wideShare: settings.wideShare,
            isStored: settings.bucket != nil,
            folder: folder,
            sink: table,
            failures: failures,
            now: { .now }
        )
        let random = RandomSource.system
        let keys = KeyFolder(dataFolder: settings.data, random: random, isShared: settings.sharing != nil)
        let access = AccessService(
            store: { ledger.reachableStore },
            hasher: PasswordHasher(cost: .standard),
            random: random,
            keys: keys,
            failures: failures,
            now: { .now }
        )
        let story = NightStory(log)
        ledger.observeChanges(story.tell)
        ledger.observeWindows(story.tell)
        let resetFolder = ResetFolder(dataFolder: settings.data)
        let resets: @Sendable (AccessService) -> Void = { access in
            do throws(StoreError) {
                try resetFolder.carryOut(with: access)
                failures.worked(.resets)
            } catch { failures.failed(.resets, error) }
        }
        let signing = SigningKeeper(dataFolder: settings.data, table: table, ledger: ledger)
        // Before anything is published: an app that knows a key would refuse a feed that is unsigned even for a moment.
        signing.keep()
        let sharedKeys = SharedKeysKeeper(dataFolder: settings.data, ledger: ledger, log: log)
        let isSigning = Mutex(())
        let sign: @Sendable () -> Void = { isSigning.withLock { _ in signing.keep() } }
        let opener = StoreOpener(settings: settings, ledger: ledger, log: log) { store throws(StoreError) in
            // A server that joins the others with an empty folder gets their keys before its first feed.
            try sharedKeys.begin(with: store)
            sign()
        }
        try opener.open()

        let watch = watch(ledger, sharedKeys)
        let servers: @Sendable () -> [SharedServer] = { watch?.servers ?? [] }
        let reach = ReachKeeper(folder: settings.data, table: table, failures: failures)
        ledger.learnPolls(from: CurrentPolls(reach.tracker, now: { .now }))
        let exchange = settings.database.map { reach.exchange(with: $0, as: settings.serverName) }
        let backups = try openBackups(ledger)
        let objects = try openBucket(table, ledger)
        let isSecure = settings.tls != nil || settings.origin?.hasPrefix("https:") == true
        let listeners = Listeners()
        let metrics = Metrics(
            ledger: ledger,
            backups: backups,
            version: Release.current.description,
            connections: listeners.connections,
            logLosses: { [lines, refusals] in (lines.droppedCount, refusals.withheldCount) },
            process: { [data = settings.data] in .now(dataFolder: data) },
            objects: { objects?.figures },
            servers: servers
        )
        // Behind a proxy, phones do not poll this machine's port; only whoever set up the proxy knows which address they poll.
        let isBehindProxy = settings.origin != nil || settings.proxies != .none
        let feedsPort: @Sendable () -> Int? = { isBehindProxy ? nil : listeners.feedsPort() }
        let notices = Notices { [log] message, details in log.warning("\(message)", metadata: details.mapValues { "\($0)" }) }
        let rehearsals = RehearsalTable(now: { .now })
        let services = Services(
            ledger: ledger,
            access: access,
            version: Release.current.description,
            isSecure: isSecure,
            rehearsals: RehearsalService(ledger: ledger, random: random, stage: rehearsals),
            reach: reach.tracker,
            backups: backups,
            metrics: metrics,
            feedsPort: feedsPort,
            servers: servers,
            notices: notices,
            proxySignIn: settings.proxySignIn
        )
        let hosts = OwnHosts(listening: settings.admin.address, origins: settings.origins)
        let acceptsHost: @Sendable (String, String) -> Bool = { host, target in
            let isOwn = hosts.accepts(host, target: target)
            if !isOwn { notices.turnedAway(host: host) }
            return isOwn
        }
        let admin = try responder(services, table)
        let feeds = MeteredResponder(FeedsResponder(table: table, rehearsals: rehearsals), metrics: metrics.feeds, log: nil)
        let feedsServer = try listen(settings.feeds, responder: feeds, isFeeds: true, places: places.feeds)
        let meteredAdmin = MeteredResponder(admin, metrics: metrics.admin, log: refusals.note)
        let adminServer: HTTPServer
        do {
            adminServer = try listen(
                settings.admin,
                responder: meteredAdmin,
                isFeeds: false,
                places: places.admin,
                acceptsHost: acceptsHost
            )
        } catch {
            feedsServer.stop()
            throw error
        }
        if !isSecure, settings.proxies == .none {
            log.warning(
                "the dashboard is reached by plain http: its cookie is gh_session, without Secure; give --tls-certificate, or --origin https://... behind a proxy"
            )
        }
        listeners.set(admin: adminServer, feeds: feedsServer)
        // Windows that came due while the server was down are carried out as soon as the history has been checked.
        let scheduler = Scheduler(ScheduleService(ledger: ledger), now: { .now }, isOnDuty: { watch?.hasDuty ?? true })
        announce(admin: adminServer, feeds: feedsServer, access: access, sqlite: sqlite)

        let wasNameTold = Mutex(false)
        let housekeeper = Housekeeper(pause: .seconds(1)) { [refusals] in
            if watch?.isNameShared == true,
                wasNameTold.withLock({ told in
                    defer { told = true }
                    return !told
                })
            {
                log.warning(
                    "another server of this database has the same name, so that people see one of them at a time",
                    metadata: ["name": "\(settings.serverName)", "remedy": "Give each its own with --server-name."]
                )
            }
            ledger.keepHouse()
            reach.keep()
            // A first start beside a database that was not up yet has its set-up link only now.
            if opener.keepTrying() { tellReady(admin: adminServer, feeds: feedsServer, access: access, isAgain: true) }
            opener.keepAnchor()
            access.writeRefusals()
            resets(access)
            refusals.tell()
            story.look(at: ledger.health)
            story.look(at: .now, elapsed: ProcessFigures.uptime())
        }
        // On a thread of its own, and twice a second: a change of keys reaches the feeds within a second, whatever the disk is busy with.
        let signingKeeper = Housekeeper(pause: .milliseconds(500)) { sign() }
        // Four times a second, so that a change is in the object store within one second.
        let objectKeeper = objects.map { objects in Housekeeper(pause: .milliseconds(250)) { objects.keep() } }
        let backupKeeper = backups.map(keeper)
        let shutdown = Shutdown(
            admin: adminServer,
            feeds: feedsServer,
            scheduler: scheduler,
            watch: watch,
            housekeeper: housekeeper,
            signingKeeper: signingKeeper,
            backupKeeper: backupKeeper,
            objectKeeper: objectKeeper,
            ledger: ledger,
            access: access,
            reach: reach,
            exchange: exchange,
            opener: opener
        )
        let signal = Signals.wait { hangUp([adminServer, feedsServer]) }
        log.info("stopping", metadata: ["signal": "\(signal)"])
        shutdown.run()
        failures.settle()
        refusals.tell(all: true)
        // What an unfinished backup has written. Whatever a kill leaves is removed at the next start.
        PassingFiles.removeAll()
        log.info("stopped")
    }

    /// What this server hears of the others of its database; nil where it has one of its own.
    private func watch(_ ledger: Ledger, _ sharedKeys: SharedKeysKeeper) -> StoreWatch? {
        settings.database.map { database in
            StoreWatch(
                database,
                as: settings.serverName,
                sequence: { ledger.sequence },
                look: {
                    ledger.lookForNews()
                    sharedKeys.keep()
                },
                dutyBegan: { [log] in
                    log.info("this server does what the clock asks for")
                    ledger.wake()
                },
                noAnswer: { ledger.lost() },
                heardAgain: { ledger.heardAgain() },
                cannotWrite: { ledger.cannotWrite() },
                clockLeads: { ledger.clockLeads(by: $0) }
            )
        }
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

    /// Makes the backups on a thread of its own, because housekeeping must go on writing the feeds to the disk meanwhile.
    private func keeper(of backups: BackupService) -> Housekeeper {
        let begun = Mutex(false)
        return Housekeeper(pause: .seconds(1)) {
            let isFirst = begun.withLock { begun in
                defer { begun = true }
                return !begun
            }
            if isFirst { backups.start() }
            backups.keep()
        }
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

    /// - Throws: when the folder cannot be used: somebody who asks for backups must notice when there are none.
    private func openBackups(_ ledger: Ledger) throws -> BackupService? {
        guard let plan = settings.backups else { return nil }
        do throws(StoreError) {
            let folder = try BackupFolder(plan.folder, encryptingTo: plan.key)
            return BackupService(ledger: ledger, folder: folder, interval: plan.interval, kept: plan.kept) { [log] backup in
                log.info(
                    "backup",
                    metadata: [
                        "name": "\(backup.name)", "sequence": "\(backup.sequence)", "bytes": "\(backup.bytes)",
                        "sha256": "\(backup.digest)",
                    ]
                )
            }
        } catch {
            throw StoreCommand.failure(
                "--backup-dir \(plan.folder): \(error.detail). Name a folder whose parent folder exists and can be written to."
            )
        }
    }

    /// - Throws: where there are no credentials: phones that read the object store must not find it empty.
    private func openBucket(_ table: FeedTable, _ ledger: Ledger) throws -> ObjectKeeper? {
        guard let address = settings.bucket else { return nil }
        do throws(ObjectStoreError) { return try ObjectKeeper(address, table: table, ledger: ledger, log: log) } catch {
            throw StoreCommand.failure("--publish \(address): \(error.detail)")
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
