import GateModel

/// Everything that plans are made on, at one moment. Taking one costs nothing and keeps nobody waiting.
struct Snapshot: Sendable {
    let catalog: Catalog
    let schedule: Schedule
    /// Which reading of the database it comes from: two readings may have the same sequence and different content.
    let reading: Int

    /// Whether nothing at all was written between the two.
    func isSame(as other: Snapshot) -> Bool {
        reading == other.reading && catalog.sequence == other.catalog.sequence && schedule.version == other.schedule.version
    }

    /// Whether a plan of gates would say the same about these apps: neither they nor any window were written in between.
    func agrees(with other: Snapshot, about apps: some Sequence<AppKey>) -> Bool {
        reading == other.reading && schedule.version == other.schedule.version
            && apps.allSatisfy { catalog.apps[$0] == other.catalog.apps[$0] }
    }
}
