import Foundation
import PostgreSQL

/// Finds out what happened to a transaction whose COMMIT had been sent when the connection was lost.
///
/// The server may have carried it out: a caller who is told that it failed would do it twice. So the server is asked as soon as it can be
/// reached again (PostgreSQL manual, 9.27.8, `pg_xact_status`).
///
/// After a crash, the number of a transaction of which nothing had reached the disk is given to the next one, and the server would report
/// the fate of that one. So there must have been no crash in between: ``life`` tells.
struct CommitFate {
    let address: PostgresAddress
    /// As `pg_current_xact_id` gave it.
    let transaction: String
    /// The answer to ``lifeQuery`` from when the lost session was opened.
    let life: String
    /// How long the server may be away; every other writer of this process waits meanwhile.
    var patience = Duration.seconds(5)

    /// - Returns: whether it was committed; nil when that cannot be found out: the server stayed away, a server that lags behind has
    ///   replaced it, or it was so long ago that the server has forgotten.
    func isCommitted() -> Bool? {
        let deadline = ContinuousClock.now + patience
        repeat {
            // If the server cannot be asked now, it is asked again until the time is up.
            switch try? status() {
            case "committed": return true
            case "aborted": return false
            // The lost session's process has not noticed yet that the client is gone.
            case "in progress", nil: Thread.sleep(forTimeInterval: 0.05)
            default: return nil
            }
        } while ContinuousClock.now < deadline
        return nil
    }

    /// Gives another answer after each crash, even of a single server process: the time of the last statistics reset. Crash recovery resets
    /// it, an orderly restart does not. Resetting it by hand leaves at most one COMMIT in doubt.
    static let lifeQuery = "SELECT coalesce(extract(epoch FROM stats_reset)::text, '') FROM pg_stat_bgwriter"

    private func status() throws -> String {
        var options = PostgresOptions()
        options.connectTimeout = .seconds(1)
        options.statementTimeout = .seconds(1)
        options.answerTimeout = .milliseconds(500)
        let connection = try PostgresConnection(to: address, options)
        defer { connection.close() }
        let answer = try connection.execute("SELECT coalesce(pg_xact_status($1::text::xid8), 'forgotten')", [.text(transaction)])
        guard let status = answer.rows.first?[0].text else { return "unknown" }
        // Asked after the status, so a crash between the two is noticed.
        guard status != "committed" || isSameLife(connection) else { return "unknown" }
        return status
    }

    private func isSameLife(_ connection: PostgresConnection) -> Bool {
        // If it cannot be asked, it counts as unknown.
        let now = (try? connection.execute(Self.lifeQuery))?.rows.first?[0].text
        return !life.isEmpty && now == life
    }
}
