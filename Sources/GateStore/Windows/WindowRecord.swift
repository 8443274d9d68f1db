package import GateModel

/// A window as it is kept, with the number of the write that made it so.
package struct WindowRecord: Sendable, Hashable {
    package let window: Window
    /// Counts every write of any window on; from 1.
    package let version: Int
    /// The version that this one takes the place of; nil for a new window. Of no meaning in what was read.
    package let previous: Int?

    package init(window: Window, version: Int, previous: Int? = nil) {
        self.window = window
        self.version = version
        self.previous = previous
    }
}

/// What the clock has to do with, as it was last written.
package struct StoredSchedule: Sendable, Equatable {
    /// Pending and running ones, by identifier.
    package let active: [WindowRecord]
    /// The highest identifier that was given, 0 before the first.
    package let lastID: Int
    package let lastVersion: Int
}
