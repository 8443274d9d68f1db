/// Whether the service does all that it is for, in words that a person on call can act on.
package struct Health: Sendable, Hashable {
    package enum State: String, Sendable {
        case ok, degraded, starting
    }

    package let state: State
    /// One short sentence each; empty when all is well.
    package let reasons: [String]

    package init(state: State, reasons: [String]) {
        self.state = state
        self.reasons = reasons
    }
}

/// What is wrong at the moment, by subject, so that each subject can get well by itself.
struct Troubles: Sendable {
    enum Subject: Hashable, Sendable, CaseIterable {
        case database, history
        /// Rows of people, tokens and windows that the server did not write.
        case rows
        /// The history's heads in a second place.
        case anchor
        /// The last good backup is too old.
        case backup
        /// Feeds that cannot be written behind, and feeds that could not be read when there was no database.
        case publication, keptFeeds
        /// What was due and could not be done.
        case schedule
        /// Rows that cannot be read, and the apps that are sealed for it.
        case unreadableRows
    }

    var isStarting = true
    private var reasons: [Subject: String] = [:]

    subscript(subject: Subject) -> String? {
        get { reasons[subject] }
        set { reasons[subject] = newValue }
    }

    var health: Health {
        let reasons = Subject.allCases.compactMap { self.reasons[$0] }
        return Health(state: reasons.isEmpty ? (isStarting ? .starting : .ok) : .degraded, reasons: reasons)
    }
}
