public import GateJSON

/// A change that was made for a span of time: what comes into force when it starts, and what becomes of that at its end.
public struct Window: Sendable, Hashable {
    public enum State: String, Sendable, CaseIterable {
        /// Waits for its start.
        case pending
        /// Has started and waits for its end.
        case running
        /// Has done all that it was for.
        case done
        /// A step came due while nothing could be done, and by then it was too late to keep people out unasked. Waits for a person.
        case missed
        /// A person called it off.
        case cancelled
        /// A step could not be done, or not all of it; nothing more will happen by itself.
        case failed

        /// Whether the clock still has to do something with it.
        public var isActive: Bool { self == .pending || self == .running }
    }

    /// What happens at the end.
    public enum Ending: String, Sendable, CaseIterable {
        /// The window's rules are cleared.
        case open
        /// The window's rules become what they were before it started.
        case restore
    }

    /// What it does at one of its two times.
    public enum Step: String, Sendable, CaseIterable {
        case start, end
    }

    public struct Target: Sendable, Hashable {
        public let key: TargetKey
        /// The target's revision when the window was made.
        public let revision: Int
        /// What the window's rules must still be for its next step: anything else was put there by a person, and stays.
        public var expected: GateEdit
        /// What the window's rules were when it started, without what other windows had put there that are over by now; nil before.
        public var before: GateEdit?

        public init(key: TargetKey, revision: Int, expected: GateEdit, before: GateEdit? = nil) {
            self.key = key
            self.revision = revision
            self.expected = expected
            self.before = before
        }
    }

    /// Something that happened to a window.
    public struct Event: Sendable, Hashable {
        public enum What: String, Sendable, CaseIterable {
            case made, started, ended, missed, cancelled, failed
            /// A person put other times, targets or rules in the place of what it was made with.
            case edited
            /// Another window, or a kill switch that lifted itself, changed this one's rules.
            case overtaken
        }

        public let at: Timestamp
        public let what: What
        public let actor: Actor
        /// A sentence; nil where the word says all.
        public let detail: String?
        /// The change that was made; nil when there was nothing to change.
        public let sequence: Int?
        /// How often in a row the like of it has happened, of which this is the last; nil for what is told each time. See
        /// ``Window/overtake(by:at:sequence:because:)``.
        public let times: Int?

        /// What ``times`` may be, so that no sum of them is too large for a number.
        static let allTimes = 1...1_000_000_000

        public init(at: Timestamp, what: What, actor: Actor, detail: String? = nil, sequence: Int? = nil, times: Int? = nil) {
            self.at = at
            self.what = what
            self.actor = actor
            self.detail = detail
            self.sequence = sequence
            self.times = times
        }
    }

    /// From 1; 0 for one that was only planned.
    public var id: Int
    public var state: State
    public var targets: [Target]
    /// How many more targets the window has than fitted into what this one was made for: never what is kept, only what is shown.
    public var omitted = 0
    /// Whole rules to replace or clear, the same for every target.
    public let set: GateEdit
    public let start: ZonedTime
    /// Nil for a change that stays.
    public var end: ZonedTime?
    public var then: Ending
    /// Who made it.
    public let actor: Actor
    public let source: Change.Source
    public let reason: String?
    /// Refusals that its author overrode by their codes.
    public let accept: [String]
    public var events: [Event]
    /// Why something of it cannot be read any more, as a sentence; nil for nearly every one. The clock leaves such a window alone, and
    /// what is lost has a value that says nothing in its place.
    public var fault: String?

    public init(
        id: Int,
        state: State,
        targets: [Target],
        set: GateEdit,
        start: ZonedTime,
        end: ZonedTime?,
        then: Ending,
        actor: Actor,
        source: Change.Source,
        reason: String?,
        accept: [String] = [],
        events: [Event],
        fault: String? = nil
    ) {
        self.id = id
        self.state = state
        self.targets = targets
        self.set = set
        self.start = start
        self.end = end
        self.then = then
        self.actor = actor
        self.source = source
        self.reason = reason
        self.accept = accept
        self.events = events
        self.fault = fault
    }

    /// When the clock next has to do something with it.
    public var due: Timestamp? {
        switch state {
        case .pending: start.at
        case .running: end?.at
        case .done, .missed, .cancelled, .failed: nil
        }
    }

    /// Counts on with everything that happens to it; from 1. Whoever edits it names the one that they saw.
    public var revision: Int { events.reduce(0) { $0 + ($1.times ?? 1) } }

    public var hasStarted: Bool { events.contains { $0.what == .started } }

    /// The rules that it is about.
    public var rules: [Rule] { self.set.rules.map(\.rule) }

    /// Notes that the clock changed what the window is about.
    ///
    /// Of several in a row only the last is kept, with their number: a window that waits behind a thousand others of its target is overtaken two
    /// thousand times, and is written whole each time. The changes themselves stand in the history.
    /// - Parameter sequence: of the change; nil when what this one goes back to is another now, and nothing had to be changed for that.
    public mutating func overtake(by actor: Actor, at: Timestamp, sequence: Int?, because detail: String) {
        var times = 1
        if let last = events.last, last.what == .overtaken, let before = last.times {
            times = min(times + before, Event.allTimes.upperBound)
            events.removeLast()
        }
        events.append(Event(at: at, what: .overtaken, actor: actor, detail: detail, sequence: sequence, times: times))
    }

    /// Whether both are about one rule of one target at the same time. A window without an end goes on for ever.
    public func overlaps(_ other: Window) -> Bool {
        let keys = Set(targets.map(\.key))
        guard other.targets.contains(where: { keys.contains($0.key) }), !Set(rules).isDisjoint(with: other.rules) else { return false }
        return end.map { other.start.at < $0.at } ?? true && other.end.map { start.at < $0.at } ?? true
    }
}

extension GateEdit {
    /// The edit that gives a gate these rules of another one, as they are now.
    public init(_ rules: [Rule], of gate: Gate) {
        self.init(Dictionary(uniqueKeysWithValues: rules.map { ($0, gate.json(of: $0)) }))
    }
}
