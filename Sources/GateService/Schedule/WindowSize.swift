import GateJSON
import GateModel

/// How large windows are, and how much room there is for them.
extension Window {
    /// The most windows that may wait or run at a time.
    static let mostActive = 1_200
    /// The most of them that one person, with their tokens, may have made or edited last; and the most that these may weigh together.
    static let mostOwn = 1_000
    static let mostOwnWeight = 20_000
    /// Most UTF-8 bytes of a window's document, as far as they can be foreseen when it is made. It can grow beyond that when others put
    /// longer texts on its targets, which it then expects; it is written all the same, because it must not fail for that.
    static let mostBytes = 1_048_576
    /// The most that all waiting and running windows may weigh together: one per target, for windows of the usual size.
    static let mostWeight = 24_000
    /// The most windows that one deletion of targets may end, and the most they may weigh together unless there is only one: each of them
    /// is written whole while every other writer waits.
    static let mostLost = 100
    static let mostLostWeight = 1_000

    /// About the size its document will reach if nobody else changes its rules: for each target, the rules as they were and as they are
    /// expected.
    var bytesAtMost: Int {
        let made = set.json.bytes.count
        return targets.reduce(made + 2_048) { total, target in
            let found = target.expected.json.bytes.count
            return total + 192 + found + max(found, made)
        }
    }

    /// One per target, or ``bytesAtMost`` in kibibytes if that is more, as with long texts.
    var weight: Int { max(targets.count, bytesAtMost / 1_024) }
}
