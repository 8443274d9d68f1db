package import GateJSON
import GateModel
package import GateStore

/// One of several servers that write to the same database.
extension Ledger {
    /// Takes over what other servers wrote, and finds out whether the database can be reached. To be called as soon as another server may
    /// have written, and once a second. Does nothing when the database is not shared.
    package func lookForNews() {
        guard let store, store.isShared else { return }
        do throws(ServiceError) {
            try learnNewest(from: store)
            failures.worked(.catchingUp)
        } catch {
            failures.failed(.catchingUp, error)
            cannotAsk(error)
        }
    }

    /// For a shared database that cannot be reached now: when everything in it was last known here. Nil while it can be reached.
    package var cutOffSince: Timestamp? { look { $0.contact.isLost ? $0.contact.knewAll ?? $0.lastPublished : nil } }

    /// To be called before planning anything that will be written: makes sure no other server wrote without this one knowing. Costs one
    /// query where others write, and nothing where they do not.
    /// - Throws: `unavailable` when the database cannot be asked; nothing may be written then.
    func catchUp() throws(ServiceError) {
        guard let store = look(\.store), store.isShared else { return }
        guard let store = reachableStore else { throw unavailable() }
        do throws(ServiceError) { try learnNewest(from: store) } catch {
            cannotAsk(error)
            throw error
        }
    }

    /// A snapshot that includes what others have written until now, for plans that write nothing. If the database is away, what is known.
    var newestSnapshot: Snapshot {
        // Losing the error is safe here: whoever writes gets it.
        try? catchUp()
        return snapshot
    }

    private func learnNewest(from store: Store) throws(ServiceError) {
        let wasLost = look(\.contact.isLost)
        do throws(ServiceError) { try ask(store) } catch {
            // A broken connection is reopened by the next query: a database server that was restarted is not away. One that was found to be
            // away meanwhile would be waited for once more, for seconds.
            guard (error.underlying as? StoreError)?.code == .unreadable, wasLost || !look(\.contact.isLost) else { throw error }
            try ask(store)
        }
        let isBack = look(\.contact.isLost)
        let time = now()
        heard(at: time)
        if isBack { wake() }
    }

    private func ask(_ store: Store) throws(ServiceError) {
        let newest: Store.Newest
        let known = look(\.catalog.head)
        do throws(StoreError) { newest = try store.newest(after: known) } catch { throw ServiceError(error) }
        try judge(newest, known: known)
        func isNews() -> Bool { look { newest.sequence > $0.catalog.sequence || newest.windows > $0.schedule.version } }
        guard isNews() else { return }
        // The news may be what this server has just committed itself; that is known once it is published.
        giveWay()
        if isNews() { try learn(from: store) }
    }

    /// A database server that failed over to a copy that lags behind, or was given an older backup, lacks what phones were told: the feeds
    /// stay as they are, and nothing is written that others would take for the truth. It may be the lagging copy only for a moment.
    private func judge(_ newest: Store.Newest, known: ChainHead?) throws(ServiceError) {
        let (fault, wasOther) = look { ($0.troubles[.history], $0.isOtherHistory) }
        guard newest.isOther, let known else {
            guard wasOther else { return }
            mark { state in
                state.isOtherHistory = false
                // A check of the whole history may have found something else meanwhile.
                if state.troubles[.history] == fault { state.troubles[.history] = nil }
            }
            return wake()
        }
        let found = "history: the database does not have change \(known.sequence) as it was published; an older one is in its place"
        mark { state in
            if !state.isOtherHistory, state.troubles[.history] != nil { return }
            state.isOtherHistory = true
            state.troubles[.history] = found
        }
        // It answers, even so.
        heard(at: now())
        throw Self.damaged(found)
    }

    /// The database answers again after a silence: requests still waiting for an earlier answer would wait in vain.
    package func heardAgain() { giveUpWaits() }

    /// Whoever has waited for a shared database for more than a second waits no longer, and gets an error.
    package func giveUpWaits() { look(\.store)?.giveUpWaits() }

    /// The database takes no writes, as was found without a change; the housekeeper's probe finds out when it does again.
    package func cannotWrite() {
        mark { state in
            guard state.troubles[.database] == nil else { return }
            state.troubles[.database] = Health.reason(StoreError(.readOnly, "The database takes no writes"))
        }
    }

    /// Seconds that a server's clock may differ from the database's: any two servers then agree within a minute.
    private static let clockPatience = 30

    /// Compares this server's clock with that of the database, which all of its servers share: one that is wrong would begin windows early
    /// or late when it has the clock's duty, and nobody who looks at another server would see why.
    /// - Parameter seconds: how far it is ahead; less than 0 if it is behind.
    package func clockLeads(by seconds: Int) {
        let isWrong = abs(seconds) > Self.clockPatience
        // Without the number, so that the reason stays the same while it lasts.
        let side = seconds > 0 ? "ahead of" : "behind"
        report(
            isWrong ? "clock: it is more than \(Self.clockPatience) s \(side) the database's; windows begin and end by it" : nil,
            on: .clock
        )
    }

    /// Whether ``clockLeads(by:)`` found this server's clock wrong.
    var isClockOff: Bool { look { $0.troubles[.clock] != nil } }

    /// How fit this server is for the clock's duty, by what it knows to be wrong with itself.
    package var dutyFitness: DutyFitness {
        look { state in
            // Without its keys it does not know of all windows; what the others committed since, it does not know at all.
            let lacks = [Troubles.Subject.database, .history, .rows, .keys].contains { state.troubles[$0] != nil }
            if state.store == nil || lacks { return .unable }
            return state.troubles[.clock] == nil ? .fit : .clockIsOff
        }
    }

    /// Notes why what is new could not be asked for, as far as that says something about the database.
    private func cannotAsk(_ error: ServiceError) {
        guard let error = error.underlying as? StoreError else { return }
        switch error.code {
        case .unreadable: lost()
        case .busy:
            mark { state in
                state.contact.held()
                state.troubles[.database] = Health.reason(error)
            }
        default: break
        }
    }

    /// The database cannot be reached: until it has been asked again, nobody starts to wait for it, and nobody keeps waiting.
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
            if state.contact.isLost || state.contact.isHeld { state.troubles[.database] = nil }
            state.contact.heard(at: time)
        }
    }
}

extension ServiceError {
    /// Whether another server wrote first, so that the plan was made on an outdated state.
    var isOvertaken: Bool { (underlying as? StoreError)?.code == .conflict }
}
