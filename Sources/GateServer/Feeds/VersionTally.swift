package import GateJSON
import GateModel
import GateService
import Synchronization

/// Which versions poll, as far as they say so: counted by target, for the last hour and the last day. Who asked is not kept.
///
/// A poll costs one addition; names, clocks and locks matter only to the first poll of a version and to readers. At most 200 versions of a
/// target are told apart, and 20,000 of all targets together; the others are counted together, so that inventing versions takes up no
/// memory. A version that nobody polled with for a day makes room for others. Nothing is kept across a restart.
package final class VersionTally: Sendable {
    /// How many versions of one target are told apart.
    static let mostPerTarget = 200
    /// How many versions of all targets together are.
    static let mostOfAll = 20_000

    /// The polls of one version, counted in passing by every poll that names it.
    final class Counter: Sendable {
        private let fresh = Atomic<UInt64>(0)

        @inline(__always)
        func count() { fresh.add(1, ordering: .relaxed) }

        fileprivate func take() -> UInt64 { fresh.exchange(0, ordering: .relaxed) }

        fileprivate var counted: UInt64 { fresh.load(ordering: .relaxed) }
    }

    private struct Track {
        let counter = Counter()
        /// The polls of each minute of the last hour, and of each hour of the last day; only those that had any.
        var minutes: [(minute: Int64, polls: UInt64)] = []
        var hours: [(hour: Int64, polls: UInt64)] = []

        mutating func close(at minute: Int64) {
            let polls = counter.take()
            if polls > 0 {
                minutes.append((minute, polls))
                let hour = minute / 60
                if hours.last?.hour == hour { hours[hours.count - 1].polls += polls } else { hours.append((hour, polls)) }
            }
            minutes.removeAll { $0.minute <= minute - 60 }
            hours.removeAll { $0.hour <= minute / 60 - 24 }
        }

        func polls(within span: PolledVersions.Span, of minute: Int64) -> UInt64 {
            let past: UInt64 =
                switch span {
                case .hour: minutes.reduce(0) { $1.minute > minute - 60 ? $0 + $1.polls : $0 }
                case .day: hours.reduce(0) { $1.hour > minute / 60 - 24 ? $0 + $1.polls : $0 }
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
        /// The polls of versions for which there was no room.
        var others = Track()
    }

    private struct State {
        var targets: [TargetKey: Target] = [:]
        var count = 0
        /// The minute since 1970 that is being counted.
        var minute: Int64?
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
            let hasRoom = state.targets[target]?.versions.count ?? 0 < Self.mostPerTarget && state.count < Self.mostOfAll
            let track = Track()
            guard hasRoom else { return state.targets[target, default: Target()].others.counter }
            // Changed in place: copying two hundred for each version that somebody invents would be wasted work.
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
                target.others.close(at: counted)
                for version in target.versions.keys { target.versions[version]?.close(at: counted) }
                state.count -= target.versions.count
                target.versions = target.versions.filter { !$0.value.isIdle }
                state.count += target.versions.count
                state.targets[key] = target.versions.isEmpty && target.others.isIdle ? nil : target
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
