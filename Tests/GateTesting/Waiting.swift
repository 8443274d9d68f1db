import Foundation

/// What did not come about in time.
package struct WaitedInVain: Error, CustomStringConvertible {
    package let description: String

    init(_ what: String, _ limit: Duration) { description = "waited in vain for \(limit.components.seconds) s until \(what)" }
}

/// Waits until something is so that the product comes to by itself. Whoever waits without an end holds up the whole run, and nobody learns
/// what was waited for.
/// - Parameters:
///   - what: as a sentence goes on after "until".
///   - limit: far longer than it takes, also on a machine that others use.
///   - pause: between two questions.
/// - Throws: ``WaitedInVain`` when the limit is over, and what the question throws.
package func waitUntil(
    _ what: String,
    limit: Duration = .seconds(60),
    pause: Duration = .milliseconds(10),
    isolation: isolated (any Actor)? = #isolation,
    _ isSo: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !isSo() {
        guard ContinuousClock.now < end else { throw WaitedInVain(what, limit) }
        try await Task.sleep(for: pause)
    }
}

/// The same in a test that keeps its thread: a suite's limit of time tells of such a test but cannot end it.
@available(*, noasync)
package func blockUntil(_ what: String, limit: Duration = .seconds(60), _ isSo: () throws -> Bool) throws {
    let end = ContinuousClock.now + limit
    while try !isSo() {
        guard ContinuousClock.now < end else { throw WaitedInVain(what, limit) }
        usleep(1_000)
    }
}
