import GateModel

/// Everything that plans are made on, of one moment. Taking one costs nothing and keeps nobody waiting.
struct Snapshot: Sendable {
    let catalog: Catalog
    let schedule: Schedule
    /// Which reading of the database it comes from: two may have the same sequence and not the same content.
    let reading: Int

    /// Whether nothing at all was written between the two.
    func isSame(as other: Snapshot) -> Bool {
        reading == other.reading && catalog.sequence == other.catalog.sequence && schedule.version == other.schedule.version
    }

    /// Whether what a plan of gates says of these apps would come out the same: neither they nor any window were written in between.
    func agrees(with other: Snapshot, about apps: some Sequence<AppKey>) -> Bool {
        reading == other.reading && schedule.version == other.schedule.version
            && apps.allSatisfy { catalog.apps[$0] == other.catalog.apps[$0] }
    }
}
