import GateJSON
package import GateModel
package import GateService

/// Everything that `/metrics` shows, gathered on each request.
package struct Metrics: Sendable {
    package let feeds: ListenerMetrics
    package let admin: ListenerMetrics
    private let ledger: Ledger
    private let backups: BackupService?
    private let version: String
    /// Connections of a listener by its name: open now, and closed so far to make room.
    private let connections: @Sendable (String) -> (open: Int, crowdedOut: Int)?
    /// Lines that the log lost because nobody read it, and lines that were left out on purpose.
    private let logLosses: @Sendable () -> (dropped: UInt64, withheld: UInt64)
    private let process: @Sendable () -> ProcessFigures
    /// The state of publishing into an object store; nil where nobody asked for that.
    private let objects: @Sendable () -> ObjectFigures?
    private let servers: @Sendable () -> [SharedServer]
    private let writersLock: Histogram

    package init(
        ledger: Ledger,
        backups: BackupService? = nil,
        version: String,
        connections: @escaping @Sendable (String) -> (open: Int, crowdedOut: Int)?,
        logLosses: @escaping @Sendable () -> (dropped: UInt64, withheld: UInt64) = { (0, 0) },
        process: @escaping @Sendable () -> ProcessFigures = { ProcessFigures() },
        objects: @escaping @Sendable () -> ObjectFigures? = { nil },
        servers: @escaping @Sendable () -> [SharedServer] = { [] }
    ) {
        feeds = ListenerMetrics(name: "feeds")
        admin = ListenerMetrics(name: "admin")
        self.ledger = ledger
        self.backups = backups
        self.version = version
        self.connections = connections
        self.logLosses = logLosses
        self.process = process
        self.objects = objects
        self.servers = servers
        let writersLock = Histogram()
        ledger.observeWriters { writersLock.record($0) }
        self.writersLock = writersLock
    }

    /// The page, in Prometheus' text format.
    package func page() -> String {
        var text = MetricsText()
        text.add("gatehouse_info", "gauge", "The running version.", for: [version]) { ([("version", $0)], 1) }
        writeListeners(to: &text)
        writeService(to: &text)
        writeServers(to: &text)
        objects()?.write(to: &text)
        writeLog(to: &text)
        process().write(to: &text)
        return text.text
    }

    private func writeServers(to text: inout MetricsText) {
        let servers = servers()
        guard !servers.isEmpty else { return }
        let told = "Last change in the feeds of each server that shares the database, as that server last reported it."
        text.add("gatehouse_server_sequence", "gauge", told, for: servers) { ([("server", $0.name)], $0.sequence) }
        let silent = "Whole seconds since each of these servers was last heard from."
        text.add("gatehouse_server_silent_seconds", "gauge", silent, for: servers) { ([("server", $0.name)], $0.silentSeconds) }
        let away = "For how long this server has not reached the database; 0 while it does."
        text.add("gatehouse_database_away_seconds", "gauge", away, ledger.cutOffSince.map(seconds(since:)) ?? 0)
    }

    private func writeListeners(to text: inout MetricsText) {
        let requests = [feeds, admin].flatMap { listener in listener.requests.map { (listener, request: $0.request, count: $0.count) } }
        let answered = "Requests answered, by route pattern; feeds and files are the pattern prepared."
        text.add("gatehouse_http_requests_total", "counter", answered, for: requests) { listener, request, count in
            let (name, status) = (listener.name, String(request.status))
            return ([("listener", name), ("method", request.method), ("pattern", request.pattern), ("status", status)], count)
        }
        let polls = feeds.requests.filter { $0.request.pattern == ListenerMetrics.prepared && $0.request.method == "GET" }
        let polled = "Polls answered on the feeds listener: sent whole, or unchanged (304)."
        text.add("gatehouse_feed_polls_total", "counter", polled, for: polls) { request, count in
            ([("answer", request.status == 304 ? "unchanged" : "sent")], count)
        }
        text.add(
            "gatehouse_http_request_duration_seconds",
            "From the end of a request's header until its answer was handed to the kernel.",
            ([("listener", feeds.name)], feeds.durations),
            ([("listener", admin.name)], admin.durations)
        )
        let write = "Time that the admin API took for a request that may change something."
        text.add("gatehouse_write_duration_seconds", write, ([], admin.writes))
        text.add("gatehouse_writers_lock_seconds", "How long a writer kept all others waiting.", ([], writersLock))
        let longest = "The longest that a writer kept all others waiting since the start."
        text.add("gatehouse_writers_lock_seconds_max", "gauge", longest, writersLock.maximum)
        let refusals = [feeds, admin].flatMap { listener in listener.refusedByCode.map { (listener, code: $0.code, count: $0.count) } }
        text.add("gatehouse_http_refused_total", "counter", "Requests refused at the edge, by reason.", for: refusals) {
            ([("listener", $0.name), ("reason", $1)], $2)
        }
        text.add("gatehouse_sign_in_failures_total", "counter", "Sign-ins refused.", admin.signInFailureCount)
        let connected = [feeds, admin].compactMap { listener in connections(listener.name).map { (name: listener.name, count: $0) } }
        text.add("gatehouse_connections", "gauge", "Open connections.", for: connected) { ([("listener", $0.name)], $0.count.open) }
        let crowded = "Quiet connections closed because the listener was nearly full."
        text.add("gatehouse_connections_crowded_out_total", "counter", crowded, for: connected) {
            ([("listener", $0.name)], $0.count.crowdedOut)
        }
    }

    private func writeLog(to text: inout MetricsText) {
        let losses = logLosses()
        let dropped = "Lines of the log that were lost because standard error took no more."
        text.add("gatehouse_log_lines_dropped_total", "counter", dropped, losses.dropped)
        let withheld = "Lines about similar refusals that were counted instead of logged."
        text.add("gatehouse_log_lines_withheld_total", "counter", withheld, losses.withheld)
    }

    private func writeService(to text: inout MetricsText) {
        text.add("gatehouse_sequence", "gauge", "Sequence of the last change.", ledger.sequence)
        text.add("gatehouse_healthy", "gauge", "1 when all is well, 0 when degraded or starting.", ledger.health.state == .ok ? 1 : 0)
        let targets = ledger.targetCounts
        text.add("gatehouse_targets", "gauge", "Targets by what their gate does to people.", for: GateState.allCases) {
            ([("state", $0.rawValue)], targets[$0] ?? 0)
        }
        let windows = ledger.windowCounts
        let waiting = "Windows that wait, run, or were missed and wait for a person."
        text.add("gatehouse_windows", "gauge", waiting, for: [Window.State.pending, .running, .missed]) {
            ([("state", $0.rawValue)], windows[$0] ?? 0)
        }
        let failed = "How often windows could not do all that was planned, at their start or at their end, since the start."
        text.add("gatehouse_windows_failed_total", "counter", failed, ledger.windowFailures)
        let late = "How long the window that waits longest for the clock is overdue; 0 when none is."
        text.add("gatehouse_windows_late_seconds", "gauge", late, Double(ledger.windowLateness) / 1_000)
        let published = "Seconds since the last change of a feed, over restarts of the server too."
        text.add("gatehouse_publication_age_seconds", "gauge", published, ledger.lastPublished.map(seconds(since:)))
        text.add("gatehouse_wal_bytes", "gauge", "Size of the database's write-ahead log.", ledger.walBytes)
        guard let backups else { return }
        let read = "Seconds since the state in the last good backup was read."
        text.add("gatehouse_backup_age_seconds", "gauge", read, backups.lastAt.map(seconds(since:)))
        text.add("gatehouse_backup_failures_total", "counter", "Scheduled backups that failed.", backups.failureCount)
    }

    /// How long ago a time was, by the server's clock.
    private func seconds(since time: Timestamp) -> Double { Double(ledger.time.milliseconds - time.milliseconds) / 1_000 }
}
