package import GateCrypto

/// What becomes of a file of `keys/` and of the row that shares it, by what each is now and what both were when they were the same last.
package enum SharedKeyChoice: Equatable {
    /// Neither is there.
    case nothing
    /// They are the same.
    case same
    /// The row's content comes into the folder: there is none yet, or it is an earlier one of the row's.
    case take
    /// The file's content comes into the row, as its next revision. It is the row's own no more where that is gone, or an older state that was
    /// put back.
    case put(isRowLost: Bool)
    /// Both are another than they were, or nobody knows which came from which.
    case atOdds

    /// - Parameters:
    ///   - own: of the file; nil for none.
    ///   - known: of both, when they were the same last; nil where they never were as far as this folder tells.
    ///   - shared: of the row; nil for none.
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

    /// The revision that what is put gets: above all that anybody knows.
    package static func next(after known: SharedKey.Mark?, _ shared: SharedKey.Mark?) -> Int {
        max(known?.revision ?? 0, shared?.revision ?? 0) + 1
    }
}
