import GateJSON
import GateModel
import GateTesting
import Testing

/// A gate document has at most 32 KiB, of which 4 KiB are a kill switch's alone; and nothing that was there before stands in the way.
@Suite struct GateSizeTests {
    /// An alert whose member of the document has so many bytes.
    private static func alert(_ bytes: Int) -> Alert { Alert(message: .text(String(repeating: "x", count: bytes - 40)), blocking: false) }

    private static func kill(_ bytes: Int) -> KillSwitch {
        KillSwitch(message: .text(String(repeating: "x", count: bytes - 47)), retryInterval: 30)
    }

    private func refusal(_ gate: Gate, after before: Gate = .open) -> String? {
        do throws(ModelError) {
            try gate.checkSize(after: before)
            return nil
        } catch { return "\(error.code) \(error.field)" }
    }

    @Test(arguments: [
        Gate.open, Gate(alert: alert(100)), Gate(killSwitch: kill(80)),
        Gate(killSwitch: kill(80), forceUpdate: ForceUpdate(message: .text("ü")), alert: alert(100)),
    ])
    func itsSizeIsThatOfItsDocument(gate: Gate) { #expect(gate.bytes == gate.json.bytes.count) }

    /// All sizes are of members; the braces of the document are one byte more than a gate without a comma has.
    @Test func theLimits() {
        let others = GateLimits.bytes - GateLimits.bytesForKillSwitch - 1
        #expect(refusal(Gate(alert: Self.alert(others))) == nil)
        #expect(refusal(Gate(alert: Self.alert(others + 1))) == "gate_too_large /alert")
        #expect(refusal(Gate(killSwitch: Self.kill(GateLimits.bytes - 1))) == nil)
        #expect(refusal(Gate(killSwitch: Self.kill(GateLimits.bytes))) == "gate_too_large /killSwitch")
        let full = Gate(killSwitch: Self.kill(GateLimits.bytesForKillSwitch), alert: Self.alert(others))
        #expect(full.bytes == GateLimits.bytes)
        #expect(refusal(full) == nil)
        #expect(
            refusal(Gate(killSwitch: Self.kill(GateLimits.bytesForKillSwitch + 1), alert: Self.alert(others)))
                == "gate_too_large /killSwitch"
        )
    }

    /// In two steps, too: what a long kill switch takes is not there for what comes after it.
    @Test func theLimitHoldsWhateverComesFirst() {
        let kill = Self.kill(20_000)
        let left = GateLimits.bytes - 20_000 - 1
        let killed = Gate(killSwitch: kill)
        #expect(refusal(Gate(killSwitch: kill, alert: Self.alert(left)), after: killed) == nil)
        #expect(Gate(killSwitch: kill, alert: Self.alert(left)).bytes == GateLimits.bytes)
        #expect(refusal(Gate(killSwitch: kill, alert: Self.alert(left + 1)), after: killed) == "gate_too_large /alert")
        // A shorter kill switch makes room in the same change, and a longer one takes it.
        #expect(refusal(Gate(killSwitch: Self.kill(100), alert: Self.alert(left + 1)), after: killed) == nil)
        #expect(refusal(Gate(killSwitch: Self.kill(20_001), alert: Self.alert(left)), after: killed) == "gate_too_large /killSwitch")
    }

    /// No order of changes leads above the limit.
    @Test(arguments: UInt64(1)...20)
    func noOrderOfChangesLeadsAboveTheLimit(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var gate = Gate.open
        for _ in 0..<400 {
            var next = gate
            let bytes = Int.random(in: 100...GateLimits.bytes, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: next.killSwitch = Self.kill(bytes)
            case 1: next.killSwitch = nil
            case 2: next.alert = Self.alert(bytes)
            default: next.alert = nil
            }
            if refusal(next, after: gate) == nil { gate = next }
            #expect(gate.bytes <= GateLimits.bytes)
        }
    }

    /// The gate of a day on which there was no limit.
    @Test func whatIsTooLargeAlreadyCanBeShutOpenedAndMadeSmaller() {
        let large = Gate(optionalUpdate: OptionalUpdate(optionalVersion: "1", message: .text("a")), alert: Self.alert(250_000))
        var killed = large
        killed.killSwitch = Self.kill(GateLimits.bytesForKillSwitch)
        #expect(refusal(killed, after: large) == nil)
        #expect(refusal(large, after: killed) == nil)
        #expect(refusal(Gate(alert: Self.alert(250_000)), after: large) == nil)
        #expect(refusal(Gate(alert: Self.alert(249_000)), after: Gate(alert: Self.alert(250_000))) == nil)
        var more = large
        more.forceUpdate = ForceUpdate(message: .text("b"))
        #expect(refusal(more, after: large) == "gate_too_large /forceUpdate")
        #expect(refusal(large, after: .open) == "gate_too_large /optionalUpdate")
        var longKill = large
        longKill.killSwitch = Self.kill(GateLimits.bytesForKillSwitch + 1)
        #expect(refusal(longKill, after: large) == "gate_too_large /killSwitch")
    }
}
