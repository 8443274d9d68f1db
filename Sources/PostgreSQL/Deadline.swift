/// A moment on a clock that nobody can set.
struct Deadline {
    private let instant: SuspendingClock.Instant

    init(after duration: Duration) { instant = SuspendingClock.now.advanced(by: duration) }

    private init(_ instant: SuspendingClock.Instant) { self.instant = instant }

    func orEarlier(_ duration: Duration) -> Deadline { Deadline(min(instant, SuspendingClock.now.advanced(by: duration))) }

    var isPast: Bool { SuspendingClock.now >= instant }

    /// The time left, for poll(2): rounded up, so that nobody wakes early and polls in a busy loop; 0 when it is past.
    var milliseconds: Int32 {
        let left = SuspendingClock.now.duration(to: instant).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        let (seconds, isTooLong) = left.seconds.multipliedReportingOverflow(by: 1_000)
        return isTooLong ? .max : Int32(clamping: seconds + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}

extension Duration {
    /// Whole milliseconds, rounded up; at least 1, because 0 means "no limit" to PostgreSQL, and at most what PostgreSQL accepts.
    var timeoutMilliseconds: Int {
        let (seconds, isTooLong) = components.seconds.multipliedReportingOverflow(by: 1_000)
        guard !isTooLong else { return Int(Int32.max) }
        return Int(max(1, min(Int64(Int32.max), seconds + (components.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)))
    }

    /// `10 s`, `1500 ms`
    var inWords: String { components.attoseconds == 0 ? "\(components.seconds) s" : "\(timeoutMilliseconds) ms" }
}
