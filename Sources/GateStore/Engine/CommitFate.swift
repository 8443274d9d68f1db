import Foundation
import PostgreSQL

/// Finds out what became of a transaction whose COMMIT was on its way when the connection was lost.
///
/// The server may have carried it out: whoever is told that it failed would do it twice. So the server is asked, as soon as it can be reached
/// again (PostgreSQL manual, 9.27.8, `pg_xact_status`).
struct CommitFate {
    let address: PostgresAddress
    /// As `pg_current_xact_id` told it.
    let transaction: String
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

    private func status() throws -> String {
        var options = PostgresOptions()
        options.connectTimeout = .seconds(1)
        options.statementTimeout = .seconds(1)
        options.answerTimeout = .milliseconds(500)
        let connection = try PostgresConnection(to: address, options)
        defer { connection.close() }
        let answer = try connection.execute("SELECT coalesce(pg_xact_status($1::text::xid8), 'forgotten')", [.text(transaction)])
        return answer.rows.first?[0].text ?? "unknown"
    }
}
