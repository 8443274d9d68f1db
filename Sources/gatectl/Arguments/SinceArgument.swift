import ArgumentParser
import GateJSON
import GateModel

/// `--since`, of history and audit.
enum SinceArgument {
    static func validate(_ since: String?) throws {
        guard let since, Span(argument: since) == nil else { return }
        do throws(TimeFault) { _ = try Timestamp(entering: since) } catch {
            throw ValidationError(
                error == .years ? TimeFault.outside("--since") : "--since is a span such as 24h, or a time such as 2026-03-30T09:00:00Z."
            )
        }
    }

    /// The time for a query: a span counts back from a clock.
    /// - Parameter now: asks the server for its clock; only when there is a span.
    static func time(_ since: String?, now: () async throws -> Timestamp) async throws -> String? {
        guard let span = since.flatMap(Span.init(argument:)) else { return since }
        // A very long span means everything.
        return max(.earliest, try await now().advanced(bySeconds: -Int64(span.seconds))).description
    }
}
