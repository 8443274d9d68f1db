public import GateJSON

/// A change for a span of time: what takes effect when it starts, and what happens to that at its end.
public struct Window: Sendable, Hashable {
    public enum State: String, Sendable, CaseIterable {
        /// Waiting for its start.
        case pending
        /// Has started, and is waiting for its end.
        case running
        /// Has done everything it was for.
        case done
        /// A step came due while nothing could be done, and later it was too late to shut people out without asking. Waits for a person.
        case missed
        /// A person called it off.
        case cancelled
        /// A step could not be done, or not completely; nothing more happens by itself.
        case failed

        /// Whether the clock still has something to do for it.
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
        /// What the window's rules must still be when its next step comes: anything else was set by a person, and stays.
        public var expected: GateEdit
        /// What the window's rules were when it started, without anything set by other windows that have ended since; nil before the start.
        public var before: GateEdit?
        /// What the window's rules were when it was made, if it waits and the clock has altered ``expected`` since; nil otherwise. That is
        /// as good as what is expected: a person may have taken back what another window did.
        public var made: GateEdit?

        public init(key: TargetKey, revision: Int, expected: GateEdit, before: GateEdit? = nil, made: GateEdit? = nil) {
            self.key = key
            self.revision = revision
            self.expected = expected
            self.before = before
            self.made = made
        }

        /// Whether a rule with this value is as the window's next step must find it.
        /// - Parameter json: nil for a rule that is off.
        public func expects(_ json: JSONValue?, of rule: Rule) -> Bool {
            [expected, made].contains { edit in edit?.rules.contains { $0.rule == rule && $0.json == json } ?? false }
        }
    }

    /// Something that happened to a window.
    public struct Event: Sendable, Hashable {
        public enum What: String, Sendable, CaseIterable {
            case made, started, ended, missed, cancelled, failed
            /// A person replaced its times, targets or rules.
            case edited
            /// Another window, or a kill switch that lifted itself, changed rules of this one.
            case overtaken
        }

        public let at: Timestamp
        public let what: What
        public let actor: Actor
        /// A sentence; nil if the word says everything.
        public package(set) var detail: String?
        /// The sequence of the change that was made; nil if nothing had to be changed.
        public let sequence: Int?
        /// How many such events in a row this one stands for, being the last of them; nil for events that are always listed singly. See
        /// ``Window/overtake(by:at:sequence:because:)``.
        public let times: Int?

        /// The range of ``times``; keeps sums of them from overflowing.
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

    /// From 1; 0 for a window that was only planned.
    public var id: Int
    public var state: State
    public var targets: [Target]
    /// How many of the window's targets an answer leaves out, because the caller may not see them or because they do not fit; stored
    /// windows are never cut.
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
    /// The codes of refusals that its author overrode.
    public let accept: [String]
    public var events: [Event]
    /// Why part of it can no longer be read, as a sentence; nil for nearly every window. The clock leaves such a window alone, and
    /// placeholders stand for what is lost.
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

    /// When the clock next has something to do for it.
    public var due: Timestamp? {
        switch state {
        case .pending: start.at
        case .running: end?.at
        case .done, .missed, .cancelled, .failed: nil
        }
    }

    /// Starts at 1 and grows with everything that happens to the window. Somebody who edits it names the revision that they saw.
    public var revision: Int { events.reduce(0) { $0 + ($1.times ?? 1) } }

    public var hasStarted: Bool { events.contains { $0.what == .started } }

    /// When it last failed, as a whole or in part; nil for a window that has done all it was for so far.
    package var failedAt: Timestamp? { events.last { $0.what == .failed }?.at }

    /// When it begins, or began: a person may have run it before its time.
    public var begins: Timestamp { min(start.at, events.last { $0.what == .started }?.at ?? start.at) }

    /// The apps of its targets.
    public var apps: Set<AppKey> { Set(targets.map(\.key.app)) }

    /// The rules that it replaces or clears.
    public var rules: [Rule] { self.set.rules.map(\.rule) }

    /// Records that the clock changed what the window is about.
    ///
    /// Of several such events in a row only the last is kept, with their number: a window waiting behind a thousand others of its target is
    /// overtaken two thousand times, and each time it is written as a whole. The changes themselves are in the history.
    /// - Parameter sequence: the change's; nil if only what this window will restore is different now, which needed no change.
    public mutating func overtake(by actor: Actor, at: Timestamp, sequence: Int?, because detail: String) {
        var times = 1
        if let last = events.last, last.what == .overtaken, let before = last.times {
            times = min(times + before, Event.allTimes.upperBound)
            events.removeLast()
        }
        events.append(Event(at: at, what: .overtaken, actor: actor, detail: detail, sequence: sequence, times: times))
    }

    /// Whether both concern a rule of the same target at the same time. A window without an end never ends.
    public func overlaps(_ other: Window) -> Bool {
        let keys = Set(targets.map(\.key))
        guard other.targets.contains(where: { keys.contains($0.key) }), !Set(rules).isDisjoint(with: other.rules) else { return false }
        return end.map { other.begins < $0.at } ?? true && other.end.map { begins < $0.at } ?? true
    }
}
