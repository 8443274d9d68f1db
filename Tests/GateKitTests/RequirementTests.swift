import Foundation
import GateKit
import Testing

/// Wire formats 6.2 items 34 to 37.
@Suite struct RequirementTests {
    private static let list = """
        {"ios2":[{"required_version":"5.0","requirements":{"required_os_version":"18.0"},"meta":{"own":"first"}},
          {"required_version":"4.5","requirements":{"region":"eu"},"meta":{"own":"second","nested":{"a":[1,null,true]}}},
          {"required_version":"4.1","meta":{"own":"third"}}],"meta":{"own":"all","help":"x"}}
        """

    private func decide(os: String?, _ checks: [String: @Sendable (GateValue) -> Bool] = [:]) throws -> GateDecision {
        try Documents.read(Self.list).decision(
            for: GatePhone(version: "4.0", osVersion: os),
            at: Documents.now,
            options: .init(checks: checks)
        )
    }

    @Test("6.2.34 the first config whose requirements hold counts") func first() throws {
        #expect(try decide(os: "18.0").version == "5.0")
        #expect(try decide(os: "18.0.1").version == "5.0")
        #expect(try decide(os: "17.9").version == "4.1")
        #expect(try decide(os: nil).version == "4.1")
    }

    @Test("6.2.34 the app's own checks come before anything else; an unknown requirement is not satisfied") func checks() throws {
        #expect(try decide(os: "17", ["region": { $0.string == "eu" }]).version == "4.5")
        #expect(try decide(os: "17", ["region": { $0.string == "us" }]).version == "4.1")
        #expect(try decide(os: "17", ["required_os_version": { _ in true }]).version == "5.0")
        // A list in which every config needs a check of the app's (issue 38 of the iOS library).
        let all = try Documents.read(#"{"ios2":[{"required_version":"9","requirements":{"region":"eu"}}]}"#)
        #expect(all.decide("4", .init(checks: ["region": { _ in true }])).kind == .required)
        #expect(all.decide("4").kind == .open)
    }

    @Test(
        "6.2.34 Android's requirement is an API level",
        arguments: [("26", "26", true), (#""26""#, "26", true), ("26", "25", false), ("true", "26", false)]
    )
    func apiLevel(json: String, level: String, holds: Bool) throws {
        let document = try Documents.read(#"{"android2":[{"required_version":50,"requirements":{"required_os_version":\#(json)}}]}"#)
        let decision = document.decision(for: GatePhone(version: "1.0", build: "40", osVersion: level), at: Documents.now)
        #expect(decision.kind == (holds ? .required : .open))
    }

    @Test("6.2.35 meta of any type is kept, the config's over all's") func meta() throws {
        let third = try decide(os: nil).meta
        #expect(third == ["own": .string("third"), "help": .string("x")])
        let second = try decide(os: nil, ["region": { _ in true }]).meta
        #expect(second["nested"] == .object(["a": .array([.number("1"), .null, .bool(true)])]))
        #expect(second["own"]?.string == "second")
    }

    @Test(
        "6.2.36 a rule has a time, by the phone's clock; without one it always holds",
        arguments: [
            ("", GateDecision.Kind.required, ""), (#","from":"2026-03-20T09:46:40Z""#, .required, ""),
            (#","from":"2026-03-20T09:46:41Z""#, .open, "not_yet"),
            (#","until":"2026-03-20T09:46:41Z""#, .required, ""), (#","until":"2026-03-20T09:46:40Z""#, .open, "over"),
            (#","from":"soon""#, .open, ""), (#","percent":0"#, .open, "not_in_rollout"), (#","percent":100"#, .required, ""),
            (#","percent":101"#, .open, ""),
        ] as [(String, GateDecision.Kind, String)]
    )
    func times(members: String, kind: GateDecision.Kind, reason: String) throws {
        let text = Documents.native(#""requiredUpdate":{"minimumVersion":"9","message":"m"\#(members)}"#)
        #expect(Documents.now == ISO8601DateFormatter().date(from: "2026-03-20T09:46:40Z"))
        let decision = try Documents.read(text).decide("4.0")
        #expect(decision.kind == kind)
        #expect(decision.suppressed.map(\.reason) == (reason.isEmpty ? [] : [reason]))
    }

    @Test("6.2.36 a kill switch ends when the feed says so, not when its time does") func until() throws {
        let text = Documents.native(#""killSwitch":{"message":"m","retryInterval":15,"until":"2020-01-01T00:00:00Z"}"#)
        let decision = try Documents.read(text).decide("4.0")
        #expect(decision.kind == .blocked)
        #expect(decision.until == Date(timeIntervalSince1970: 1_577_836_800))
    }

    @Test("6.2.36 a share of the phones is drawn by the installation, and stays") func rollout() throws {
        func kinds(_ percent: Double, draw: String = "", phones: Range<Int> = 0..<2_000) throws -> [GateDecision.Kind] {
            let text = Documents.native(#""optionalUpdate":{"optionalVersion":"9","message":"m","percent":\#(percent),"draw":"\#(draw)"}"#)
            let document = try Documents.read(text)
            return phones.map { document.decision(for: GatePhone(version: "4.0", installID: "phone-\($0)"), at: Documents.now).kind }
        }
        for percent in [1.0, 10, 25, 50, 90] {
            let share = Double(try kinds(percent).filter { $0 == .optional }.count) / 20
            #expect(abs(share - percent) < 4, "\(percent) % reach \(share) %")
        }
        #expect(try kinds(25) == kinds(25))
        // Who is in stays in when the share grows; another draw takes others.
        for (small, large) in zip(try kinds(25), try kinds(50)) where small == .optional { #expect(large == .optional) }
        #expect(try kinds(25) != kinds(25, draw: "second"))
        // Without a name nobody is drawn.
        let text = Documents.native(#""optionalUpdate":{"optionalVersion":"9","message":"m","percent":99.9}"#)
        #expect(try Documents.read(text).decide("4.0").kind == .open)
    }

    /// Phones that were let in or shut out must stay so with the next version of GateKit: the places are FNV-1a over installation, rule and
    /// draw with zero bytes between, mixed as in SplitMix64, computed by another program.
    @Test(
        "6.2.36 the place of an installation never changes",
        arguments: [
            ("phone-0", "optionalUpdate", "", 20.902160467309038), ("phone-0", "optionalUpdate", "second", 13.244708173399367),
            ("ü-7", "alert", "", 38.10327598495347),
        ]
    )
    func place(installID: String, rule: String, draw: String, place: Double) throws {
        let members = rule == "alert" ? #""blocking":false"# : #""optionalVersion":"9""#
        for (percent, isIn) in [(place - 0.000_001, false), (place + 0.000_001, true)] {
            let text = Documents.native(#""\#(rule)":{\#(members),"message":"m","percent":\#(percent),"draw":"\#(draw)"}"#)
            let phone = GatePhone(version: "4.0", installID: installID)
            #expect(try (Documents.read(text).decision(for: phone, at: Documents.now).kind != .open) == isIn)
        }
    }

    @Test("6.2.36 languages, and none of these members in a shape of other libraries") func onlyOwn() throws {
        let document = try Documents.read(Documents.native(Documents.kill))
        for (languages, text) in [(["de-AT"], "Zu"), (["fr", "de"], "Zu"), (["fr"], "Closed"), ([], "Closed")] {
            let decision = document.decision(for: GatePhone(version: "4", languages: languages), at: Documents.now)
            #expect(decision.message == text)
        }
        let old = #"{"ios":{"requiredUpdate":{"minimumVersion":"9","message":"m","percent":0,"until":"2020-01-01T00:00:00Z"}}}"#
        #expect(try Documents.read(old).decide("4").kind == .required)
        #expect(try Documents.read(#"{"ios":{"alert":{"message":{"default":"a"},"blocking":true}}}"#).decide("4").kind == .open)
    }

    @Test("6.2.37 the store's address is the feed's, else the app's") func store() throws {
        let own = try #require(URL(string: "https://own.test"))
        let native = try Documents.read(Documents.native(Documents.required))
        #expect(native.decide("4.0", .init(storeURL: own)).storeURL?.absoluteString == "https://store.test/app")
        let other = try Documents.read(#"{"ios":{"requiredUpdate":{"minimumVersion":"9","message":"m"}}}"#)
        #expect(other.decide("4.0", .init(storeURL: own)).storeURL == own)
        #expect(other.decide("4.0").storeURL == nil)
    }
}
