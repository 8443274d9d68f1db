import Foundation
import PostgreSQL

/// Finds out what became of a transaction whose COMMIT was on its way when the connection was lost.
///
/// The server may have carried it out: whoever is told that it failed would do it twice. So the server is asked, as soon as it can be reached
/// again (PostgreSQL manual, 9.27.8, `pg_xact_status`).
///
/// A crash forgets the number of a transaction of which nothing had reached the disk, and gives it to the next one, whose fate it then tells. So
/// the server has to be the one that it was, without a crash in between: ``life``.
struct CommitFate {
    let address: PostgresAddress
    /// As `pg_current_xact_id` told it.
    let transaction: String
    /// What the server's ``lifeQuery`` said while the session stood that was lost.
    let life: String
    /// How long the server may be away; every other writer of this process waits meanwhile.
    var patience = Duration.seconds(5)

    /// - Returns: whether all of it was committed; nil when that is not to be known: the server stayed away, another one that has not come as
    ///   far has taken its place, or it is so long ago that it forgot.
    func isCommitted() -> Bool? {
        let deadline = ContinuousClock.now + patience
        repeat {
            // What cannot be asked now is asked again, until the time is over.
            switch try? status() {
            case "committed": return true
            case "aborted": return false
            // Its session does not know yet that nobody is there any more.
            case "in progress", nil: Thread.sleep(forTimeInterval: 0.05)
            default: return nil
            }
        } while ContinuousClock.now < deadline
        return nil
    }

    /// Another answer after each crash, also of a single process of the server: since when it counts, which a recovery begins anew, and an orderly
    /// restart does not. Whoever resets it by hand leaves one COMMIT in doubt.
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
        // After the status: a crash that comes between the two is seen.
        guard status != "committed" || isSameLife(connection) else { return "unknown" }
        return status
    }

    private func isSameLife(_ connection: PostgresConnection) -> Bool {
        // What cannot be asked is not known.
        let now = (try? connection.execute(Self.lifeQuery))?.rows.first?[0].text
        return !life.isEmpty && now == life
    }
}
