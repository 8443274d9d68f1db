import GateAPI
import GateJSON
import GateModel
import Testing

@testable import gatectl

/// Which targets are meant by what was typed, and the error if nothing has that name.
@Suite struct TargetSelectionTests {
    private static func change(_ targets: [String], app: String? = nil, omitted: Int = 0) -> Change {
        var change = Change(
            sequence: 7,
            at: Timestamp(milliseconds: 0),
            actor: Actor(kind: .user, name: "ann"),
            source: .dashboard,
            kind: .set,
            reason: nil,
            requestId: "r1",
            app: app.flatMap(AppKey.init),
            targets: targets.map { ChangedTarget(target: TargetKey($0)!, previous: 1, revision: 2, before: .open, after: .open) }
        )
        change.omitted = omitted
        return change
    }

    @Test(
        arguments: [
            (nil, nil), ("ios", ["ios"]), ("ios,android", ["ios", "android"]), ("ios,ios", ["ios"]), ("all", nil), ("ios,all", nil),
            ("", [""]), ("ios,", ["ios", ""]),
        ] as [(String?, [String]?)]
    )
    func platformsAreNamedWithCommasOrByAll(typed: String?, platforms: [String]?) {
        #expect(TargetSelection(app: "shop", platform: typed).platforms == platforms)
    }

    @Test(
        arguments: [
            (nil, nil, true, true, true), ("shop", nil, true, true, true), ("shop", "all", true, true, true),
            ("shop", "ios", true, false, false), ("shop", "tv,ios", true, false, false), ("shop", "tv", false, false, false),
            ("bank", nil, false, true, false), (nil, "android", false, true, false),
        ] as [(String?, String?, Bool, Bool, Bool)]
    )
    func aChangeConcernsWhoAskedForOneOfItsTargets(app: String?, platform: String?, inShop: Bool, inBoth: Bool, ofTheApp: Bool) {
        let selection = TargetSelection(app: app, platform: platform)
        #expect(selection.concerns(Self.change(["shop/ios"])) == inShop)
        #expect(selection.concerns(Self.change(["shop/web", "bank/android"])) == inBoth)
        #expect(selection.concerns(Self.change([], app: "shop")) == ofTheApp, "an alias is the app's")
        // The targets that an answer had no room for may be the selected ones.
        #expect(selection.concerns(Self.change(["zoo/ios"], omitted: 3)))
    }

    private static func app(_ platforms: String...) -> AppBody {
        AppBody(
            key: AppKey("shop")!,
            name: "Shop",
            aliases: [],
            platforms: Dictionary(uniqueKeysWithValues: platforms.map { (PlatformKey($0)!, .standard(for: PlatformKey($0)!)) })
        )
    }

    @Test(
        arguments: [
            ("ois", "shop has no platform ois. Did you mean ios?"), ("all", "all is no platform here; name one: android, ios"),
            (nil, "all is no platform here; name one: android, ios"),
            ("ios,android", "ios,android is no platform here; name one: android, ios"), ("", "shop has no platform "),
        ] as [(String?, String)]
    )
    func whatIsThereIsSaid(platform: String?, words: String) {
        #expect(TargetLookup.missing(platform, of: Self.app("ios", "android")).message == words)
        let none = TargetLookup.missing(platform, of: Self.app())
        #expect(none.message == "shop has no platform yet")
        #expect(none.next.first?.text == "gatectl apps add shop --name Shop --platforms ios,android")
    }

    @Test func aPlatformThatNoAppHasIsToldAsSuch() {
        let failure = TargetLookup.inNoApp("andriod", among: ["shop/ios", "bank/android", "bank/ios"].map { TargetKey($0)! })
        #expect(failure.exit == .notFound && failure.message == "no app has a platform andriod. Did you mean android?")
        #expect(failure.next.first?.text == "there are: android, ios")
    }
}
