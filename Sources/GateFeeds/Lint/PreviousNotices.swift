package import GateModel

/// The last notices of a target that are no longer in force, and that phones still remember.
package struct PreviousNotices: Sendable, Hashable {
    /// The default text of the last alert that was not blocking; nil where there was none, or where one is in force.
    package var alert: String?
    /// The last optional update; nil where there was none, or where one is in force.
    package var optionalUpdate: OptionalUpdate?

    package init(alert: String? = nil, optionalUpdate: OptionalUpdate? = nil) {
        self.alert = alert
        self.optionalUpdate = optionalUpdate
    }
}
