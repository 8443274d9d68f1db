import GateModel
import GateStore

extension Ledger {
    /// Takes over whatever was committed to the database after the last change known here, whoever committed it: catalog, schedule, newest
    /// changes and feeds are brought up to date.
    ///
    /// Anything unreadable is sealed, as at the start. Costs one look at the database when there is nothing new.
    /// - Parameter store: may also be one that could not be reached just now.
    /// - Returns: whether there was anything.
    /// - Throws: as ``reading(_:)``, also when the history does not go on from the last change known here; then nothing has changed.
    @discardableResult
    func learn(from store: Store) throws(ServiceError) -> Bool {
        guard try news(from: store) != nil else { return false }
        return try write { turn throws(ServiceError) in
            // Checked again: it may have been learned meanwhile.
            guard let news = try news(from: store) else { return false }
            let known = snapshot.catalog
            var catalog = known
            catalog.replace(news.apps, with: news.state, head: news.last)
            var published: [(key: AppKey, app: PublishedApp?)] = []
            var unrendered: Set<AppKey> = []
            for key in news.apps.sorted() where !catalog.sealed.contains(key) {
                do throws(ServiceError) {
                    published.append((key, try catalog.apps[key].map { app throws(ServiceError) in try PublishedApp(rendering: app) }))
                } catch {
                    catalog.seal(key)
                    unrendered.insert(key)
                }
            }
            let faults = news.state.unreadable + news.schedule.unreadable + news.changes.compactMap(\.storeFault)
            let rows: [StoreFault]
            do throws(StoreError) { rows = try store.unnoted(faults) } catch { throw ServiceError(error) }
            sink.publish(published)
            folder.remember(published, upTo: catalog.sequence)
            let schedule = Schedule(news.schedule, after: snapshot.schedule)
            let changes = news.changes.map { change in (change, bytes: change.targets.reduce(0) { $0 + $1.bytes }) }
            alter(in: turn) { [catalog, unrendered] state in
                state.catalog = catalog
                state.schedule = schedule
                // Some changes were left out: readers who do not know them have to start again.
                if let first = news.changes.first, first.previousSequence > known.sequence {
                    state.recent = RecentChanges([], floor: first.previousSequence)
                }
                for (change, bytes) in changes {
                    state.recent.append(change, bytes: bytes)
                    state.lastChanges.take(change, bytes: bytes)
                    state.lastPublished = change.at
                }
                state.unreadable.add(rows)
                for app in news.apps {
                    if !catalog.sealed.contains(app) {
                        state.unreadable.unseal(app)
                    } else if !known.sealed.contains(app) {
                        state.unreadable.seal(app, isServed: known.apps[app] != nil, isRendered: !unrendered.contains(app))
                    }
                }
                state.troubles.set(state.unreadable.reason, on: .unreadableRows)
            }
            for change in news.changes { tell(change) }
            wake()
            return true
        }
    }

    private func news(from store: Store) throws(ServiceError) -> StoredNews? {
        let (catalog, version) = look { ($0.catalog, $0.schedule.version) }
        do throws(StoreError) {
            return try store.news(
                after: catalog.sequence,
                known: catalog.head,
                windows: version,
                limit: 1_000,
                bytes: RecentChanges.room / 2
            )
        } catch { throw ServiceError(error) }
    }
}
