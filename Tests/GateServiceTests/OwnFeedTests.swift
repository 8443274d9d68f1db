import Foundation
import GateJSON
import GateModel
import GateStore
import Testing

@testable import GateService

/// Feeds of own shapes: changes of their app like any other.
@Suite struct OwnFeedTests {
    static let template = #"{"maintenance":{"$eval":"blocked"},"text":{"$if":"kill","then":{"$eval":"kill.message"},"else":""},"v":1}"#
    static let whole = #"{"ios":{"off":{"$eval":"ios.blocked"}},"android":{"off":{"$eval":"android.blocked"}}}"#

    static func put(
        _ app: String,
        _ name: String,
        _ template: String = template,
        platform: PlatformKey? = .ios,
        sample: String? = nil,
        seen: JSONObject? = nil
    )
        -> Command
    {
        .putOwnFeed(
            AppKey(app)!,
            OwnFeedDraft(name: OwnFeedName(name)!, platform: platform, template: template, sample: sample, seen: seen)
        )
    }

    private func house(_ platforms: String..., protected: Bool = false) throws -> House {
        let house = try House(protected: protected)
        try house.submit(.createApp(AppKey("shop")!, name: "Shop"))
        for platform in platforms { try house.submit(.putPlatform(TargetKey("shop/\(platform)")!, settings: [:])) }
        return house
    }

