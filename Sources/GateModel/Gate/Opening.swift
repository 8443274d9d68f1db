public import GateJSON

/// A kill switch that is being lifted gradually: nobody is let in at its start, everybody at its end.
public struct Opening: Sendable, Hashable {
    public let start: Timestamp
    /// Later than ``start``.
    public let end: Timestamp

    /// How long one may take, in seconds.
    public static let seconds = 10...86_400

    /// Nil if the end does not come after the start.
    public init?(start: Timestamp, end: Timestamp) {
        guard start < end else { return nil }
        self.start = start
        self.end = end
    }

    /// The share of callers let in at a moment, 0 to 1.
    public func share(at now: Timestamp) -> Double {
        let (past, whole) = (now.milliseconds - start.milliseconds, end.milliseconds - start.milliseconds)
        return min(1, max(0, Double(past) / Double(whole)))
    }

    /// The share in whole per cent, rounded down, so it is not 100 while anybody is shut out.
    public func percent(at now: Timestamp) -> Int { Int(share(at: now) * 100) }
}

extension Gate {
    /// How its kill switch is being lifted; nil if it is not.
    public var opening: Opening? { killSwitch?.isOpening }

    /// The gate as those see it who are let in during the opening; the gate itself if there is no opening.
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

    /// The same kill switch, lifted gradually from now on. One that is already being lifted continues from where it is; one that would lift
    /// itself sooner still does.
    /// - Parameter seconds: how long it takes.
    /// - Returns: nil if its own end has come already.
    public func opening(at now: Timestamp, over seconds: Int) -> KillSwitch? {
        var killSwitch = self
        let end = now.advanced(bySeconds: Int64(seconds))
        let until = min(until ?? end, end)
        guard until > now else { return nil }
        killSwitch.until = until
        killSwitch.opening = opening.map { min($0, now) } ?? now
        return killSwitch
    }

    /// The same kill switch; one that is being lifted gradually is lifted from now on, and takes as long as it was to take.
    public func openingAnew(at now: Timestamp) -> KillSwitch {
        guard let isOpening else { return self }
        var killSwitch = self
        killSwitch.opening = now
        killSwitch.until = Timestamp(milliseconds: now.milliseconds + isOpening.end.milliseconds - isOpening.start.milliseconds)
        return killSwitch
    }

    /// - Parameter place: where the clock is: "on the server".
    /// - Throws: `future_opening` (422), with the field, for an opening that is still to come.
    package func checkBegun(at now: Timestamp, _ place: String) throws(ModelError) {
        guard let opening, opening > now else { return }
        throw .invalid(
            "future_opening",
            "\(opening) is still to come: \(place) it is \(now). An opening begins when it is written; give its length in \"over\" instead.",
            field: "/opening"
        )
    }

    /// - Throws: `invalid_opening` (422) for an opening without an end, with an end that is not after its start, or that takes too long.
    func checkOpening() throws(ModelError) {
        guard let opening else { return }
        guard let until else {
            throw .invalid("invalid_opening", "opening needs until: the time at which everybody is let in.", field: "/opening")
        }
        let longest = Int64(Opening.seconds.upperBound)
        guard opening < until, until.milliseconds - opening.milliseconds <= longest * 1_000 else {
            throw .invalid("invalid_opening", "opening must be before until, by at most \(longest) seconds.", field: "/opening")
        }
    }
}
