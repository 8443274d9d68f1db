/// How publishing into an object store stands, for `/metrics`.
package struct ObjectFigures: Sendable {
    private let pending: Int
    private let seconds: Double
    private let written: Int
    private let failed: Int
    private let mended: Int

    /// - Parameters:
    ///   - pending: objects that are not yet as they should be.
    ///   - seconds: how long the oldest of them waits; 0 when none does.
    ///   - written: objects written or removed since the start.
    ///   - failed: attempts that failed.
    ///   - mended: objects that somebody else had altered or lost.
    package init(pending: Int, seconds: Double, written: Int, failed: Int, mended: Int) {
        (self.pending, self.seconds, self.written, self.failed, self.mended) = (pending, seconds, written, failed, mended)
    }

    func write(to text: inout MetricsText) {
        text.begin("gatehouse_objects_pending", "gauge", "Feeds that the object store does not have as they are yet.")
        text.sample("gatehouse_objects_pending", [], pending)
        text.begin("gatehouse_objects_lag_seconds", "gauge", "How long the object store has been behind; 0 when it is not.")
        text.sample("gatehouse_objects_lag_seconds", [], seconds)
        text.begin("gatehouse_objects_written_total", "counter", "Objects written or removed.")
        text.sample("gatehouse_objects_written_total", [], written)
        text.begin("gatehouse_objects_failures_total", "counter", "Attempts at publishing into the object store that failed.")
        text.sample("gatehouse_objects_failures_total", [], failed)
        text.begin("gatehouse_objects_mended_total", "counter", "Objects that were not as they had been put there.")
        text.sample("gatehouse_objects_mended_total", [], mended)
    }
}
