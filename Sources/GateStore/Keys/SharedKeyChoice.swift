package import GateCrypto

/// What to do with a file of `keys/` and the row that shares it, judging by what each is now and what both were when they last agreed.
package enum SharedKeyChoice: Equatable {
    /// Neither exists.
    case nothing
    /// They are the same.
    case same
    /// Copy the row to the file: the file is missing, or has an earlier content of the row.
    case take
    /// Copy the file to the row, as its next revision. `isRowLost`: there was a row, but it is gone or was put back in an older state.
    case put(isRowLost: Bool)
    /// Both have changed, or it is unknown which came from which.
    case atOdds

    /// - Parameters:
    ///   - own: the file's digest; nil if there is no file.
    ///   - known: what both were when they last agreed; nil if they never did, as far as this folder knows.
    ///   - shared: the row's mark; nil if there is no row.
    package init(own: SHA256Digest?, known: SharedKey.Mark?, shared: SharedKey.Mark?) {
        switch (own, shared) {
        case (nil, nil): self = .nothing
        case (.some, nil): self = .put(isRowLost: (known?.revision ?? 0) > 0)
        case (nil, .some): self = .take
        case (let own?, let shared?):
            let isOlder = shared.revision < known?.revision ?? 0
            if own == shared.digest {
                self = isOlder ? .put(isRowLost: true) : .same
            } else if let known, own == known.digest {
                self = shared.revision > known.revision ? .take : .put(isRowLost: true)
            } else if shared == known {
                self = .put(isRowLost: false)
            } else {
                self = .atOdds
            }
        }
    }

    /// The revision for a new content of the row: higher than any known one.
    package static func next(after known: SharedKey.Mark?, _ shared: SharedKey.Mark?) -> Int {
        max(known?.revision ?? 0, shared?.revision ?? 0) + 1
    }
}
