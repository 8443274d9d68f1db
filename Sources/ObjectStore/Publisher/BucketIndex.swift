import Synchronization

/// What a bucket says of itself, its mark and its list of paths, and what is known of the two: who may write there, and what is there.
///
/// Thread-safe; of two that write the mark or the list, one waits for the other.
final class BucketIndex: Sendable {
    private struct Known {
        /// Nil until it was read.
        var mark: BucketMark?
        /// Every path that there may be something at; nil until they were read.
        var paths: Set<String>?
        /// Those of the last reading, before any was added.
        var listed: Set<String> = []
    }

    private let bucket: Bucket
    private let goesOverNewer: Bool
    private let known = Mutex(Known())
    private let writing = Mutex<Void>(())

    /// - Parameter goesOverNewer: newer documents are replaced, which somebody has decided.
    init(_ bucket: Bucket, goesOverNewer: Bool) {
        self.bucket = bucket
        self.goesOverNewer = goesOverNewer
    }

    /// Has the mark read again before the next write: somebody else may have published meanwhile.
    func forgetMark() { known.withLock { $0.mark = nil } }

    /// Whether there was something at a path when the list was read last.
    func wasListed(_ path: String) -> Bool { known.withLock { $0.listed.contains(path) } }

    /// Reads the list of paths, and has the mark read again before the next write.
    func read() throws(ObjectStoreError) -> Set<String> {
        var paths: Set<String> = []
        if let found = try bucket.object(at: BucketPaths.path) {
            guard let read = BucketPaths.read(found.object.body) else {
                throw ObjectStoreError(
                    .foreign,
                    "\(bucket.address)\(BucketPaths.path) is no list of paths; remove that object if nothing else uses this prefix."
                )
            }
            paths = read
        }
        known.withLock { known in
            known.mark = nil
            known.listed = paths
            known.paths = paths.union(known.paths ?? [])
        }
        return paths
    }

    /// - Throws: when the feeds there are another history's, or newer. Otherwise the bucket's mark says at least what `mark` does.
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
            // Never lower: a server that has not come as far as the one before must not go over this either.
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
                "\(bucket.address)\(BucketMark.path) is no mark of a publisher; remove that object if nothing else uses this prefix."
            )
        }
        return read
    }

    /// - Throws: when what is there is of a later change than `mark`, unless that may be replaced.
    func refuseNewer(_ sequence: Int?, than mark: BucketMark) throws(ObjectStoreError) {
        guard let sequence, sequence > mark.sequence, !goesOverNewer else { return }
        throw ObjectStoreError(
            .newer,
            "\(bucket.address) has the feeds up to change \(sequence), and this is change \(mark.sequence): nothing older is put over them. See whether another server publishes there, or restore the newer backup."
        )
    }

    /// Writes down that there will be documents at these paths, before there are any.
    func note(_ paths: Set<String>, as mark: BucketMark) throws(ObjectStoreError) {
        try write(as: mark) { $0.union(paths) }
    }

    /// The same of those that are gone, after they are.
    func forget(_ paths: Set<String>, as mark: BucketMark) throws(ObjectStoreError) {
        try write(as: mark) { $0.subtracting(paths) }
    }

    private func write(as mark: BucketMark, _ next: (Set<String>) -> Set<String>) throws(ObjectStoreError) {
        try writing.withLock { _ throws(ObjectStoreError) in
            let present = known.withLock { $0.paths } ?? []
            let paths = next(present)
            guard paths != present else { return }
            try bucket.put(BucketPaths.object(paths), at: BucketPaths.path, sequence: mark.sequence)
            known.withLock { $0.paths = paths }
        }
    }
}
