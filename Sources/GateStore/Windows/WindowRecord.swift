package import GateModel

/// A window as it is kept, with the number of the write that made it so.
package struct WindowRecord: Sendable, Hashable {
    package let window: Window
    /// Counts every write of any window on; from 1.
    package let version: Int
    /// The version that this one takes the place of; nil for a new window. Of no meaning in what was read.
    package let previous: Int?
    /// Whether the server wrote it and it is the last that it wrote. Any other is shown, and nothing comes of it.
    package var isSigned: Bool
    /// The text of its row, where it was made before the write.
    let document: String?

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

    /// The same without the text, to be kept in memory.
    package var written: WindowRecord { WindowRecord(window: window, version: version, previous: previous, isSigned: isSigned) }
}

/// What the clock has to do with, as it was last written.
package struct StoredSchedule: Sendable, Equatable {
    /// Pending and running ones, by identifier.
    package let active: [WindowRecord]
    /// Pending and running ones that cannot be read: what the clock was to do is not known, so it does nothing.
    package var unreadable: [StoreFault] = []
    /// Identifiers of those that were missed and wait for a person.
    package var missed: [Int] = []
    /// The highest identifier that was given, 0 before the first.
    package let lastID: Int
    package let lastVersion: Int
}
