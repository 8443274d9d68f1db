import GateModel
package import GateStore

extension Ledger {
    /// Reads everything from the store, renders and publishes it. The database takes precedence over what was published before.
    ///
    /// Unreadable parts do not stop the rest: an app is sealed and its last published feeds are served, a window does nothing, and the
    /// health names the rows.
    /// - Throws: the errors of reading the store.
    /// - Parameter isBehind: the database is known to be older than what was published; the published feeds are then kept, and none is
    ///   replaced or removed.
    package func start(with store: Store, isBehind: Bool = false) throws(StoreError) {
        try write { turn throws(StoreError) in
            let stored = try store.loadState()
            var catalog = Catalog(stored, head: try store.chainHead(at: stored.lastSequence))
            let windows = try store.loadSchedule()
            let schedule = Schedule(windows)
            // Another server may have written since the state was read; its changes are learned later, and would then be here twice.
            let known = ChangeQuery(before: stored.lastSequence + 1, limit: 200)
            let recent = try store.changes(known, bytes: RecentChanges.room / 2).changes
            let faults = stored.unreadable + windows.unreadable + recent.compactMap(\.storeFault)
            var unrendered: Set<AppKey> = []
            var published: [(key: AppKey, app: PublishedApp?)] = []
            for app in stored.apps {
                do throws(ServiceError) { published.append((app.key, try PublishedApp(rendering: app))) } catch {
                    catalog.seal(app.key)
                    unrendered.insert(app.key)
                }
            }
            var unreadable = UnreadableRows()
            unreadable.add(try store.unnoted(faults))
            let kept = catalog.sealed.sorted().map { (key: $0, app: folder.load($0)) }
            for (key, app) in kept { unreadable.seal(key, isServed: app != nil, isRendered: !unrendered.contains(key)) }
            let gone = look(\.provisional).filter { catalog.apps[$0] == nil && !catalog.sealed.contains($0) }
            if isBehind {
                let known = Set(published.map(\.key))
                sink.publish(published + kept.filter { $0.app != nil })
                serveKept(beside: known)
            } else {
                sink.publish(gone.map { ($0, nil) } + published + kept.filter { $0.app != nil })
                let missing = kept.filter { $0.app == nil }.map(\.key)
                sink.set(missing.isEmpty ? .none : .apps(Set(missing)))
                folder.remember(gone.map { ($0, nil) } + published, upTo: catalog.sequence)
                do throws(StoreError) {
                    try folder.forgetOthers(than: Set(catalog.apps.values.map(\.key)).union(catalog.sealed))
                    failures.worked(.oldPublication)
                } catch { failures.failed(.oldPublication, error) }
            }
            let time = now()
            alter(in: turn) { [catalog] state in
                state.contact.heard(at: time)
                state.isOtherHistory = false
                state.catalog = catalog
                state.schedule = schedule
                state.reading += 1
                state.lastChanges = LastChanges()
                state.recent = RecentChanges(recent.reversed(), floor: (recent.last?.sequence ?? stored.lastSequence + 1) - 1)
                state.lastPublished = recent.first?.at
                state.store = store
                state.provisional = []
                state.unreadable = unreadable
                state.troubles.set(unreadable.reason, on: .unreadableRows)
                // A database that comes back late must also be checked before anything is written to it.
                state.troubles.isStarting = true
                state.troubles[.database] = nil
                state.troubles[.keptFeeds] = nil
            }
        }
    }

    /// Serves what was published last, because the database cannot be read; writes are refused until ``start(with:)``.
    /// - Returns: the damaged files that were left out.
    package func startFromPublication(because error: StoreError) -> [String] {
        write { turn in
            let (apps, damaged) = serveKept()
            alter(in: turn) { state in
                state.provisional = apps.map(\.key)
                state.troubles.isStarting = false
                state.troubles[.database] = Health.reason(error)
                state.troubles.set(Self.reason(damaged: damaged), on: .keptFeeds)
            }
            return damaged
        }
    }

    private static func reason(damaged: [String]) -> Troubles.Reason? {
        guard !damaged.isEmpty else { return nil }
        let names = damaged.joined(separator: ", ")
        return .init("damaged: publication of \(names)", nameless: "damaged: some kept feeds cannot be read")
    }

    /// Publishes what was published last, and marks any other feeds that may exist as unreadable.
    /// - Parameter known: apps whose feeds were just published; if there is a kept copy, it takes precedence.
    @discardableResult
    private func serveKept(beside known: Set<AppKey> = []) -> (apps: [PublishedApp], damaged: [String]) {
        var (apps, damaged): ([PublishedApp], [String]) = ([], [])
        do throws(StoreError) { (apps, damaged) = try folder.load() } catch {
            failures.failed(.keptFeeds, error)
            damaged = ["all apps"]
        }
        sink.publish(apps.map { ($0.key, $0) })
        let unread = damaged.map { $0.hasSuffix(".json") ? AppKey(String($0.dropLast(5))) : nil }
        // An empty folder does not tell whether there ever was anything in it.
        let isUnknown = unread.contains(nil) || (apps.isEmpty && known.isEmpty && damaged.isEmpty)
        sink.set(isUnknown ? .all : damaged.isEmpty ? .none : .apps(Set(unread.compactMap(\.self))))
        return (apps, damaged)
    }

    /// Takes the store out of use so that it can be closed; feeds continue, writes are refused until ``start(with:)``. Waits for a write
    /// that is under way.
    package func suspend(because error: StoreError) {
        write { turn in
            alter(in: turn) { state in
                state.store = nil
                state.troubles[.database] = Health.reason(error)
            }
        }
    }

    /// All rows have been looked through, and these unreadable ones were found.
    package func found(unreadable rows: [StoreFault]) { report(unreadable: rows) }

    /// The history has been checked: writes may begin, or must not.
    package func historyChecked(fault: String?) {
        mark { state in
            state.troubles.isStarting = false
            // What was found since the check began is not in what it read.
            if state.isOtherHistory, fault == nil { return }
            state.isOtherHistory = false
            state.troubles[.history] = fault
        }
        wake()
    }

    /// The rows of people, tokens and windows have been checked; nil when the server wrote all of them.
    package func rowsChecked(fault: String?) { report(fault, on: .rows) }

    /// Whether the history was checked and is intact, so that this is the database that belongs here.
    package var isHistorySound: Bool { look { !$0.troubles.isStarting && $0.troubles[.history] == nil } }

    /// Reports whether backups are made as often as they should be; nil when they are.
    func backedUp(fault: String?) { report(fault, on: .backup) }

    /// Reports whether the history's heads could be copied to a second place; nil when they were.
    package func anchorCopied(fault: String?) { report(fault, on: .anchor) }

    /// Reports whether native feeds are signed as they should be; nil when they are.
    package func signed(fault: String?) { report(fault, on: .signing) }

    /// Reports whether the server has the keys that the servers of its database share; nil when it does.
    package func sharedKeys(fault: String?) { report(fault, on: .keys) }

    /// Reports whether the object store has the current feeds; a fault once it has not for a while.
    package func storedObjects(fault: String?) { report(fault, on: .objects) }

    /// The identity of the history that the feeds belong to, as ``Store/historyID()``; nil before the first change, and until it is known
    /// that this database is the one that belongs here.
    package func historyID() throws(StoreError) -> String? {
        guard isHistorySound, let store else { return nil }
        return try store.historyID()
    }
}
