import Synchronization

/// What a bucket says about itself: its mark (who may write there) and its list of paths (what is there), with what is remembered of both.
///
/// Thread-safe; writes of the mark or the list wait for one another.
final class BucketIndex: Sendable {
    private struct Known {
        /// Nil until it has been read.
        var mark: BucketMark?
        /// Every path where there may be an object; nil until the list has been read.
        var paths: Set<String>?
        /// The paths as last read, without those added since.
        var listed: Set<String> = []
        /// The list as it is in the bucket: a store that lost it gets it again with the next write.
        var stored: Set<String>?
    }

    private let bucket: Bucket
    private let goesOverNewer: Bool
    private let known = Mutex(Known())
    private let writing = Mutex<Void>(())

    /// - Parameter goesOverNewer: newer documents are replaced: an operator has decided so.
    init(_ bucket: Bucket, goesOverNewer: Bool) {
        self.bucket = bucket
        self.goesOverNewer = goesOverNewer
    }

    /// Makes the next write read the mark again: somebody else may have published meanwhile.
    func forgetMark() { known.withLock { $0.mark = nil } }

    /// Whether the list named this path when it was last read.
    func wasListed(_ path: String) -> Bool { known.withLock { $0.listed.contains(path) } }

    /// Reads the list of paths, and makes the next write read the mark again.
    /// - Returns: every path where there may be an object; those of the list, and those known from before.
    func read() throws(ObjectStoreError) -> Set<String> {
        var paths: Set<String> = []
        var isThere = false
        if let found = try bucket.object(at: BucketPaths.path) {
            guard let read = BucketPaths.read(found.object.body) else {
                throw ObjectStoreError(
                    .foreign,
                    "\(bucket.address)\(BucketPaths.path) is not a list of paths; remove that object if nothing else uses this prefix."
                )
            }
            (paths, isThere) = (read, true)
        }
        return known.withLock { known in
            let all = paths.union(known.paths ?? [])
            (known.mark, known.paths, known.listed, known.stored) = (nil, all, paths, isThere ? paths : nil)
            return all
        }
    }

    /// - Throws: when the feeds there belong to another history or are newer. Otherwise the bucket's mark afterwards covers at least what
    ///   `mark` does.
    func admit(_ mark: BucketMark) throws(ObjectStoreError) {
        try writing.withLock { _ throws(ObjectStoreError) in
            if let known = known.withLock({ $0.mark }), known.sequence >= mark.sequence { return }
            let present = try readMark()
            if let theirs = present?.history, let ours = mark.history, theirs != ours {
                throw ObjectStoreError(
                    .foreign,
                    "\(bucket.address) has the feeds of another console (history \(theirs)); publish to a prefix of your own, or empty that one."
                )
            }
            try refuseNewer(present?.sequence, than: mark)
            // Never lower: a later server that knows fewer changes must not overwrite these feeds either.
            let next = BucketMark(history: mark.history ?? present?.history, sequence: max(mark.sequence, present?.sequence ?? 0))
            if next != present { try bucket.put(next.object, at: BucketMark.path, sequence: mark.sequence) }
            known.withLock { $0.mark = next }
        }
    }

    private func readMark() throws(ObjectStoreError) -> BucketMark? {
        guard let found = try bucket.object(at: BucketMark.path) else { return nil }
        guard let read = BucketMark(found.object.body) else {
            throw ObjectStoreError(
                .foreign,
                "\(bucket.address)\(BucketMark.path) is not the mark of a publisher; remove that object if nothing else uses this prefix."
            )
        }
        return read
    }

    /// - Throws: when what is there comes from a later change than `mark`, unless newer documents may be replaced.
    func refuseNewer(_ sequence: Int?, than mark: BucketMark) throws(ObjectStoreError) {
        guard let sequence, sequence > mark.sequence, !goesOverNewer else { return }
        throw ObjectStoreError(
            .newer,
            "\(bucket.address) has the feeds up to change \(sequence), and this is change \(mark.sequence): older feeds never replace newer ones. See whether another server publishes there, or restore the newer backup."
        )
    }

    /// Adds these paths to the list, before there are documents at them.
    func note(_ paths: Set<String>, as mark: BucketMark) throws(ObjectStoreError) {
        try write(as: mark) { $0.union(paths) }
    }

    /// Removes these paths from the list, after their documents are gone.
    func forget(_ paths: Set<String>, as mark: BucketMark) throws(ObjectStoreError) {
        try write(as: mark) { $0.subtracting(paths) }
    }

    private func write(as mark: BucketMark, _ next: (Set<String>) -> Set<String>) throws(ObjectStoreError) {
        try writing.withLock { _ throws(ObjectStoreError) in
            let (present, stored) = known.withLock { ($0.paths ?? [], $0.stored) }
            let paths = next(present)
            guard paths != stored else { return }
            try bucket.put(BucketPaths.object(paths), at: BucketPaths.path, sequence: mark.sequence)
            known.withLock { ($0.paths, $0.stored) = (paths, paths) }
        }
    }
}
