package import GateStore
import Synchronization

/// The keys that a running server signs native feeds with: those in its ``FeedKeyFolder``, as far as they can be read.
///
/// Thread-safe; ``look()`` is for one thread.
package final class FeedSigner: Sendable {
    private struct State: Sendable {
        var signing = FeedSigning.none
        /// Stamp of the file that it was read from.
        var stamp: FeedKeyFolder.Stamp?
        /// Whether the last try to read the file failed.
        var isFaulty = false
        /// Whether it failed because there is no file, where there was one.
        var isGone = false
    }

    private let folder: FeedKeyFolder
    private let state = Mutex(State())

    package init(folder: FeedKeyFolder) { self.folder = folder }

    /// What to sign with now.
    package var signing: FeedSigning { state.withLock { $0.signing } }

    /// Why feeds are not signed as they should be, for the health; nil when they are. Names no key: anybody may ask.
    package var fault: String? {
        let (signing, isFaulty, isGone) = state.withLock { ($0.signing, $0.isFaulty, $0.isGone) }
        if signing.hasFailed { return "signing: a signature did not verify and was held back; check the machine's memory and restart" }
        guard isFaulty else { return nil }
        let what = "signing: keys/signing.json \(isGone ? "is missing" : "cannot be read")"
        return signing.list == nil
            ? "\(what); native feeds are served unsigned"
            : "\(what); native feeds are signed with the keys that were read before"
    }

    /// Reads the keys if the file has changed; to be called about twice a second, and before the first feed is published. Costs one look at
    /// the file when there is nothing new.
    ///
    /// Keys that were read once go on signing while the file cannot be read, or is gone: to end signing, retire the key. A start without
    /// the file is no first start if the data folder remembers that feeds were signed.
    /// - Returns: whether ``signing`` has changed.
    /// - Throws: the errors of reading the keys.
    package func look() throws(StoreError) -> Bool {
        let stamp = folder.stamp
        let isKnown = state.withLock { !$0.isFaulty && $0.stamp == stamp }
        // No file is no news, except where there was one.
        if isKnown, stamp != nil || !folder.wasSigned { return false }
        do throws(StoreError) {
            let ring = try folder.read()
            if ring == nil, folder.wasSigned || state.withLock({ $0.stamp != nil }) {
                throw StoreError(
                    .notFound,
                    "The keys that feeds are signed with are gone",
                    hint:
                        "Put keys/signing.json back from a copy of keys/. If there is none, run gatehouse keys add: apps must learn the new key. To end signing, run gatehouse keys retire --force then."
                )
            }
            if let ring { folder.remember(ring) }
            state.withLock { state in
                state = State(signing: ring.map(FeedSigning.init) ?? .none, stamp: stamp)
            }
            return true
        } catch {
            return try state.withLock { state throws(StoreError) in
                let isFirst = state.stamp == nil && !state.isFaulty
                state.isFaulty = true
                state.isGone = error.code == .notFound
                guard isFirst else { throw error }
                state.signing = .unknown
                throw error
            }
        }
    }
}
