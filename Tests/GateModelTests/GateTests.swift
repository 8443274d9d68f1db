import GateModel
import Testing

@Suite struct GateTests {
    private static let kill = KillSwitch(message: .text("a"), retryInterval: 30)
    private static let required = RequiredUpdate(minimumVersion: "4.2.0", message: .text("a"))
    private static let optional = OptionalUpdate(optionalVersion: "4.3.0", message: .text("a"))

    @Test(arguments: [
        (Gate.open, GateState.open),
        (Gate(killSwitch: kill), .blocked),
        (Gate(forceUpdate: ForceUpdate(message: .text("a"))), .blocked),
        (Gate(alert: Alert(message: .text("a"), blocking: true)), .blocked),
        (Gate(requiredUpdate: required, alert: Alert(message: .text("a"), blocking: true)), .blocked),
        (Gate(requiredUpdate: required), .updateRequired),
        (Gate(requiredUpdate: required, optionalUpdate: optional, alert: Alert(message: .text("a"), blocking: false)), .updateRequired),
        (Gate(optionalUpdate: optional), .notice),
        (Gate(alert: Alert(message: .text("a"), blocking: false)), .notice),
        (Gate(killSwitch: kill, optionalUpdate: optional), .blocked),
    ])
    func stateIsTheWorstThatUsersFace(gate: Gate, state: GateState) {
        #expect(gate.state == state)
    }

    @Test func clearingTurnsARuleOff() {
        var gate = Gate(
            killSwitch: Self.kill,
            forceUpdate: ForceUpdate(message: .text("a")),
            requiredUpdate: Self.required,
            optionalUpdate: Self.optional,
            alert: Alert(message: .text("a"), blocking: true)
        )
        for rule in Rule.allCases {
            #expect(gate.isOn(rule))
            gate.clear(rule)
            #expect(!gate.isOn(rule))
            #expect(gate.json(of: rule) == nil)
        }
        #expect(gate == .open)
    }
}
