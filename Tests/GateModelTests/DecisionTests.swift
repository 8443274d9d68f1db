import GateJSON
import GateModel
import Testing

/// What a gate means for one phone: precedence, reasons and words.
@Suite struct DecisionTests {
    private static let settings = PlatformSettings(versionScheme: .dotted, storeURL: "https://store.test/app", defaultRetryInterval: 20)

    private func gate(_ json: String) throws -> Gate { try Gate(json: JSONReader.read(json), settings: Self.settings) }

    private func decide(_ json: String, version: String? = "4.0", languages: [String] = []) throws -> Decision {
        GateMeaning(try gate(json), settings: Self.settings).decision(for: Phone(version: version, languages: languages))
    }

    private static let kill = #""killSwitch":{"message":{"default":"Closed","de":"Zu"},"retryInterval":30,"until":"2026-04-02T09:32:14Z"}"#
    private static let force = #""forceUpdate":{"message":"Force"}"#
    private static let required = #""requiredUpdate":{"minimumVersion":"4.2","blockedVersions":["5.1"],"message":"Required"}"#
    private static let optional = #""optionalUpdate":{"optionalVersion":"4.3","message":"Optional"}"#
    private static let alert = #""alert":{"message":"Told","blocking":false}"#
    private static let block = #""alert":{"message":"Told","blocking":true}"#

    @Test func theWordsAreThoseOfThePhone() throws {
        let decision = try decide("{\(Self.kill)}", languages: ["de-AT"])
        #expect(decision.kind == .blocked)
        #expect(decision.rule == .killSwitch)
        #expect(decision.text == "Zu")
        #expect(decision.language == "de")
        #expect(decision.retryInterval == 30)
        #expect(decision.until == Timestamp("2026-04-02T09:32:14Z"))
        #expect(decision.storeURL == "https://store.test/app")
        #expect(try decide("{\(Self.kill)}", languages: ["fr"]).text == "Closed")
    }

