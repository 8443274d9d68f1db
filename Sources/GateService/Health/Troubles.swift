import GateModel

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
        /// Feeds that the object store does not have as they are.
        case objects
        /// Native feeds that are not signed as they should be.
        case signing
        /// Keys that are not those which the servers of the database share.
        case keys
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
