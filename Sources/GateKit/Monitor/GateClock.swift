public import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Time, passed in so that tests need not wait.
public protocol GateClock: Sendable {
    /// The current time by the phone's clock. It may be wrong: it never ends a kill switch.
    var now: Date { get }
    /// Seconds that only ever go forward, even while the phone sleeps.
    var uptime: TimeInterval { get }
    /// - Throws: `CancellationError` if the task is cancelled first.
    func sleep(seconds: TimeInterval) async throws
}

/// The phone's own clock.
public struct SystemGateClock: GateClock {
    public init() {}

    public var now: Date { Date() }

    public var uptime: TimeInterval {
        var time = timespec()
        #if canImport(Darwin)
            // On Apple's systems this clock keeps running while the phone sleeps.
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return TimeInterval(time.tv_sec) + TimeInterval(time.tv_nsec) / 1_000_000_000
    }

    // `Duration` needs iOS 16.
    public func sleep(seconds: TimeInterval) async throws {
        try await Task.sleep(nanoseconds: UInt64(min(max(seconds, 0), 1_000_000) * 1_000_000_000))
    }
}
