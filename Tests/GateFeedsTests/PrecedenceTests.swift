import GateFeeds
import GateModel
import Testing

/// Wire formats table 5.3: one document, four clients.
@Suite struct PrecedenceTests {
    struct Situation: Sendable {
        let name: String
        /// Rules of an installed version 5: `required` "5" is satisfied and "6" is not; `optional` is always "7".
        let required: String?
        let hasOptional: Bool
        let blocking: Bool?
        var isOptionalSeen = false
        let launchGate: Shown
        let gandalf: Shown
        let oldGandalf: Shown
    }

    enum Shown { case nothing, required, optional, alert }

    static let table: [Situation] = [
        Situation(
            name: "satisfied required + optional",
            required: "5",
            hasOptional: true,
            blocking: nil,
            launchGate: .nothing,
            gandalf: .optional,
            oldGandalf: .optional
        ),
        Situation(
            name: "satisfied required + blocking alert",
            required: "5",
            hasOptional: false,
            blocking: true,
            launchGate: .nothing,
            gandalf: .alert,
            oldGandalf: .alert
        ),
        Situation(
            name: "needed required + blocking alert",
            required: "6",
            hasOptional: false,
            blocking: true,
            launchGate: .required,
            gandalf: .required,
            oldGandalf: .required
        ),
        Situation(
            name: "optional + blocking alert",
            required: nil,
            hasOptional: true,
            blocking: true,
            launchGate: .optional,
            gandalf: .alert,
            oldGandalf: .optional
        ),
        Situation(
            name: "optional (seen) + blocking alert",
            required: nil,
            hasOptional: true,
            blocking: true,
            isOptionalSeen: true,
            launchGate: .nothing,
            gandalf: .alert,
            oldGandalf: .alert
        ),
        Situation(
            name: "optional + non-blocking alert",
            required: nil,
            hasOptional: true,
            blocking: false,
            launchGate: .optional,
            gandalf: .alert,
            oldGandalf: .optional
        ),
    ]

    @Test(arguments: table)
    func sameRulesAreObeyedInEachClientsOrder(situation: Situation) {
        var rules: [String] = []
        if let version = situation.required { rules.append(#""requiredUpdate":{"minimumVersion":"\#(version)","message":"r"}"#) }
        if situation.hasOptional { rules.append(#""optionalUpdate":{"optionalVersion":"7","message":"o"}"#) }
        if let blocking = situation.blocking { rules.append(#""alert":{"message":"a","blocking":\#(blocking)}"#) }
        let object = "{\(rules.joined(separator: ","))}"
        let feed = Array("{\"ios\":\(object),\"android\":\(object)}".utf8)

        let launchGate = LaunchGateClient.decide(feed, installed: "5", memory: .init(optionalUpdate: situation.isOptionalSeen ? "7" : nil))
        let memory = GandalfClient.Memory(optionalUpdate: situation.isOptionalSeen ? "7" : "")
        #expect(shown(launchGate) == situation.launchGate, "LaunchGate: \(situation.name)")
        for release in [GandalfRelease.upTo1_4_0, .head] {
            #expect(
                shown(GandalfClient.decide(feed, installed: 5, memory: memory, release: release)) == situation.gandalf,
                "Gandalf \(release): \(situation.name)"
            )
        }
        #expect(
            shown(GandalfClient.decide(feed, installed: 5, memory: memory, release: .upTo1_3_1)) == situation.oldGandalf,
            "old Gandalf: \(situation.name)"
        )
    }

    private func shown(_ decision: ClientDecision) -> Shown? {
        switch decision {
        case .proceed: .nothing
        case .requiredUpdate: .required
        case .optionalUpdate: .optional
        case .alert: .alert
        default: nil
        }
    }

    @Test func unreachableFeedAtAColdStartLetsEverybodyIn() {
        #expect(LaunchGateClient.decide([], installed: "5").letsIn)
        for release in GandalfRelease.allCases { #expect(GandalfClient.decide([], installed: 5, release: release).letsIn) }
        #expect(BellerophonClient.decide([]).letsIn)
    }
}
