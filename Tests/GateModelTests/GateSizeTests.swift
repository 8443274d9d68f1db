import GateJSON
import GateModel
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
