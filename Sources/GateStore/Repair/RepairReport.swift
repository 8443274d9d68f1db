package import GateModel

/// What a repair found, and what it did about it.
package struct RepairReport: Sendable, Equatable {
    package enum Treatment: Sendable, Equatable {
        /// It stays as it is, for good or until a newer version can read it; the audit names it from now on.
        case noted
        /// A window that will do nothing more. Its readable parts are kept.
        case ended
        /// Removed without loss: a session, a counter, an answer that was kept for a day.
        case removed
        /// The target has the gate of that revision again.
        case reverted(to: Int)
        /// Somebody has to say which revision to put back; these are possible, the newest first, with their states.
        case undecided([Choice])
        /// Nothing can replace it.
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
    /// The audit entries about it; empty when there was nothing to do.
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
