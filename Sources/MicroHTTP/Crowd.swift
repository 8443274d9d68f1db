/// Which connections are asked to leave when a listener is nearly full, so that others find a place. The caller with the most gives up
/// connections first, those quiet longest before the others, until the next caller has as many, and so on: a caller who opens thousands
/// loses their own, and a phone keeps its one.
enum Crowd {
    /// What is known of a connection.
    struct Member {
        /// Connections with the same value count together.
        let neighbourhood: UInt64
        /// Nanoseconds of `MonotonicClock`: the longer ago, the sooner it leaves. Nil for one that must stay.
        let mayLeaveSince: UInt64?
    }

    private struct Group {
        /// Where its members begin in the order below: the first to leave first, those that must stay last.
        let start: Int
        var count = 0
        var leaverCount = 0

        /// How many leave when no group may have more than `level`.
        func leaving(level: Int) -> Int { min(leaverCount, max(0, count - level)) }
    }

    /// Chooses `count` members, or fewer where fewer may leave.
    /// - Returns: their indices.
    static func leaving(_ members: [Member], count: Int) -> [Int] {
        guard count > 0 else { return [] }
        let order = members.indices.sorted {
            (members[$0].neighbourhood, members[$0].mayLeaveSince ?? .max) < (members[$1].neighbourhood, members[$1].mayLeaveSince ?? .max)
        }
        var groups: [Group] = []
        for (place, index) in order.enumerated() {
            if place == 0 || members[order[place - 1]].neighbourhood != members[index].neighbourhood { groups.append(Group(start: place)) }
            groups[groups.count - 1].count += 1
            if members[index].mayLeaveSince != nil { groups[groups.count - 1].leaverCount += 1 }
        }
        // The lowest level at which no more than `count` leave.
        var level = 0
        var above = groups.map(\.count).max() ?? 0
        while level < above {
            let middle = (level + above) / 2
            if groups.reduce(0, { $0 + $1.leaving(level: middle) }) <= count { above = middle } else { level = middle + 1 }
        }
        var leaving = groups.flatMap { order[$0.start..<$0.start + $0.leaving(level: level)] }
        if level > 0, leaving.count < count {
            // Of those that would leave next, the ones quiet longest.
            let next = groups.compactMap { group in
                group.leaving(level: level - 1) > group.leaving(level: level) ? order[group.start + group.leaving(level: level)] : nil
            }
            leaving += next.sorted { members[$0].mayLeaveSince ?? .max < members[$1].mayLeaveSince ?? .max }.prefix(count - leaving.count)
        }
        return leaving
    }
}

/// When a listener counts as full, and when as having room again. Full is well before libmicrohttpd's own limit, at which it stops
/// accepting: callers who come meanwhile need a place too.
struct CrowdLimits {
    /// From this many connections on, some are asked to leave.
    let full: Int
    /// How many connections then stay.
    let roomy: Int

    /// - Parameter connectionLimit: below ten there is nothing to choose from, and nobody is asked.
    init(connectionLimit: Int) {
        full = connectionLimit < 10 ? .max : connectionLimit - connectionLimit / 10
        roomy = connectionLimit < 10 ? .max : connectionLimit - connectionLimit / 5
    }
}
