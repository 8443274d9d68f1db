package import GateModel
package import GateService

/// What the handlers call.
package struct Services: Sendable {
    /// What is in force.
    package let ledger: Ledger
    package let changes: ChangeService
    package let access: AccessService
    /// The server's version, for `/status`.
    package let version: String
    /// Whether the dashboard is reached by https, as far as the server was told: decides the cookie's name and `Secure`.
    package let isSecure: Bool
    /// How far revisions have reached the phones; nil where that is not counted.
    package let reach: ReachTracker?
    package let rehearsals: RehearsalService
    /// Nil where no backups are kept.
    package let backups: BackupService?
    /// What `/metrics` tells; nil where nothing is counted.
    package let metrics: Metrics?
    /// Where phones poll, for the dashboard to show: the feeds listener's port, once it is there.
    package let feedsPort: @Sendable () -> Int?
    /// All servers that share the database.
    package let servers: @Sendable () -> [SharedServer]
    /// What somebody should fix about the way to the server.
    package let notices: Notices
    /// How a proxy says who is signed in; nil where no proxy is believed.
    package let proxySignIn: ProxySignIn?
    /// How much of the workers' time each account may have for questions.
    package let computing: ComputingShare

    package init(
        ledger: Ledger,
        access: AccessService,
        version: String,
        isSecure: Bool,
        rehearsals: RehearsalService,
        reach: ReachTracker? = nil,
        backups: BackupService? = nil,
        metrics: Metrics? = nil,
        feedsPort: @escaping @Sendable () -> Int? = { nil },
        servers: @escaping @Sendable () -> [SharedServer] = { [] },
        notices: Notices = Notices(),
        proxySignIn: ProxySignIn? = nil,
        computing: ComputingShare = ComputingShare()
    ) {
        self.ledger = ledger
        changes = ChangeService(ledger: ledger)
        self.access = access
        self.version = version
        self.isSecure = isSecure
        self.rehearsals = rehearsals
        self.reach = reach
        self.backups = backups
        self.metrics = metrics
        self.feedsPort = feedsPort
        self.servers = servers
        self.notices = notices
        self.proxySignIn = proxySignIn
        self.computing = computing
    }

    /// How the server is, for whoever is signed in. Only who sees all apps is told which of them something is wrong with.
    func health(for caller: Caller) -> Health {
        var health = caller.scope == .all ? ledger.health : ledger.namelessHealth
        health.notices = ledger.notices(for: caller.scope) + notices.texts + servers().compactMap(\.notice)
        return health
    }
}

extension SharedServer {
    /// Tells people that this server has not been heard from for a while; nil while it is. A server that was shut down in order is not
    /// missed.
    fileprivate var notice: String? {
        guard silentSeconds > Self.patience else { return nil }
        let span = silentSeconds < 120 ? "\(silentSeconds) seconds" : "\(silentSeconds / 60) minutes"
        return "servers: \(name) was not heard of for \(span); its feeds, if it runs, are those of change \(sequence)"
    }
}
