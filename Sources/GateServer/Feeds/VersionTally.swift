package import GateJSON
import GateModel
import GateService
import Synchronization

/// Which versions poll, as far as they say so: counted by target, for the last hour and the last day. Who asked is not kept.
///
/// A poll costs one addition; names, clocks and locks matter only to the first poll of a version and to readers. At most 200 versions of a
/// target are told apart, and 20,000 of all targets together; the others are counted together, so that inventing versions takes up no
/// memory. A version that nobody polled with for a day makes room for others, and one that is new takes the place of one that is hardly
/// polled: otherwise whoever invents two hundred first would hide those that phones have. Where all targets together have too many, it is
/// a version of a target with more of them than the one that asks: otherwise whoever invents them for a hundred targets would hide those of
/// all others. Nothing is kept across a restart.
package final class VersionTally: Sendable {
    /// How many versions of one target are told apart.
    static let mostPerTarget = 200
    /// How many versions of all targets together are.
    static let mostOfAll = 20_000

    /// The polls of one version, counted in passing by every poll that names it.
    final class Counter: Sendable {
        private let fresh = Atomic<UInt64>(0)
        private let retired = Atomic<Bool>(false)

        @inline(__always)
        func count() { fresh.add(1, ordering: .relaxed) }

        fileprivate func take() -> UInt64 { fresh.exchange(0, ordering: .relaxed) }

        fileprivate var counted: UInt64 { fresh.load(ordering: .relaxed) }

        fileprivate func add(_ polls: UInt64) { fresh.add(polls, ordering: .relaxed) }

        /// Whether its version lost its place to another: nobody reads what is counted here, and it must be asked for again.
        var isRetired: Bool { retired.load(ordering: .relaxed) }

        /// - Returns: what was counted last. A poll that is being counted at this moment may be lost.
        fileprivate func retire() -> UInt64 {
            retired.store(true, ordering: .relaxed)
            return take()
        }
    }

    private struct Track {
        /// Polls by the minute or the hour since 1970.
        typealias Past = [(time: Int64, polls: UInt64)]

        let counter = Counter()
        /// The polls of each minute of the last hour, and of each hour of the last day; only those that had any.
        var minutes: Past = []
        var hours: Past = []
        /// The weight of the version whose place it took. A new version starts with that, because its own earlier polls may have been
        /// counted with the others while it had no place; halved each minute, so that only its polls count in the end.
        var inherited: UInt64 = 0
        /// The polls of ``minutes``.
        private var pastHour: UInt64 = 0

        /// How little there is to lose when another version takes its place: the lightest goes first.
        var weight: UInt64 { pastHour &+ inherited &+ counter.counted }

        mutating func close(at minute: Int64) {
            let polls = counter.take()
            if polls > 0 {
                Self.add(polls, at: minute, to: &minutes)
                Self.add(polls, at: minute / 60, to: &hours)
            }
            minutes.removeAll { $0.time <= minute - 60 }
            hours.removeAll { $0.time <= minute / 60 - 24 }
            pastHour = minutes.reduce(0) { $0 &+ $1.polls }
            inherited /= 2
        }

        /// Adds all that was counted for a version that is no longer told apart.
        mutating func absorb(_ other: Track) {
            counter.add(other.counter.retire())
            for (minute, polls) in other.minutes { Self.add(polls, at: minute, to: &minutes) }
            for (hour, polls) in other.hours { Self.add(polls, at: hour, to: &hours) }
        }

        private static func add(_ polls: UInt64, at time: Int64, to past: inout Past) {
            if let place = past.lastIndex(where: { $0.time == time }) { past[place].polls += polls } else { past.append((time, polls)) }
        }

        func polls(within span: PolledVersions.Span, of minute: Int64) -> UInt64 {
            let past: UInt64 =
                switch span {
                case .hour: minutes.reduce(0) { $1.time > minute - 60 ? $0 + $1.polls : $0 }
                case .day: hours.reduce(0) { $1.time > minute / 60 - 24 ? $0 + $1.polls : $0 }
                }
            return past + counter.counted
        }

        func told(at minute: Int64) -> ToldVersions.Polls {
            ToldVersions.Polls(hour: Int(polls(within: .hour, of: minute)), day: Int(polls(within: .day, of: minute)))
        }

        var isIdle: Bool { hours.isEmpty && counter.counted == 0 }
    }

    private struct Target {
        var versions: [String: Track] = [:]
        /// The polls of versions for which there was no room, or is none any more.
        var others = Track()
        /// Versions that make room next, the lightest last. Found for many at once, because whoever invents versions asks for each.
        private var spare: [String] = []
        /// The most that one of them weighed; one that has more by now stays.
        private var spareWeight: UInt64 = 0

        mutating func close(at minute: Int64) {
            others.close(at: minute)
            for version in versions.keys { versions[version]?.close(at: minute) }
            versions = versions.filter { !$0.value.isIdle }
            spare = []
        }

        var isIdle: Bool { versions.isEmpty && others.isIdle }

        /// Counts the lightest version with the others from now on.
        /// - Returns: what it weighed; nil if there is no version.
        mutating func makeRoom() -> UInt64? {
            while let version = spare.popLast() {
                guard let weight = versions[version]?.weight, weight <= spareWeight else { continue }
                return remove(version)
            }
            let heaviestFirst = versions.map { (version: $0.key, weight: $0.value.weight) }.sorted { $0.weight > $1.weight }
            let light = heaviestFirst.suffix(1 + versions.count / 8)
            spare = light.map(\.version)
            spareWeight = light.first?.weight ?? 0
            return spare.popLast().flatMap { remove($0) }
        }

        private mutating func remove(_ version: String) -> UInt64? {
            guard let track = versions.removeValue(forKey: version) else { return nil }
            let weight = track.weight
            others.absorb(track)
            return weight
        }
    }

    private struct State {
        var targets: [TargetKey: Target] = [:]
        var count = 0
        /// The minute since 1970 that is being counted.
        var minute: Int64?
        /// A target that had most versions when they were last looked for, with how many that were; until there is room again, no target
        /// has more.
        private var fullest: (target: TargetKey, count: Int)?

        /// Whose version makes room for a new one of a target; nil while there is room.
        mutating func donor(for target: TargetKey) -> TargetKey? {
            let own = targets[target]?.versions.count ?? 0
            guard own < VersionTally.mostPerTarget else { return target }
            guard count >= VersionTally.mostOfAll else {
                fullest = nil
                return nil
            }
            func hasMore(_ other: TargetKey) -> Bool { targets[other]?.versions.count ?? 0 > own + 1 }
            if let fullest {
                if fullest.count <= own + 1 { return target }
                if hasMore(fullest.target) { return fullest.target }
            }
            // Looks at every target, but seldom: each time until all have about as many, one that had more has one less afterwards.
            fullest = targets.max { $0.value.versions.count < $1.value.versions.count }.map { ($0.key, $0.value.versions.count) }
            return fullest.map { hasMore($0.target) ? $0.target : target }
        }
    }

    private let state = Mutex(State())
    private let removals = Atomic<UInt64>(0)

    /// When this number has changed, counters that were given out may no longer be read by anybody and must be asked for again.
    var generation: UInt64 { removals.load(ordering: .acquiring) }

    package init() {}

    /// Where polls of a version are counted. To be asked for when a version is first seen; any thread.
    func counter(of version: String, on target: TargetKey) -> Counter {
        state.withLock { state in
            if let track = state.targets[target]?.versions[version] { return track.counter }
            var track = Track()
            if let donor = state.donor(for: target) {
                // Changed in place: copying two hundred for each version that somebody invents would be wasted work.
                guard let weight = state.targets[donor, default: Target()].makeRoom() else {
                    return state.targets[target, default: Target()].others.counter
                }
                track.inherited = weight
                state.count -= 1
            }
            state.targets[target, default: Target()].versions[version] = track
            state.count += 1
            return track.counter
        }
    }

    /// Closes the previous minute once a new one has begun. To be called about once a second.
    package func sample(at now: Timestamp) {
        let minute = now.milliseconds / 60_000
        state.withLock { state in
            guard let counted = state.minute, minute != counted else {
                if state.minute == nil { state.minute = minute }
                return
            }
            state.minute = minute
            let before = (state.count, state.targets.count)
            for (key, target) in state.targets {
                var target = target
                state.count -= target.versions.count
                target.close(at: counted)
                state.count += target.versions.count
                state.targets[key] = target.isIdle ? nil : target
            }
            if before != (state.count, state.targets.count) { removals.add(1, ordering: .releasing) }
        }
    }

    /// Versions that are told apart at the moment.
    var count: Int { state.withLock { $0.count } }

    /// What other servers of the database should know: every target with its versions.
    func told(at now: Timestamp) -> [TargetKey: ToldVersions] {
        let minute = now.milliseconds / 60_000
        // The lock, which a version's first poll takes too, is held for one reference; the sums are made outside.
        return state.withLock { $0.targets }.compactMapValues { target in
            let named = target.versions.mapValues { $0.told(at: minute) }.filter { $0.value.day > 0 }
            let others = target.others.told(at: minute)
            return named.isEmpty && others.day == 0 ? nil : ToldVersions(named: named, others: others)
        }
    }

    /// The versions of a target that polls have named, the most polled first; those that were not told apart come last.
    func versions(of target: TargetKey, within span: PolledVersions.Span, at now: Timestamp) -> PolledVersions {
        let minute = now.milliseconds / 60_000
        return state.withLock { state in
            guard let here = state.targets[target] else { return PolledVersions(versions: [], others: 0) }
            let versions = here.versions.compactMap { version, track -> PolledVersions.Version? in
                let polls = track.polls(within: span, of: minute)
                return polls == 0 ? nil : PolledVersions.Version(text: version, polls: Int(polls))
            }
            return PolledVersions(
                versions: versions.sorted { ($1.polls, $0.text) < ($0.polls, $1.text) },
                others: Int(here.others.polls(within: span, of: minute))
            )
        }
    }
}
