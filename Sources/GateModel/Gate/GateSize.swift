public import GateJSON

/// How large a gate is, against ``GateLimits/bytes``.
extension Gate {
    /// UTF-8 bytes of the document that ``json`` is.
    public var bytes: Int { Size(self).bytes }

    /// That this gate may take another one's place: that it is not too large, or that what is too large was there before.
    ///
    /// So a rule can always be cleared, and a kill switch set and lifted, on a gate too that was made before there was a limit. A kill switch
    /// of up to ``GateLimits/bytesForKillSwitch`` always has room; a longer one leaves so much less to the other rules.
    /// - Throws: `gate_too_large` (422) with the rule that the change adds to.
    public func checkSize(after before: Gate) throws(ModelError) {
        let (now, then) = (Size(self), Size(before))
        // What the kill switch has beyond that, when it is no news: one that grows meanwhile is judged by itself below.
        let kill = min(now.kill, then.kill)
        let room = GateLimits.bytes - max(GateLimits.bytesForKillSwitch, kill)
        if now.others > room, now.others > then.others {
            let rule = Rule.allCases.first { $0 != .killSwitch && now.members[$0, default: 0] > then.members[$0, default: 0] }
            let kept = GateLimits.bytes - room
            let why = kill > GateLimits.bytesForKillSwitch ? "which has \(kept)" : "for which \(kept) more are kept free"
            throw Self.tooLarge(now.others, of: room, rule, "without its kill switch, \(why)")
        }
        let left = max(GateLimits.bytesForKillSwitch, GateLimits.bytes - now.others)
        if now.kill > left, now.kill > then.kill {
            throw Self.tooLarge(now.kill, of: left, .killSwitch, "for its kill switch")
        }
    }

    private static func tooLarge(_ bytes: Int, of limit: Int, _ rule: Rule?, _ what: String) -> ModelError {
        .invalid(
            "gate_too_large",
            "The gate would have \(bytes) bytes \(what); it has at most \(limit). Shorten its texts, or clear a rule that it can do without.",
            field: rule.map { "/" + $0.rawValue } ?? ""
        )
    }

    /// What the parts of a gate take in its document.
    private struct Size {
        /// The members of the document that are there, each with its name.
        var members: [Rule: Int] = [:]

        init(_ gate: Gate) {
            for rule in Rule.allCases {
                // A name in quotes, a colon, and a comma or the last brace.
                if let json = gate.json(of: rule) { members[rule] = rule.rawValue.utf8.count + 4 + json.bytes.count }
            }
        }

        var kill: Int { members[.killSwitch, default: 0] }

        /// Everything but the kill switch.
        var others: Int { members.values.reduce(1, +) - kill }

        var bytes: Int { members.isEmpty ? 2 : others + kill }
    }
}
