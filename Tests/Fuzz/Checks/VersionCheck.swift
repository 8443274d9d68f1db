import GateModel

/// The lines of an input are versions: whatever they are, in every scheme older-than is a strict order.
enum VersionCheck {
    static func look(_ input: [UInt8]) {
        let lines = String(decoding: input.prefix(300), as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).prefix(4)
            .map(String.init)
        for scheme in VersionScheme.allCases {
            let versions = lines.compactMap { text in OrderedVersion(text, scheme).map { (text, $0) } }
            for (text, one) in versions {
                hold(!(one < one), "a version is older than itself: \(text)")
                for (other, two) in versions {
                    hold(!(one < two && two < one), "each is older: \(text) \(other)")
                    hold(scheme.isOlder(text, than: other) == (one < two), "two ways to compare differ: \(text) \(other)")
                    for (third, three) in versions where one < two && two < three {
                        hold(one < three, "no order: \(text) \(other) \(third)")
                    }
                    // If neither is older, both compare alike with any third.
                    for (third, three) in versions where !(one < two) && !(two < one) {
                        hold((one < three) == (two < three), "alike and not: \(text) \(other) \(third)")
                    }
                }
            }
        }
    }
}
