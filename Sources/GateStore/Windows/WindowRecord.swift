package import GateModel

/// A stored window, with the number of the write that made it so.
package struct WindowRecord: Sendable, Hashable {
    package let window: Window
    /// Increases with every write of any window; from 1.
    package let version: Int
    /// The version that this one replaces; nil for a new window. Meaningless in a record that was read.
    package let previous: Int?
    /// Whether this is the last state that the server wrote. Any other row is shown, but has no effect.
    package var isSigned: Bool
    /// The text of its row: of a record that is written, if it was made before the write; of one that a list has read, if it is the
    /// window's document as this release writes it.
    package internal(set) var document: String?

    package init(window: Window, version: Int, previous: Int? = nil, isSigned: Bool = true) {
        self.window = window
        self.version = version
        self.previous = previous
        self.isSigned = isSigned
        document = nil
    }

    package init(_ spelled: SpelledWindow, version: Int, previous: Int?) {
        window = spelled.window
        self.version = version
        self.previous = previous
        isSigned = true
        document = spelled.document
    }

    /// The same without the text, for keeping in memory.
    package var written: WindowRecord { WindowRecord(window: window, version: version, previous: previous, isSigned: isSigned) }
}

/// The windows that the clock has to act on, as last written.
package struct StoredSchedule: Sendable, Equatable {
    /// Pending and running windows, by identifier.
    package let active: [WindowRecord]
    /// Pending and running windows that cannot be read: it is unknown what the clock should do, so it does nothing.
    package var unreadable: [StoreFault] = []
    /// Missed windows that wait for a person, by identifier, with the apps that each is about.
    package var missed: [Int: Set<AppKey>] = [:]
    /// Windows that failed within ``failedSeconds``, newest first; at most ``mostFailed``, and of these as many as fit 4 MiB. Among news
    /// only those that are new: a window that failed is written no more.
    package var failed: [Window] = []
    /// The highest identifier that was assigned, 0 before the first.
    package let lastID: Int
    package let lastVersion: Int

    /// How long a window that failed is news, in seconds: a day.
    package static let failedSeconds: Int64 = 86_400
    /// How many of them are kept in mind.
    package static let mostFailed = 100
}
