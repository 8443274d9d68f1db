import GateJSON
import GateModel

/// How much windows take, against what there is room for.
extension Window {
    /// The most windows that wait or run at a time.
    static let mostActive = 1_000
    /// UTF-8 bytes of a window's document at most, as far as they can be foreseen when it is made. It comes to have more where others put
    /// longer texts on its targets, which it then expects: then it is written as it is, for it must not fail by that.
    static let mostBytes = 1_048_576
    /// What all windows that wait or run weigh together, at most: as many targets, of windows of the usual size.
    static let mostWeight = 20_000
    /// The most windows that end with the targets of one deletion, and what they weigh together at most unless it is one alone: each of them
    /// is written whole, while every other writer waits.
    static let mostLost = 100
    static let mostLostWeight = 1_000

    /// About as many bytes as its document comes to have, should nobody else alter its rules: each target's as they were, and as they are to be
    /// found.
    var bytesAtMost: Int {
        let made = set.json.bytes.count
        return targets.reduce(made + 2_048) { total, target in
            let found = target.expected.json.bytes.count
            return total + 192 + found + max(found, made)
        }
    }

    /// A target weighs one, a long text more: ``bytesAtMost`` by the kibibyte.
    var weight: Int { max(targets.count, bytesAtMost / 1_024) }
}
