import GateStore

extension Ledger {
    /// Called about once a second: writes the publication behind, cuts a long write-ahead log off, and looks whether a database that failed
    /// has come back.
    package func keepHouse() {
        failures.settle()
        do throws(StoreError) {
            // A second of giving way and no more: where one change follows another, the feeds have to be kept all the same.
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
            // Under the lock, so that what writers wait for it is told by the lock's metric, and not as somebody's own.
            if store.needsCheckpoint { try write { _ throws(StoreError) in _ = try store.checkpoint() } }
            failures.worked(.checkpoint)
        } catch {
            failures.failed(.checkpoint, error)
            note(error)
        }
        // A change that went through meanwhile has shown it as well.
        guard wasIll else { return failures.worked(.probe) }
        // Whether that has come back shows by itself, and nobody need wait for it here.
        guard cutOffSince == nil else { return }
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
}
