import Synchronization

/// Lets a few lines of each kind through in a minute and counts the others: what strangers can cause without end must not fill the log.
///
/// Any thread.
final class LineLimit: Sendable {
    /// Lines of one kind, and of all kinds, in a span: some 25 kB of log a minute at the worst.
    static let linesOfKind = 10
    static let lines = 100
    static let span = Duration.seconds(60)
    /// How many kinds are told apart. They come from route tables and from the HTTP library's own texts, so there are some hundreds at
    /// most.
    private static let kinds = 1_000

    private struct State {
        var began: ContinuousClock.Instant?
        var passed = 0
        var passedOfKind: [String: Int] = [:]
        var withheld: [String: Int] = [:]
        /// How many lines of each kind were withheld in spans that are over.
        var finished: [String: Int] = [:]
        var total: UInt64 = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> ContinuousClock.Instant

    init(now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.now = now
    }

    /// Whether a line of that kind may be written now; if not, it is counted.
    func admits(_ kind: String) -> Bool {
        let now = now()
        return state.withLock { state in
            Self.turn(&state, at: now)
            let kind = state.passedOfKind[kind] != nil || state.passedOfKind.count < Self.kinds ? kind : "others"
            let isAdmitted = state.passed < Self.lines && state.passedOfKind[kind, default: 0] < Self.linesOfKind
            state.passedOfKind[kind, default: 0] += isAdmitted ? 1 : 0
            if isAdmitted {
                state.passed += 1
            } else {
                state.withheld[kind, default: 0] += 1
                state.total += 1
            }
            return isAdmitted
        }
    }

    /// Lines withheld so far.
    var withheldCount: UInt64 { state.withLock { $0.total } }

    /// How many lines were withheld in spans that are over, the highest count first; each count is returned once.
    /// - Parameter all: also what was withheld in the present span.
    func takeWithheld(all: Bool = false) -> [(kind: String, count: Int)] {
        let now = now()
        return state.withLock { state in
            Self.turn(&state, at: now, early: all)
            defer { state.finished = [:] }
            return state.finished.map { (kind: $0.key, count: $0.value) }.sorted { ($1.count, $0.kind) < ($0.count, $1.kind) }
        }
    }

    /// Begins a new span when the present one is over.
    private static func turn(_ state: inout State, at now: ContinuousClock.Instant, early: Bool = false) {
        if let began = state.began, now - began < span, !early { return }
        state.finished.merge(state.withheld, uniquingKeysWith: +)
        state.withheld = [:]
        state.passed = 0
        state.passedOfKind = [:]
        state.began = now
    }
}
