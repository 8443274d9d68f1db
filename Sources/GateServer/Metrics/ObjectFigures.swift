/// The state of publishing into an object store, for `/metrics`.
package struct ObjectFigures: Sendable {
    private let pending: Int
    private let seconds: Double
    private let written: Int
    private let failed: Int
    private let mended: Int

    /// - Parameters:
    ///   - pending: objects that are not yet as they should be.
    ///   - seconds: how long the oldest of them has waited; 0 when none is waiting.
    ///   - written: objects written or removed since the start.
    ///   - failed: attempts that failed.
    ///   - mended: objects that somebody else had altered or lost, and that were repaired.
    package init(pending: Int, seconds: Double, written: Int, failed: Int, mended: Int) {
        (self.pending, self.seconds, self.written, self.failed, self.mended) = (pending, seconds, written, failed, mended)
    }

    func write(to text: inout MetricsText) {
        text.add("gatehouse_objects_pending", "gauge", "Feeds whose current state the object store does not have yet.", pending)
        text.add("gatehouse_objects_lag_seconds", "gauge", "How long the object store has been behind; 0 when it is not.", seconds)
        text.add("gatehouse_objects_written_total", "counter", "Objects written or removed.", written)
        text.add("gatehouse_objects_failures_total", "counter", "Attempts at publishing into the object store that failed.", failed)
        text.add(
            "gatehouse_objects_mended_total",
            "counter",
            "Objects that had been altered or lost in the store and were repaired.",
            mended
        )
    }
}
