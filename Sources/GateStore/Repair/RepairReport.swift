package import GateModel

/// What a repair found, and what became of it.
package struct RepairReport: Sendable, Equatable {
    package enum Treatment: Sendable, Equatable {
        /// It stays as it is, for ever or until a newer version can read it; the audit names it from now on.
        case noted
        /// A window that will do nothing more. What could be read of it is kept.
        case ended
        /// Nothing is lost with it: a session, a counter, an answer that was kept for a day.
        case removed
        /// The target has the gate of that revision again.
        case reverted(to: Int)
        /// Somebody has to say what is to be put back; the revisions that can be, the newest first, with the state that they are.
        case undecided([Choice])
        /// Nothing can be put in its place.
        case left
    }

    package struct Choice: Sendable, Equatable {
        package let revision: Int
        package let state: GateState
    }

    package struct TreatedRow: Sendable, Equatable {
        package let fault: StoreFault
        package let outcome: Treatment
    }

    /// Rows that cannot be read and were not noted before.
    package var rows: [TreatedRow] = []
    /// The entries of the audit that tell of it; empty when there was nothing to do.
    package var entries: [Int] = []
    /// The file in the data folder that holds what was replaced; nil when nothing was.
    package var keptFile: String?

    /// Whether something still needs a person.
    package var isUnfinished: Bool {
        rows.contains { row in
            switch row.outcome {
            case .undecided, .left: true
            default: false
            }
        }
    }
}
