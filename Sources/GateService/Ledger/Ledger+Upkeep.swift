import GateModel
import GateStore

extension Ledger {
    /// To be called about once a second: writes pending feeds to disk, truncates a long write-ahead log, and checks whether a failed
    /// database has come back.
    package func keepHouse() {
        failures.settle()
        if folder.isTouched { rememberEverything() }
        do throws(StoreError) {
            // Gives way for at most a second: even while one change follows another, the feeds have to be written.
            let begun = ContinuousClock.now
            try folder.flush { if ContinuousClock.now - begun < .seconds(1) { giveWay() } }
            failures.worked(.publication)
            report(nil, on: .publication)
        } catch {
            failures.failed(.publication, error)
            report("publication: the feeds could not be written to disk", on: .publication)
        }
        let (store, wasIll) = look { ($0.store, $0.troubles[.database] != nil) }
        guard let store else { return }
        do throws(StoreError) {
            // Under the lock, so that the time writers wait for it shows in the lock's metric and not as their own.
            if store.needsCheckpoint { try write { _ throws(StoreError) in _ = try store.checkpoint() } }
            failures.worked(.checkpoint)
        } catch {
            failures.failed(.checkpoint, error)
            note(error)
        }
        // Nothing to probe: if the database was ill, a successful change has shown that it works again.
        guard wasIll else { return failures.worked(.probe) }
        // A shared database's return is noticed elsewhere, and nobody should have to wait for it here. The probe's own rows may well be
        // free while those of the history are locked.
        guard look({ !$0.contact.isLost && !$0.contact.isHeld }) else { return }
        write { _ in
            do throws(StoreError) {
                try store.probeWriting()
                failures.worked(.probe)
                report(nil, on: .database)
            } catch {
                failures.failed(.probe, error)
                note(error)
            }
        }
    }

    /// Has the feeds of every app written to the disk again, where they are missing. One app per turn: no writer waits for all of them.
    private func rememberEverything() {
        // A database that is behind what was published must not replace it.
        guard isHistorySound else { return }
        for key in snapshot.catalog.apps.values.map(\.key) {
            giveWay()
            write { _ in
                let catalog = snapshot.catalog
                // An app that cannot be rendered is sealed, and its file stays as it is.
                guard let app = catalog.apps[key], let published = try? PublishedApp(rendering: app) else { return }
                folder.remember([(key, published)], upTo: catalog.sequence)
            }
        }
    }
}
