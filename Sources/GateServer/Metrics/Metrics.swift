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
        text.begin("gatehouse_info", "gauge", "The running version.")
        text.sample("gatehouse_info", [("version", version)], 1)
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
        text.begin(
            "gatehouse_server_sequence",
            "gauge",
            "Last change in the feeds of each server that shares the database, as that server last reported it."
        )
        for server in servers { text.sample("gatehouse_server_sequence", [("server", server.name)], server.sequence) }
        text.begin("gatehouse_server_silent_seconds", "gauge", "Whole seconds since each of these servers was last heard from.")
        for server in servers { text.sample("gatehouse_server_silent_seconds", [("server", server.name)], server.silentSeconds) }
        let away = ledger.cutOffSince.map { Double(ledger.time.milliseconds - $0.milliseconds) / 1_000 } ?? 0
        text.begin("gatehouse_database_away_seconds", "gauge", "For how long this server has not reached the database; 0 while it does.")
        text.sample("gatehouse_database_away_seconds", [], away)
    }

    private func writeListeners(to text: inout MetricsText) {
        let listeners = [feeds, admin]
        text.begin(
            "gatehouse_http_requests_total",
            "counter",
            "Requests answered, by route pattern; feeds and files are the pattern prepared."
        )
        for listener in listeners {
            for (request, count) in listener.requests {
                text.sample(
                    "gatehouse_http_requests_total",
                    [
                        ("listener", listener.name), ("method", request.method), ("pattern", request.pattern),
                        ("status", String(request.status)),
                    ],
                    count
                )
            }
        }
        text.begin("gatehouse_feed_polls_total", "counter", "Polls answered on the feeds listener: sent whole, or unchanged (304).")
        for (request, count) in feeds.requests where request.pattern == ListenerMetrics.prepared && request.method == "GET" {
            text.sample("gatehouse_feed_polls_total", [("answer", request.status == 304 ? "unchanged" : "sent")], count)
        }
        text.begin(
            "gatehouse_http_request_duration_seconds",
            "histogram",
            "From the end of a request's header until its answer was handed to the kernel."
        )
        for listener in listeners {
            text.histogram("gatehouse_http_request_duration_seconds", [("listener", listener.name)], listener.durations)
        }
        text.begin("gatehouse_write_duration_seconds", "histogram", "Time that the admin API took for a request that may change something.")
        text.histogram("gatehouse_write_duration_seconds", [], admin.writes)
        text.begin("gatehouse_writers_lock_seconds", "histogram", "How long a writer kept all others waiting.")
        text.histogram("gatehouse_writers_lock_seconds", [], writersLock)
        text.begin("gatehouse_writers_lock_seconds_max", "gauge", "The longest that a writer kept all others waiting since the start.")
        text.sample("gatehouse_writers_lock_seconds_max", [], writersLock.maximum)
        text.begin("gatehouse_http_refused_total", "counter", "Requests refused at the edge, by reason.")
        for listener in listeners {
            for (code, count) in listener.refusedByCode {
                text.sample("gatehouse_http_refused_total", [("listener", listener.name), ("reason", code)], count)
            }
        }
        text.begin("gatehouse_sign_in_failures_total", "counter", "Sign-ins refused.")
        text.sample("gatehouse_sign_in_failures_total", [], admin.signInFailureCount)
        text.begin("gatehouse_connections", "gauge", "Open connections.")
        for listener in listeners {
            if let count = connections(listener.name)?.open { text.sample("gatehouse_connections", [("listener", listener.name)], count) }
        }
        text.begin("gatehouse_connections_crowded_out_total", "counter", "Quiet connections closed because the listener was nearly full.")
        for listener in listeners {
            if let count = connections(listener.name)?.crowdedOut {
                text.sample("gatehouse_connections_crowded_out_total", [("listener", listener.name)], count)
            }
        }
    }

    private func writeLog(to text: inout MetricsText) {
        let losses = logLosses()
        text.begin("gatehouse_log_lines_dropped_total", "counter", "Lines of the log that were lost because standard error took no more.")
        text.sample("gatehouse_log_lines_dropped_total", [], losses.dropped)
        text.begin(
            "gatehouse_log_lines_withheld_total",
            "counter",
            "Lines about similar refusals that were counted instead of logged."
        )
        text.sample("gatehouse_log_lines_withheld_total", [], losses.withheld)
    }

    private func writeService(to text: inout MetricsText) {
        let health = ledger.health
        text.begin("gatehouse_sequence", "gauge", "Sequence of the last change.")
        text.sample("gatehouse_sequence", [], ledger.sequence)
        text.begin("gatehouse_healthy", "gauge", "1 when all is well, 0 when degraded or starting.")
        text.sample("gatehouse_healthy", [], health.state == .ok ? 1 : 0)
        text.begin("gatehouse_targets", "gauge", "Targets by what their gate does to people.")
        let targets = ledger.targetCounts
        for state in GateState.allCases { text.sample("gatehouse_targets", [("state", state.rawValue)], targets[state] ?? 0) }
        text.begin("gatehouse_windows", "gauge", "Windows that wait, run, or were missed and wait for a person.")
        let windows = ledger.windowCounts
        for state in [Window.State.pending, .running, .missed] {
            text.sample("gatehouse_windows", [("state", state.rawValue)], windows[state] ?? 0)
        }
        text.begin(
            "gatehouse_windows_failed_total",
            "counter",
            "Windows that ended without taking back all that they had changed, since the start."
        )
        text.sample("gatehouse_windows_failed_total", [], ledger.windowFailures)
        text.begin(
            "gatehouse_windows_late_seconds",
            "gauge",
            "How long the window that waits longest for the clock is overdue; 0 when none is."
        )
        text.sample("gatehouse_windows_late_seconds", [], Double(ledger.windowLateness) / 1_000)
        if let published = ledger.lastPublished {
            text.begin(
                "gatehouse_publication_age_seconds",
                "gauge",
                "Seconds since the last change of a feed, over restarts of the server too."
            )
            text.sample("gatehouse_publication_age_seconds", [], Double(ledger.time.milliseconds - published.milliseconds) / 1_000)
        }
        if let bytes = ledger.walBytes {
            text.begin("gatehouse_wal_bytes", "gauge", "Size of the database's write-ahead log.")
            text.sample("gatehouse_wal_bytes", [], bytes)
        }
        guard let backups else { return }
        if let last = backups.lastAt {
            text.begin("gatehouse_backup_age_seconds", "gauge", "Seconds since the state in the last good backup was read.")
            text.sample("gatehouse_backup_age_seconds", [], Double(backups.time.milliseconds - last.milliseconds) / 1_000)
        }
        text.begin("gatehouse_backup_failures_total", "counter", "Scheduled backups that failed.")
        text.sample("gatehouse_backup_failures_total", [], backups.failureCount)
    }
}
