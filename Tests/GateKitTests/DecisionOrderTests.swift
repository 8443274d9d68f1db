import Foundation
import GateKit
import Testing

/// Wire formats 6.2 items 9 to 13.
@Suite(.timeLimit(.minutes(1))) struct DecisionOrderTests {
    @Test(
        "6.2.9 the worst that applies speaks",
        arguments: [
            ([Documents.kill, Documents.force, Documents.required, Documents.optional, Documents.block], GateDecision.Rule.killSwitch),
            ([Documents.force, Documents.required, Documents.optional, Documents.block], .forceUpdate),
            ([Documents.required, Documents.optional, Documents.block], .requiredUpdate), ([Documents.optional, Documents.block], .alert),
            ([Documents.optional, Documents.alert], .optionalUpdate), ([Documents.alert], .alert),
        ] as [([String], GateDecision.Rule)]
    )
    func order(rules: [String], rule: GateDecision.Rule) throws {
        #expect(try Documents.read(Documents.native(rules.joined(separator: ","))).decide("4.0").rule == rule)
    }

    @Test("6.2.9 a satisfied required update hides nothing") func satisfied() throws {
        let document = try Documents.read(Documents.native([Documents.required, Documents.block].joined(separator: ",")))
        #expect(document.decide("4.2").rule == .alert)
    }

    struct Situation: Sendable, CustomTestStringConvertible {
        let name: String
        var required: String?
        var optional = false
        var blocking: Bool?
        var isSeen = false
        let launchGate: GateDecision.Kind
        let gandalf: GateDecision.Kind
        let oldGandalf: GateDecision.Kind
        let gatehouse: GateDecision.Kind
        var testDescription: String { name }
    }

    /// Table 5.3, for an installed version 5.
    static let situations = [
        Situation(
            name: "satisfied required + optional",
            required: "5",
            optional: true,
            launchGate: .open,
            gandalf: .optional,
            oldGandalf: .optional,
            gatehouse: .optional
        ),
        Situation(
            name: "satisfied required + blocking alert",
            required: "5",
            blocking: true,
            launchGate: .open,
            gandalf: .blocked,
            oldGandalf: .blocked,
            gatehouse: .blocked
        ),
        Situation(
            name: "needed required + blocking alert",
            required: "6",
            blocking: true,
            launchGate: .required,
            gandalf: .required,
            oldGandalf: .required,
            gatehouse: .required
        ),
        Situation(
            name: "optional + blocking alert",
            optional: true,
            blocking: true,
            launchGate: .optional,
            gandalf: .blocked,
            oldGandalf: .optional,
            gatehouse: .blocked
        ),
        Situation(
            name: "optional (seen) + blocking alert",
            optional: true,
            blocking: true,
            isSeen: true,
            launchGate: .open,
            gandalf: .blocked,
            oldGandalf: .blocked,
            gatehouse: .blocked
        ),
        Situation(
            name: "optional + non-blocking alert",
            optional: true,
            blocking: false,
            launchGate: .optional,
            gandalf: .alert,
            oldGandalf: .optional,
            gatehouse: .optional
        ),
    ]

    @Test("6.2.10 the orders of other libraries: table 5.3", arguments: situations)
    func compatibility(situation: Situation) throws {
        var rules: [String] = []
        if let version = situation.required { rules.append(#""requiredUpdate":{"minimumVersion":"\#(version)","message":"r"}"#) }
        if situation.optional { rules.append(#""optionalUpdate":{"optionalVersion":"7","message":"o"}"#) }
        if let blocking = situation.blocking { rules.append(#""alert":{"message":"a","blocking":\#(blocking)}"#) }
        let document = try Documents.read(#"{"ios":{\#(rules.joined(separator: ","))}}"#)
        let seen = situation.isSeen ? GateSeen(optionalVersions: ["7"], alerts: []) : GateSeen()
        func kind(_ ordering: GateOrdering) -> GateDecision.Kind { document.decide("5", seen: seen, .init(ordering: ordering)).kind }
        #expect(kind(.launchGate) == situation.launchGate)
        #expect(kind(.gandalf) == situation.gandalf)
        #expect(kind(.gandalfUpTo1_3_1) == situation.oldGandalf)
        #expect(kind(.gatehouse) == situation.gatehouse)
    }

    @Test("6.2.10 Bellerophon's order has force before kill") func bellerophon() throws {
        let document = try Documents.read(#"{"apiInactive":true,"forceUpdate":true,"retryInterval":15,"userMessage":"m"}"#)
        #expect(document.decide("4", .init(ordering: .bellerophon)).kind == .forced)
        #expect(document.decide("4").kind == .blocked)
    }

    @Test(
        "6.2.11 updates are for versions below; equal never, and an unknown one never",
        arguments: [
            ("4.1", GateDecision.Kind.required), ("4.2", .optional), ("4.2.9", .optional), ("4.3", .open), ("4.3.0", .open), ("5", .open),
            ("x", .open),
            (nil, .open),
        ] as [(String?, GateDecision.Kind)]
    )
    func versions(version: String?, kind: GateDecision.Kind) throws {
        let document = try Documents.read(Documents.native([Documents.required, Documents.optional].joined(separator: ",")))
        #expect(document.decide(version).kind == kind)
        let alerted = try Documents.read(Documents.native([Documents.required, Documents.kill].joined(separator: ",")))
        #expect(alerted.decide(version).kind == .blocked)
    }

    @Test("6.2.12 what waits is listed with its reason") func suppressed() throws {
        let rules = [Documents.required, Documents.optional, Documents.block].joined(separator: ",")
        let decision = try Documents.read(Documents.native(rules)).decide("4.2")
        #expect(decision.rule == .alert)
        #expect(
            decision.suppressed == [
                .init(rule: .requiredUpdate, reason: "satisfied"), .init(rule: .optionalUpdate, reason: "masked", maskedBy: .alert),
            ]
        )
        let seen = GateSeen(optionalVersions: ["4.3"], alerts: [])
        let next = try Documents.read(Documents.native(Documents.optional)).decide("4.2", seen: seen)
        #expect(next.suppressed == [.init(rule: .optionalUpdate, reason: "acknowledged")])
    }

    @Test("6.2.13 one dialog at a time; the next comes when the first is put away") func oneAtATime() async throws {
        let bench = Bench(Documents.native([Documents.optional, Documents.alert].joined(separator: ",")))
        let recorder = Recorder()
        await recorder.follow(bench.monitor)
        await bench.monitor.start()
        await bench.monitor.check(forced: true)
        #expect(await bench.monitor.decision.rule == .optionalUpdate)
        await bench.monitor.acknowledge(bench.monitor.decision)
        #expect(await bench.monitor.decision.rule == .alert)
        await bench.monitor.acknowledge(bench.monitor.decision)
        #expect(await bench.monitor.decision.kind == .open)
        await recorder.wait(for: "state open")
        #expect(await recorder.transitions == ["notice optionalUpdate", "notice alert"])
    }
}
