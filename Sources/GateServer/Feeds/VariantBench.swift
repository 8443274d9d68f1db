import GateService
import Synchronization

/// What is needed to make answers for single phones: the same for all feeds.
final class VariantBench: Sendable {
    /// Where they are kept.
    let shelf: VariantShelf
    /// Where polls that name a version are counted.
    let versions = VersionTally()
    /// What native feeds are signed with at the moment.
    let signing = Mutex(FeedSigning.none)

    init(shelf: VariantShelf) { self.shelf = shelf }
}
