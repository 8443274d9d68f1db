public import GateJSON

/// A kill switch that is being lifted gradually: from a start at which nobody is let in to an end at which everybody is.
public struct Opening: Sendable, Hashable {
    public let start: Timestamp
    /// Later than ``start``.
    public let end: Timestamp

    /// Seconds that one may take.
    public static let seconds = 10...86_400

    /// Nil where the end does not come after the start.
    public init?(start: Timestamp, end: Timestamp) {
        guard start < end else { return nil }
        self.start = start
        self.end = end
    }

    /// The share of callers that are let in at a moment, 0 to 1.
    public func share(at now: Timestamp) -> Double {
        let (past, whole) = (now.milliseconds - start.milliseconds, end.milliseconds - start.milliseconds)
        return min(1, max(0, Double(past) / Double(whole)))
    }

    /// The share in whole per cent, rounded down: not 100 while anybody is shut out.
    public func percent(at now: Timestamp) -> Int { Int(share(at: now) * 100) }
}

extension Gate {
    /// How its kill switch is being lifted; nil for one that is not.
    public var opening: Opening? { killSwitch?.isOpening }

    /// What those face who are let in while it is being opened; the gate itself where it is not.
    public var opened: Gate {
        guard opening != nil else { return self }
        var gate = self
        gate.killSwitch = nil
        return gate
    }
}

extension KillSwitch {
    /// How it is being lifted; nil for one that lets nobody in.
    public var isOpening: Opening? {
        guard let opening, let until else { return nil }
        return Opening(start: opening, end: until)
    }

    /// The same kill switch, lifted gradually from now on. One that is being lifted already goes on from where it is; one that lifts itself sooner
    /// still does.
    /// - Parameter seconds: how long it takes.
    /// - Returns: nil where its own end has come.
    public func opening(at now: Timestamp, over seconds: Int) -> KillSwitch? {
        var killSwitch = self
        let end = now.advanced(bySeconds: Int64(seconds))
        let until = min(until ?? end, end)
        guard until > now else { return nil }
        killSwitch.until = until
        killSwitch.opening = opening.map { min($0, now) } ?? now
        return killSwitch
    }

    /// - Throws: `invalid_opening` (422) for an opening that has no end, or not after its start, or too late.
    func checkOpening() throws(ModelError) {
        guard let opening else { return }
        guard let until else {
            throw .invalid("invalid_opening", "opening needs until: the time at which everybody is let in.", field: "/opening")
        }
        let longest = Int64(Opening.seconds.upperBound)
        guard opening < until, until.milliseconds - opening.milliseconds <= longest * 1_000 else {
            throw .invalid("invalid_opening", "opening lies before until, at most \(longest) seconds.", field: "/opening")
        }
    }
}