    @Test func aTemplateThatSomebodyElseGaveItMeanwhileIsNotReplaced() throws {
        let house = try house("ios")
        try house.submit(Self.put("shop", "status", #"{"v":1}"#, seen: ["template": .null]))
        let second = try refusal { try house.submit(Self.put("shop", "status", #"{"v":2}"#, seen: ["template": .null])) }.unwrapped()
        #expect((second.code, second.word, second.field) == (.revisionStale, "stale_values", "/seen/template"))
        #expect(second.detail == "own/status.json of shop was made meanwhile, and phones may poll it: look at it first.")
        try house.submit(Self.put("shop", "status", #"{"v":2}"#, seen: ["template": .string(#"{"v":1}"#)]))
        #expect(
            word { try house.submit(Self.put("shop", "status", #"{"v":3}"#, seen: ["template": .string(#"{"v":1}"#)])) } == "stale_values"
        )
        #expect(house.sink.text("/feeds/shop/ios/own/status.json") == #"{"v":2}"#)
    }

    @Test func itIsServedAndFollowsTheGate() throws {
        let house = try house("ios", "android")
        let made = try house.submit(Self.put("shop", "status"))
        #expect((made.plan.tier, made.plan.confirm) == (.notice, nil))
        #expect(made.plan.apps.map(\.field) == ["ownFeeds.status", "ownFeeds.status.document"])
        #expect(made.plan.apps.last?.after?.text == #"{"maintenance":false,"text":"","v":1}"#)
        #expect(made.plan.warnings.map(\.code) == ["own_shape"])
        #expect((made.change?.kind, made.change?.app?.text, made.change?.targets.count) == (.settings, "shop", 0))
        try house.submit(Self.put("shop", "all", Self.whole, platform: nil))
        let (status, all) = ("/feeds/shop/ios/own/status.json", "/feeds/shop/own/all.json")
        #expect(house.sink.text(status) == #"{"maintenance":false,"text":"","v":1}"#)
        try house.submit(
            .aliases("shop", #"[{"path":"/s","feed":"own/status.json","platform":"ios"},{"path":"/a.json","feed":"own/all.json"}]"#)
        )
        try house.set("shop/ios", to: Rules.kill)
        #expect(house.sink.text(status) == #"{"maintenance":true,"text":"Back at 09:30.","v":1}"#)
        #expect(house.sink.text(all) == #"{"ios":{"off":true},"android":{"off":false}}"#)
        #expect(house.sink.text("/s") == house.sink.text(status))
        #expect(house.sink.text("/a.json") == house.sink.text(all))
        try house.set("shop/ios", to: Rules.open)
        #expect(house.sink.text(status) == #"{"maintenance":false,"text":"","v":1}"#)
        // As a start finds it.
        let before = house.sink.bytes
        try house.reopen()
        #expect(house.sink.bytes == before)
        #expect(try house.submit(Self.put("shop", "status")).change == nil)
        try house.close()
        #expect(try Store.verify(directory: house.folder, server: house.address, migrations: House.migrations) == [])
    }

    @Test(arguments: [
        ("{", "invalid_template", false), (#"{"a":{"$eval":"kill.message"}}"#, "template_fails", false),
        (#"{"a":{"$eval":"message"}}"#, "type_changes", true), (#"{"a":{"$if":"kill","then":1,"else":"x"}}"#, "mixed_types", false),
        (#"{"a":{"$eval":"ios.kill"}}"#, "invalid_template", false),
    ])
    func aTemplateThatDoesNotKeepItsWordIsRefused(template: String, code: String, isOverridable: Bool) throws {
        let house = try house("ios")
        let before = try house.snapshot()
        let error = try refusal { try house.submit(Self.put("shop", "status", template)) }.unwrapped()
        #expect((error.word, error.field, error.isOverridable) == (code, "/template", isOverridable))
        #expect(error.detail.contains("shop own/status.json"))
        #expect(try house.snapshot() == before)
    }

    @Test func typeChangesAreAcceptedKeptAndRecorded() throws {
        let house = try house("ios")
        let command = Self.put("shop", "status", #"{"a":{"$eval":"message"}}"#)
        let made = try house.submit(command, WriteTerms(accept: ["type_changes"]))
        #expect(made.plan.warnings.map(\.code) == ["type_changes", "own_shape"])
        #expect(made.change?.reason?.contains("type_changes") == true)
        #expect(house.sink.text("/feeds/shop/ios/own/status.json") == #"{"a":null}"#)
        #expect(try house.document()[0].ownFeeds[OwnFeedName("status")!]?.acceptsTypeChanges == true)
        // One that does not need it does not keep it.
        try house.submit(Self.put("shop", "other"), WriteTerms(accept: ["type_changes"]))
        #expect(try house.document()[0].ownFeeds[OwnFeedName("other")!]?.acceptsTypeChanges == false)
    }

    @Test(arguments: [
        // Says the opposite just now, in a place that turns with a block.
        (#"{"maintenance":{"$eval":"!blocked"},"text":"","v":1}"#, DangerTier.block),
        // Another constant, in a place that does not.
        (#"{"maintenance":{"$eval":"blocked"},"text":{"$if":"kill","then":{"$eval":"kill.message"},"else":""},"v":2}"#, .notice),
        // The place is gone.
        (#"{"text":"","v":1}"#, .block),
        // Says the same just now, but a kill switch no longer reaches anybody by it.
        (#"{"maintenance":false,"text":"","v":1}"#, .block),
    ])
    func howDangerousItIsComesOfWhatPhonesAreToldNow(template: String, tier: DangerTier) throws {
        let house = try house("ios", protected: true)
        try house.submit(Self.put("shop", "status"))
        let plan = try house.submit(Self.put("shop", "status", template), WriteTerms(dryRun: true)).plan
        #expect(plan.tier == tier)
        #expect(plan.confirm == (tier == .block ? "shop/ios" : nil))
        #expect(plan.warnings.map(\.code).contains("own_feed_ignores_kill") == !template.contains("blocked"))
    }

    /// What one change may not do without a phrase, several small ones may not do either.
    @Test(arguments: [
        ([#"{"blocked":{"$eval":"blocked"},"v":1}"#, #"{"blocked":false,"v":1}"#], "shop/ios"),
        ([#"{"blocked":false,"v":1}"#, #"{"blocked":true,"v":1}"#], "shop/ios"),
        ([#"{"blocked":{"$eval":"blocked"},"text":{"$eval":"blocked"}}"#, #"{"blocked":false,"text":{"$eval":"blocked"}}"#], "shop/ios"),
        ([#"{"blocked":{"flag":{"$eval":"blocked"}}}"#, #"{"blocked":{"other":{"$eval":"blocked"}}}"#], "shop/ios"),
        // Spelled otherwise, and a place that a block has nothing to do with.
        ([#"{"blocked":false,"v":1}"#, #"{ "v":1,"blocked":false}"#], nil),
        ([#"{"blocked":{"$eval":"blocked"},"v":1}"#, #"{"blocked":{"$eval":"blocked"},"v":2,"w":true}"#], nil),
    ])
    func aTemplateIsJudgedByThePlacesThatItLoses(templates: [String], confirm: String?) throws {
        let house = try house("ios", protected: true)
        try house.submit(Self.put("shop", "status", templates[0]))
        let plan = try house.submit(Self.put("shop", "status", templates[1]), WriteTerms(dryRun: true)).plan
        #expect((plan.tier, plan.confirm) == (confirm == nil ? .notice : .block, confirm))
    }

    /// Constants name no platform, so all that may read them count.
    @Test func aFeedOfTheWholeAppThatTurnsWithNothingIsForAllItsPlatforms() throws {
        let house = try house("ios", "android")
        try house.submit(Self.put("shop", "all", #"{"blocked":false}"#, platform: nil))
        let plan = try house.submit(Self.put("shop", "all", #"{"blocked":true}"#, platform: nil), WriteTerms(dryRun: true)).plan
        #expect((plan.tier, plan.confirm) == (.many, "open 2 targets"))
    }

    @Test func thePlanSaysWhereTheSampleDiffers() throws {
        let house = try house("ios")
        func warnings(_ sample: String) throws -> [Warning] {
            try house.submit(Self.put("shop", "status", sample: sample), WriteTerms(dryRun: true)).plan.warnings.filter {
                $0.code != "own_shape"
            }
        }
        #expect(try warnings(#"{"maintenance":false,"text":"","v":1}"#) == [])
        #expect(try warnings(#"{ "v":1,"text":"","maintenance":false}"#).map(\.code) == ["sample_spelled_otherwise"])
        let differing = try warnings(#"{"maintenance":true,"text":"","w":1}"#)
        #expect(differing.map(\.code) == ["sample_differs"])
        #expect(differing[0].detail.contains("/maintenance, /w, /v"))
        #expect(word { _ = try warnings("{") } == "invalid_sample")
    }

    @Test func removalIsTheMostDangerousAndFreesTheAddress() throws {
        let house = try house("ios")
        try house.submit(Self.put("shop", "status"))
        try house.submit(.aliases("shop", #"[{"path":"/s","feed":"own/status.json","platform":"ios"}]"#))
        let remove = Command.deleteOwnFeed(AppKey("shop")!, OwnFeedName("status")!)
        #expect(word { try house.submit(remove) } == "alias_in_use")
        #expect(word { try house.submit(.deletePlatform(TargetKey("shop/ios")!)) } == "alias_in_use")
        try house.submit(.aliases("shop", "[]"))
        #expect(
            word { try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(confirm: "delete shop/ios")) } == "invalid_template"
        )
        #expect(word { try house.submit(remove) } == "confirmation_required")
        let gone = try house.submit(remove, WriteTerms(confirm: "delete shop/own/status"))
        #expect(gone.plan.tier == .many)
        #expect(gone.plan.warnings.map(\.code) == ["own_feed_removed"])
        #expect(house.sink.bytes["/feeds/shop/ios/own/status.json"] == nil)
        #expect(word { try house.submit(remove) } == "own_feed_not_found")
        try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(confirm: "delete shop/ios"))
        try house.submit(Self.put("shop", "status", #"{"a":1}"#, platform: nil))
        try house.submit(.deleteApp(AppKey("shop")!), WriteTerms(confirm: "delete shop"))
        #expect(house.sink.bytes.isEmpty)
        try house.close()
        #expect(try Store.verify(directory: house.folder, server: house.address, migrations: House.migrations) == [])
    }

    @Test func anAliasNamesAFeedThatIsThere() throws {
        let house = try house("ios")
        try house.submit(Self.put("shop", "status"))
        for json in [
            #"[{"path":"/s","feed":"own/other.json","platform":"ios"}]"#, #"[{"path":"/s","feed":"own/status.json"}]"#,
        ] { #expect(word { try house.submit(.aliases("shop", json)) } == "invalid_alias", "\(json)") }
    }

    @Test func itStaysOnItsPlatformAndThereAreNotTooMany() throws {
        let house = try house("ios", "android")
        try house.submit(Self.put("shop", "status"))
        #expect(word { try house.submit(Self.put("shop", "status", platform: .android)) } == "own_feed_moves")
        #expect(word { try house.submit(Self.put("shop", "status", platform: PlatformKey("tv"))) } == "own_feed_moves")
        #expect(word { try house.submit(Self.put("shop", "tv", platform: PlatformKey("tv"))) } == "invalid_template")
        #expect(word { try house.submit(Self.put("bank", "status")) } == "app_not_found")
        for number in 2...OwnFeed.mostPerApp { try house.submit(Self.put("shop", "n\(number)")) }
        #expect(word { try house.submit(Self.put("shop", "more")) } == "too_many_own_feeds")
        // The last one can still be altered.
        try house.submit(Self.put("shop", "n20", #"{"a":1}"#))
        let large = "{\"a\":\"" + String(repeating: "x", count: 30_000) + "\"}"
        for number in 2...5 where number < 5 { try house.submit(Self.put("shop", "n\(number)", large)) }
        try house.submit(Self.put("shop", "n5", large))
        #expect(word { try house.submit(Self.put("shop", "n6", large)) } == "too_many_own_feeds")
    }

    @Test func aVersionAsANumberNeedsVersionCodes() throws {
        let house = try house("ios", "android")
        let template = #"{"min":{"$if":"required","then":{"$eval":"required.minimumVersionCode"},"else":0}}"#
        #expect(word { try house.submit(Self.put("shop", "min", template)) } == "invalid_template")
        try house.submit(Self.put("shop", "min", template, platform: .android))
        try house.set("shop/android", to: Rules.require)
        #expect(house.sink.text("/feeds/shop/android/own/min.json") == #"{"min":4}"#)
        let error = try refusal { try house.submit(.settings("shop/android", #"{"versionScheme":"dotted"}"#)) }.unwrapped()
        #expect((error.word, error.field) == ("invalid_template", "/versionScheme"))
    }

    @Test func operatorsAndOthersMayNot() throws {
        let house = try house("ios")
        #expect(word { try house.submit(Self.put("shop", "status"), by: .operator) } == "forbidden")
        #expect(word { try house.submit(Self.put("shop", "status"), by: .banker) } != nil)
    }

    /// Whoever was overtaken has the number of the change that came of it, in a feed of an own shape too.
    @Test func theSequenceInItIsThatOfTheChange() throws {
        let house = try house("ios", "android")
        try house.submit(Self.put("shop", "status", #"{"s":{"$eval":"sequence"},"k":{"$eval":"blocked"}}"#))
        try house.set("shop/ios", to: Rules.kill)
        let sequence = try house.target("shop/ios").sequence
        #expect(house.sink.text("/feeds/shop/ios/own/status.json") == #"{"s":\#(sequence),"k":true}"#)
        let app = try house.document()[0]
        var later = app
        later.platforms[.ios]?.sequence = 99
        let published = try PublishedApp(rendering: app).redated(later, [.ios])
        #expect(String(decoding: published.ownFeeds[0].bytes, as: UTF8.self) == #"{"s":99,"k":true}"#)
    }

    @Test func anExportHasItAndAnApplyMakesItSo() throws {
        let house = try house("ios", "android")
        try house.submit(Self.put("shop", "status"))
        try house.submit(Self.put("shop", "all", Self.whole, platform: nil))
        try house.submit(.aliases("shop", #"[{"path":"/a.json","feed":"own/all.json"}]"#))
        let document = try house.document()
        let feeds = house.sink.withoutNative
        #expect(try house.apply(document).change == nil)

        let other = try House()
        try other.apply(document)
        #expect(other.sink.withoutNative == feeds)

        var without = document
        without[0].ownFeeds = [:]
        #expect(word { try house.apply(without) } == "invalid_alias")
        without[0].aliases = []
        let plan = try house.submit(
            .apply(ApplyCommand(apps: without, scope: .all, prunes: false, sequence: nil, by: .admin)),
            WriteTerms(dryRun: true)
        ).plan
        #expect((plan.tier, plan.confirm) == (.many, "apply 2 targets"))
        try house.apply(without)
        #expect(!house.sink.bytes.isEmpty && house.sink.bytes.keys.allSatisfy { !$0.contains("/own/") })
        #expect(word { try house.apply([document[0].without(.android)], prunes: true) } == "invalid_template")
        try house.close()
        #expect(try Store.verify(directory: house.folder, server: house.address, migrations: House.migrations) == [])
    }

    /// What could not be made is given up as a whole, whatever else the change is about.
    @Test func aFeedThatCannotBeRenderedStopsTheChange() throws {
        let house = try house("ios")
        try house.submit(Self.put("shop", "status"))
        var app = try house.document()[0]
        app.ownFeeds[OwnFeedName("status")!] = OwnFeed(
            name: OwnFeedName("status")!,
            platform: .ios,
            template: #"{"a":{"$eval":"kill.message"}}"#
        )
        let error = try refusal { _ = try PublishedApp(rendering: app) }.unwrapped()
        #expect(error.word == "own_feed_not_rendered")
        #expect(error.detail.contains("/a: kill.message does not exist while kill is off"))
    }

    @Test func whatWasPublishedLastHasItToo() throws {
        let house = try house("ios")
        try house.submit(Self.put("shop", "status"))
        let folder = PublicationFolder(dataFolder: house.folder)
        let app = try PublishedApp(rendering: try house.document()[0])
        folder.remember([(app.key, app)])
        try folder.flush()
        let kept = try folder.load(app.key).unwrapped()
        #expect(kept.ownFeeds.map(\.path) == ["/feeds/shop/ios/own/status.json"])
        #expect(kept.ownFeeds.map(\.bytes) == app.ownFeeds.map(\.bytes))
        #expect(kept.ownFeeds.map(\.etag) == app.ownFeeds.map(\.etag))
    }
}
