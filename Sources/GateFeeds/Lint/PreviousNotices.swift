package import GateModel

/// A target's last notices that are no longer in force, but that phones still remember.
package struct PreviousNotices: Sendable, Hashable {
    /// The default text of the last alert that did not block; nil if there was none, or if one is in force.
    package var alert: String?
    /// The last optional update; nil if there was none, or if one is in force.
    package var optionalUpdate: OptionalUpdate?

    package init(alert: String? = nil, optionalUpdate: OptionalUpdate? = nil) {
        self.alert = alert
        self.optionalUpdate = optionalUpdate
    }
}