    @Test func whoIsShutOutByAnotherRuleAsksAgainAfterThePlatformsInterval() throws {
        for rule in [Self.force, Self.required, Self.block] { #expect(try decide("{\(rule)}").retryInterval == 20, "\(rule)") }
        for rule in [Self.optional, Self.alert] { #expect(try decide("{\(rule)}").retryInterval == nil, "\(rule)") }
        #expect(try decide("{\(Self.required)}").version == "4.2")
        #expect(try decide("{\(Self.optional)}").version == "4.3")
        #expect(try decide("{}") == Decision(kind: .open, storeURL: "https://store.test/app"))
    }

    /// The rules of a gate, the worst first, and each one's kind; an alert stands where its kind does.
    @Test(
        arguments: [
            (
                [Self.kill, Self.force, Self.required, Self.optional, Self.block],
                [.killSwitch, .forceUpdate, .requiredUpdate, .alert, .optionalUpdate]
            ),
            ([Self.force, Self.required, Self.optional, Self.alert], [.forceUpdate, .requiredUpdate, .optionalUpdate, .alert]),
            ([Self.required, Self.optional, Self.block], [.requiredUpdate, .alert, .optionalUpdate]),
            ([Self.optional, Self.block], [.alert, .optionalUpdate]), ([Self.optional, Self.alert], [.optionalUpdate, .alert]),
        ] as [([String], [Rule])]
    )
    func theWorstThatAppliesSpeaksAndTheOthersWaitBehindIt(rules: [String], order: [Rule]) throws {
        let decision = try decide("{\(rules.joined(separator: ","))}")
        #expect(decision.rule == order[0])
        #expect(decision.suppressed == order.dropFirst().map { .init(rule: $0, reason: .masked(by: order[0])) })
    }

    @Test(
        arguments: [
            ("4.1.9", Rule.requiredUpdate, [:]), ("4.2", .optionalUpdate, [.requiredUpdate: .satisfied]),
            ("v4.2.0", .optionalUpdate, [.requiredUpdate: .satisfied]),
            ("4.2-rc.1", .requiredUpdate, [:]), ("4.3", nil, [.requiredUpdate: .satisfied, .optionalUpdate: .satisfied]),
            // Blocked, although not below; in whatever spelling.
            ("5.1", .requiredUpdate, [.optionalUpdate: .satisfied]), ("5.1.0", .requiredUpdate, [.optionalUpdate: .satisfied]),
            ("x", nil, [.requiredUpdate: .unknownVersion, .optionalUpdate: .unknownVersion]),
            (nil, nil, [.requiredUpdate: .unknownVersion, .optionalUpdate: .unknownVersion]),
        ] as [(String?, Rule?, [Rule: Decision.Reason])]
    )
    func rulesAboutVersionsApplyBelowThem(version: String?, rule: Rule?, reasons: [Rule: Decision.Reason]) throws {
        let decision = try decide("{\(Self.required),\(Self.optional)}", version: version)
        #expect(decision.rule == rule)
        for (rule, reason) in reasons { #expect(decision.suppressed.contains(.init(rule: rule, reason: reason)), "\(rule)") }
    }

    @Test func alertsAndKillsNeedNoVersion() throws {
        #expect(try decide("{\(Self.alert)}", version: nil).kind == .alert)
        #expect(try decide("{\(Self.block)}", version: nil).kind == .blocked)
        #expect(try decide("{\(Self.kill)}", version: nil).kind == .blocked)
        #expect(try decide("{\(Self.force)}", version: nil).kind == .forced)
    }

    @Test func whatWasPutAwayLetsTheNextSpeak() throws {
        let meaning = GateMeaning(try gate("{\(Self.optional),\(Self.alert)}"), settings: Self.settings)
        let phone = Phone(version: "4.0")
        #expect(meaning.decision(for: phone).kind == .optional)
        let seen = Acknowledgements(optionalVersions: ["4.3.0"])
        let next = meaning.decision(for: phone, acknowledged: seen)
        #expect(next.kind == .alert)
        #expect(next.suppressed == [.init(rule: .optionalUpdate, reason: .acknowledged)])
        let both = meaning.decision(for: phone, acknowledged: .init(optionalVersions: ["4.3"], alerts: ["  Told\n"]))
        #expect(both.kind == .open)
        #expect(both.suppressed.map(\.reason) == [.acknowledged, .acknowledged])
    }

    @Test func whatShutsOutIsNeverPutAway() throws {
        let all = Acknowledgements(optionalVersions: ["4.2", "4.3"], alerts: ["Told", "Force", "Required", "Closed"])
        for rule in [Self.kill, Self.force, Self.required, Self.block] {
            let meaning = GateMeaning(try gate("{\(rule)}"), settings: Self.settings)
            #expect(meaning.decision(for: Phone(version: "4.0"), acknowledged: all).kind.shutsOut, "\(rule)")
        }
    }

    @Test func whatIsSetAsideIsSaidWithItsReason() throws {
        let meaning = GateMeaning(try gate("{\(Self.kill),\(Self.alert)}"), settings: Self.settings)
        let decision = meaning.decision(for: Phone(), setAside: [.killSwitch: .notYet])
        #expect(decision.kind == .alert)
        #expect(decision.suppressed == [.init(rule: .killSwitch, reason: .notYet)])
    }

    /// Codes are compared as codes: what is dotted is no version of theirs.
    @Test func versionCodesAreNumbers() throws {
        let settings = PlatformSettings(versionScheme: .code)
        let gate = try Gate(json: JSONReader.read(#"{"requiredUpdate":{"minimumVersion":"10","message":"m"}}"#), settings: settings)
        for (version, kind) in [("9", Decision.Kind.required), ("09", .required), ("10", .open), ("9.0", .open)] {
            #expect(GateMeaning(gate, settings: settings).decision(for: Phone(version: version)).kind == kind, "\(version)")
        }
        let asText = GateMeaning(gate, comparison: .text)
        #expect(asText.decision(for: Phone(version: "9")).kind == .open)
        #expect(asText.decision(for: Phone(version: "0.5")).kind == .required)
    }

    /// The effects of a plan, and the decision of one phone, are one thing.
    @Test func whatIsShownIsTheKindOfTheDecision() throws {
        let rules = [Self.kill, Self.force, Self.required, Self.optional, Self.alert, Self.block]
        for mask in 0..<(1 << rules.count) where mask & 0b110000 != 0b110000 {
            let gate = try gate("{" + rules.indices.filter { mask & 1 << $0 != 0 }.map { rules[$0] }.joined(separator: ",") + "}")
            let meaning = GateMeaning(gate, settings: Self.settings)
            for version in ["4.0", "4.2", "4.3", "5.1", "x", nil] {
                let decision = meaning.decision(for: Phone(version: version))
                #expect(Effect.Shown(decision.kind) == meaning.shown(to: version), "\(mask) \(version ?? "-")")
                #expect(decision.suppressed.count + (decision.rule == nil ? 0 : 1) == Rule.allCases.filter(gate.isOn).count)
            }
        }
    }
}
