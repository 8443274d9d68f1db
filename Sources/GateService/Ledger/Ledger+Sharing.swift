package import GateJSON
import GateModel
import GateStore

/// One of several servers that write to the same database.
extension Ledger {
    /// To be called as soon as another server may have written, and once a second: takes over what it wrote, and finds out whether the database
    /// can be reached. Does nothing where nobody else writes.
    package func lookForNews() {
        guard let store, store.isShared else { return }
        do throws(ServiceError) {
            try learnNewest(from: store)
            failures.worked(.catchingUp)
        } catch {
            failures.failed(.catchingUp, error)
            guard (error.underlying as? StoreError)?.code == .unreadable else { return }
            lost()
        }
    }

    /// When all was known that is in the database, where that is shared and cannot be reached now; nil while it can.
    package var cutOffSince: Timestamp? { look { $0.contact.isLost ? $0.contact.knewAll ?? $0.lastPublished : nil } }

    /// Before something is planned that is to be written: nobody else may have been faster without this server knowing of it. Costs one
    /// question where others write, and nothing where they do not.
    /// - Throws: `unavailable` when the database cannot be asked; then there must be no write either.
    func catchUp() throws(ServiceError) {
        guard let store = look(\.store), store.isShared else { return }
        guard let store = reachableStore else { throw unavailable() }
        do throws(ServiceError) { try learnNewest(from: store) } catch {
            if (error.underlying as? StoreError)?.code == .unreadable { lost() }
            throw error
        }
    }

    /// What is known, and what others have written until now, for plans that nothing is written of. Of a database that is away, what is known.
    var newestSnapshot: Snapshot {
        // Whoever writes is told.
        try? catchUp()
        return snapshot
    }

    private func learnNewest(from store: Store) throws(ServiceError) {
        do throws(ServiceError) { try ask(store) } catch {
            // A session that broke is made anew for whoever asks next: a server that was restarted is none that is away.
            guard (error.underlying as? StoreError)?.code == .unreadable else { throw error }
            try ask(store)
        }
        let isBack = look(\.contact.isLost)
        let time = now()
        heard(at: time)
        if isBack { wake() }
    }

    private func ask(_ store: Store) throws(ServiceError) {
        let newest: (sequence: Int, windows: Int)
        do throws(StoreError) { newest = try store.newest() } catch { throw ServiceError(error) }
        func isNews() -> Bool { look { newest.sequence > $0.catalog.sequence || newest.windows > $0.schedule.version } }
        guard isNews() else { return }
        // What this server has just committed itself is known as soon as it is published.
        giveWay()
        if isNews() { try learn(from: store) }
    }

    /// The database is there again after it was silent: who still waits for an answer of before waits in vain.
    package func heardAgain() { look(\.store)?.giveUpWaits() }

    /// The database cannot be reached: until it was asked again, nobody is made to wait for it, and nobody goes on waiting.
    package func lost() {
        guard let store = look(\.store), store.isShared else { return }
        defer { store.giveUpWaits() }
        mark { state in
            state.contact.lost()
            let since = (state.contact.knewAll ?? state.lastPublished).map { " since \($0)" } ?? ""
            state.troubles[.database] =
                "database: not reachable\(since); the feeds are those of change \(state.catalog.sequence), and changes are refused"
        }
    }

    private func heard(at time: Timestamp) {
        mark { state in
            if state.contact.isLost { state.troubles[.database] = nil }
            state.contact.heard(at: time)
        }
    }
}

extension ServiceError {
    /// Whether another server wrote first, so that what was planned was planned on what is not there any more.
    var isOvertaken: Bool { (underlying as? StoreError)?.code == .conflict }
}
