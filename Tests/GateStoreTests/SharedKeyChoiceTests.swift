import GateCrypto
import Testing

@testable import GateStore

/// What becomes of a file and the row that shares it.
struct SharedKeyChoiceTests {
    private struct Content {
        static let one = SHA256Digest(of: "one")
        static let two = SHA256Digest(of: "two")
        static let three = SHA256Digest(of: "three")
    }

    private static func mark(_ revision: Int, _ digest: SHA256Digest) -> SharedKey.Mark {
        SharedKey.Mark(revision: revision, digest: digest)
    }

    private static let cases: [(own: SHA256Digest?, known: SharedKey.Mark?, shared: SharedKey.Mark?, SharedKeyChoice)] = [
        (nil, nil, nil, .nothing), (nil, SharedKey.Mark.none, nil, .nothing), (nil, mark(3, Content.one), nil, .nothing),
        // First on either side.
        (Content.one, nil, nil, .put(isRowLost: false)), (Content.one, SharedKey.Mark.none, nil, .put(isRowLost: false)),
        (nil, nil, mark(1, Content.one), .take), (nil, SharedKey.Mark.none, mark(1, Content.one), .take),
        // The folder lost its file.
        (nil, mark(1, Content.one), mark(1, Content.one), .take),
        // Nothing new.
        (Content.one, nil, mark(1, Content.one), .same), (Content.one, mark(1, Content.one), mark(1, Content.one), .same),
        (Content.one, mark(1, Content.two), mark(2, Content.one), .same),
        // One side went on.
        (Content.one, mark(1, Content.one), mark(2, Content.two), .take), (Content.one, mark(1, Content.one), mark(9, Content.two), .take),
        (Content.two, mark(1, Content.one), mark(1, Content.one), .put(isRowLost: false)),
        // Both did, or nobody knows.
        (Content.two, mark(1, Content.one), mark(2, Content.three), .atOdds), (Content.one, nil, mark(1, Content.two), .atOdds),
        (Content.one, SharedKey.Mark.none, mark(1, Content.two), .atOdds),
        (Content.two, mark(2, Content.one), mark(1, Content.three), .atOdds),
        (Content.two, mark(1, Content.one), mark(1, Content.three), .atOdds),
        // The row is gone, or what it once was.
        (Content.one, mark(1, Content.one), nil, .put(isRowLost: true)), (Content.two, mark(1, Content.one), nil, .put(isRowLost: true)),
        (Content.two, mark(2, Content.two), mark(1, Content.one), .put(isRowLost: true)),
        (Content.one, mark(2, Content.one), mark(1, Content.one), .put(isRowLost: true)),
        (Content.one, mark(2, Content.one), mark(2, Content.two), .put(isRowLost: true)),
    ]

    @Test(arguments: cases.indices) func byWhatBothAreAndWere(index: Int) {
        let (own, known, shared, expected) = Self.cases[index]
        #expect(SharedKeyChoice(own: own, known: known, shared: shared) == expected, "\(Self.cases[index])")
        let next = SharedKeyChoice.next(after: known, shared)
        #expect(next > known?.revision ?? 0 && next > shared?.revision ?? 0)
    }
}
