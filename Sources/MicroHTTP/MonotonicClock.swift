import Glibc

/// Nanoseconds on the clock that no one sets (CLOCK_MONOTONIC). Read twice for every poll, hence not `ContinuousClock`,
/// whose instants are wider and count time asleep.
enum MonotonicClock {
    @inline(__always)
    static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(bitPattern: Int64(time.tv_sec)) &* 1_000_000_000 &+ UInt64(bitPattern: Int64(time.tv_nsec))
    }
}

extension Duration {
    /// Whole nanoseconds, at least 0 and at most 292 years.
    var nanosecondCount: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? UInt64(Int64.max) : UInt64(product) + UInt64(attoseconds / 1_000_000_000)
    }
}
