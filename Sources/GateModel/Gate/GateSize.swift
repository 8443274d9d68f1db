public import GateJSON

/// How large a gate is, for comparison with ``GateLimits/bytes``.
extension Gate {
    /// The length of ``json`` as a document, in UTF-8 bytes.
    public var bytes: Int { Size(self).bytes }

    /// Checks that this gate may replace another one: it is not too large, or the part that is too large was there before.
    ///
    /// So a rule can always be cleared, and a kill switch set and lifted, even on a gate made before there was a limit. A kill switch of up
    /// to ``GateLimits/bytesForKillSwitch`` always has room; a longer one leaves that much less for the other rules.
    /// - Throws: `gate_too_large` (422), with the rule that the change makes longer.
    public func checkSize(after before: Gate) throws(ModelError) {
        let (now, then) = (Size(self), Size(before))
        // A kill switch that was already longer than its share takes room from the others; one that has grown is checked separately below.
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

    /// How much the parts of a gate take in its document.
    private struct Size {
        /// The bytes of each member that the document has, including its name.
        var members: [Rule: Int] = [:]

        init(_ gate: Gate) {
            for rule in Rule.allCases {
                // The 4 bytes: the quotes around the name, a colon, and a comma or the closing brace.
                if let json = gate.json(of: rule) { members[rule] = rule.rawValue.utf8.count + 4 + json.bytes.count }
            }
        }

        var kill: Int { members[.killSwitch, default: 0] }

        /// Everything but the kill switch.
        var others: Int { members.values.reduce(1, +) - kill }

        var bytes: Int { members.isEmpty ? 2 : others + kill }
    }
}
