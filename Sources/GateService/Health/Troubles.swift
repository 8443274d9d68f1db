import GateModel

/// What is wrong at the moment, by subject, so that each subject can recover independently.
struct Troubles: Sendable {
    enum Subject: Hashable, Sendable, CaseIterable {
        case database, history
        /// Somebody else has written the database, so that a change did not find what it was planned on.
        case otherWriter
        /// Rows of people, tokens and windows that the server did not write.
        case rows
        /// The copy of the history's heads in a second place.
        case anchor
        /// The last good backup is too old.
        case backup
        /// Feeds that cannot be written to disk in the background; feeds on disk that could not be read when there was no database.
        case publication, keptFeeds
        /// The object store does not have the feeds as they are now.
        case objects
        /// Native feeds that are not signed as they should be.
        case signing
        /// The server's keys are not those that the servers of the database share.
        case keys
        /// The server's clock is not the one that the servers of its database go by.
        case clock
        /// Something was due and could not be done.
        case schedule
        /// Rows that cannot be read, and the apps sealed because of them.
        case unreadableRows
    }

    var isStarting = true
    private var reasons: [Subject: Reason] = [:]

    /// What is wrong, in a sentence.
    struct Reason: Sendable {
        let text: String
        /// The same without names of apps and rows: whether a server is ready may be asked by anybody, and an app that is not out yet must
        /// not become known by it.
        let nameless: String

        /// - Parameter nameless: nil where the text names none.
        init(_ text: String, nameless: String? = nil) { (self.text, self.nameless) = (text, nameless ?? text) }
    }

    /// A reason that names no app and no row.
    subscript(subject: Subject) -> String? {
        get { reasons[subject]?.text }
        set { reasons[subject] = newValue.map { Reason($0) } }
    }

    mutating func set(_ reason: Reason?, on subject: Subject) { reasons[subject] = reason }

    /// - Parameter isNamed: whether its sentences may name apps and rows.
    func health(isNamed: Bool) -> Health {
        let reasons = Subject.allCases.compactMap { self.reasons[$0] }.map { isNamed ? $0.text : $0.nameless }
        return Health(state: reasons.isEmpty ? (isStarting ? .starting : .ok) : .degraded, reasons: reasons)
    }
}
