import GateJSON
import GateModel
import Testing

@testable import GateService

/// Apps, platforms and aliases: changes like any other.
@Suite struct AppCommandTests {
    @Test func anAppIsCreatedOnceAndWithAName() throws {
        let house = try House()
        let change = try house.submit(.createApp(AppKey("shop")!, name: " Shop ")).change.unwrapped()
        #expect((change.kind, change.app?.text, change.targets.count) == (.create, "shop", 0))
        #expect(house.ledger.apps(for: .admin).map(\.name) == ["Shop"])
        let error = try refusal { try house.submit(.createApp(AppKey("shop")!, name: "Again")) }.unwrapped()
        #expect((error.code, error.word, error.field) == (.exists, "exists", "/key"))
        let unnamed = try refusal { try house.submit(.createApp(AppKey("bank")!, name: " ")) }.unwrapped()
        #expect((unnamed.code, unnamed.word, unnamed.field) == (.invalid, "invalid_name", "/name"))
        #expect(house.ledger.sequence == 1)
    }

    @Test func aPlatformIsCreatedWithItsDefaultsAndThenEdited() throws {
        let house = try House()
        try house.add("shop", "ios", "android")
        #expect(try house.target("shop/ios").settings == PlatformSettings(versionScheme: .dotted))
        #expect(try house.target("shop/android").settings == PlatformSettings(versionScheme: .code))

        let change = try house.submit(.settings("shop/ios", #"{"defaultRetryInterval":60,"releases":["4.2.0"]}"#)).change.unwrapped()
        #expect((change.kind, change.targets[0].revision) == (.settings, 2))
        #expect(change.targets[0].settings?.before?.defaultRetryInterval == 15)
        #expect(house.sink.text("/feeds/shop/ios/bellerophon.json")?.contains(#""retryInterval":60"#) == true)
        #expect(try house.submit(.settings("shop/ios", #"{"storeURL":null}"#)).change == nil)
        #expect(word { try house.submit(.settings("bank/ios", "{}")) } == "app_not_found")
        let bad = try refusal { try house.submit(.settings("shop/ios", #"{"defaultRetryInterval":4}"#)) }.unwrapped()
        #expect((bad.word, bad.field) == ("invalid_retry_interval", "/defaultRetryInterval"))
    }

    @Test func whatMeansSomethingElseIsNoKeyOfAnythingNew() throws {
        let house = try House()
        try house.add("shop", "ios")
        for key in ["all", "gate", "schema"] {
            let error = try refusal { try house.submit(.settings("shop/\(key)", "{}")) }.unwrapped()
            #expect((error.code, error.word, error.field) == (.invalid, "invalid_platform_key", nil))
        }
        let error = try refusal { try house.submit(.createApp(AppKey("all")!, name: "All")) }.unwrapped()
        #expect((error.code, error.word, error.field) == (.invalid, "invalid_app_key", "/key"))
        // An app may be called what only a platform may not.
        try house.add("gate", "ios")
        let platforms: [PlatformKey: Target] = [PlatformKey("gate")!: Self.target("shop/gate", revision: 0)]
        let document = [App(key: AppKey("all")!, name: "All"), App(key: AppKey("shop")!, name: "Shop", platforms: platforms)]
        let first = try refusal { try house.apply([document[0]]) }.unwrapped()
        #expect((first.word, first.field) == ("invalid_app_key", "/document/apps/0/key"))
        let second = try refusal { try house.apply([document[1]]) }.unwrapped()
        #expect((second.word, second.field) == ("invalid_platform_key", "/document/apps/0/platforms/gate"))
    }

    private static func target(_ key: String, revision: Int) -> Target {
        let start = Timestamp(milliseconds: 0)
        return Target(
            key: TargetKey(key)!,
            settings: PlatformSettings(versionScheme: .dotted),
            gate: .open,
            revision: revision,
            sequence: 0,
            since: start,
            changedAt: start
        )
    }

    @Test func whoHasSuchAKeyKeepsIt() throws {
        let house = try House()
        let target = Self.target("all/gate", revision: 3)
        let exported = App(key: AppKey("all")!, name: "All", platforms: [target.key.platform: target])
        try house.apply([exported])
        try house.submit(.settings("all/gate", #"{"defaultRetryInterval":60}"#))
        try house.set("all/gate", to: Rules.kill)
        try house.submit(.settings("all/ios", "{}"))
        #expect(try house.apply(house.document()).change == nil)
        try house.close()
        let again = try House(again: house)
        #expect(try again.target("all/gate").gate.killSwitch != nil)
        #expect(try again.target("all/gate").settings.defaultRetryInterval == 60)
    }

    @Test func aKeyThatIsUsedAgainGoesOnCounting() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.set("shop/ios", to: Rules.kill)
        let deleted = try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(confirm: "delete shop/ios")).change.unwrapped()
        #expect(deleted.targets[0].revision == 3)
        #expect(deleted.targets[0].feeds == [:])
        #expect(house.sink.text("/feeds/shop/ios/gate.json") == nil)

        let created = try house.submit(.settings("shop/ios", "{}")).change.unwrapped()
        #expect((created.kind, created.targets[0].previous, created.targets[0].revision) == (.create, 0, 4))
        #expect(try house.target("shop/ios").gate == .open)

        // The same by deleting the whole app, and after a restart.
        try house.submit(.deleteApp(AppKey("shop")!), WriteTerms(confirm: "delete shop"))
        #expect(house.sink.bytes.isEmpty)
        try house.close()
        let again = try House(again: house)
        try again.submit(.createApp(AppKey("shop")!, name: "Shop"))
        #expect(try again.submit(.settings("shop/ios", "{}")).change?.targets[0].revision == 6)
        #expect(try again.submit(.revert("shop/ios", 6, to: 2)).change?.targets[0].after.killSwitch != nil)
    }

    @Test func whatIsNotThereCannotBeDeletedOrEdited() throws {
        let house = try House()
        try house.add("shop", "ios")
        #expect(word { try house.submit(.deleteApp(AppKey("bank")!)) } == "app_not_found")
        #expect(word { try house.submit(.deletePlatform(TargetKey("shop/tv")!)) } == "target_not_found")
        #expect(word { try house.submit(.editApp(AppKey("bank")!, name: "Bank", aliases: nil)) } == "app_not_found")
    }

    @Test func anAppWithoutPlatformsIsDeletedToo() throws {
        let house = try House()
        try house.submit(.createApp(AppKey("shop")!, name: "Shop"))
        let change = try house.submit(.deleteApp(AppKey("shop")!), WriteTerms(confirm: "delete shop")).change.unwrapped()
        #expect((change.app?.text, change.targets.count) == ("shop", 0))
        #expect(house.ledger.apps(for: .admin) == [])
    }

    // MARK: Aliases

    @Test func anAliasServesItsFeedsBytes() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.submit(
            .aliases(
                "shop",
                #"[{"path":"/config.json","feed":"launchgate.json"},{"path":"/b","feed":"bellerophon.json","platform":"ios"}]"#
            )
        )
        #expect(house.sink.bytes["/config.json"] == house.sink.bytes["/feeds/shop/launchgate.json"])
        #expect(house.sink.bytes["/b"] == house.sink.bytes["/feeds/shop/ios/bellerophon.json"])
        try house.set("shop/ios", to: Rules.kill)
        #expect(house.sink.text("/config.json") == #"{"ios":{"alert":{"message":"Back at 09:30.","blocking":true}}}"#)

        let outcome = try house.submit(.aliases("shop", #"[{"path":"/b","feed":"bellerophon.json","platform":"ios"}]"#))
        #expect(outcome.plan.warnings.map(\.code) == ["alias_removed"])
        #expect(house.sink.bytes["/config.json"] == nil)
    }

    @Test(arguments: [
        (
            #"[{"path":"/a","feed":"launchgate.json"},{"path":"/a","feed":"gate.json","platform":"ios"}]"#, "invalid_alias",
            "/aliases/1/path"
        ),
        (#"[{"path":"/a","feed":"gate.json","platform":"tv"}]"#, "invalid_alias", "/aliases/0/platform"),
        (#"[{"path":"/taken.json","feed":"launchgate.json"}]"#, "alias_taken", "/aliases/0/path"),
    ])
    func anAliasThatCannotBeIsRefused(json: String, code: String, field: String) throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        try house.submit(.aliases("bank", #"[{"path":"/taken.json","feed":"launchgate.json"}]"#))
        let before = try house.snapshot()
        let error = try refusal { try house.submit(.aliases("shop", json)) }.unwrapped()
        #expect((error.word, error.field) == (code, field))
        #expect(try house.snapshot() == before)
    }

    /// A list is replaced as a whole, so one that was computed from an older list would take away what somebody else added meanwhile.
    @Test func whatSomebodyElseAddedMeanwhileIsNotReplaced() throws {
        let house = try House()
        try house.add("shop", "ios")
        let (shop, ios) = (AppKey("shop")!, TargetKey("shop/ios")!)
        let (theirs, mine) = (#"{"path":"/theirs.json","feed":"launchgate.json"}"#, #"{"path":"/mine.json","feed":"launchgate.json"}"#)
        func add(_ aliases: String, seeing seen: String?) throws {
            let seen: JSONObject? = try seen.map { ["aliases": try $0.json] }
            try house.submit(.editApp(shop, name: nil, aliases: try aliases.aliases, seen: seen))
        }
        func release(_ releases: String, seeing seen: JSONObject?) throws {
            try house.submit(.putPlatform(ios, settings: try releases.json, seen: seen))
        }
        try add("[\(theirs)]", seeing: "[]")
        let stale = try refusal { try add("[\(mine)]", seeing: "[]") }.unwrapped()
        #expect((stale.code, stale.word, stale.field) == (.revisionStale, "stale_values", "/seen/aliases"))
        #expect(stale.detail == "shop was changed meanwhile: its aliases are not what you saw.")
        // A kill is another matter.
        try house.set("shop/ios", to: Rules.kill)
        try add("[\(theirs),\(mine)]", seeing: "[\(theirs)]")
        #expect(house.ledger.apps(for: .admin).first?.aliases.map(\.path) == ["/theirs.json", "/mine.json"])
        // Who says nothing of what they saw replaces whatever is there, as ever.
        try add("[]", seeing: nil)

        try release(#"{"releases":["1.3"]}"#, seeing: ["releases": .array([])])
        let late = try refusal { try release(#"{"releases":["1.4"]}"#, seeing: ["releases": .array([])]) }.unwrapped()
        #expect((late.word, late.field, late.current?.settings.releases) == ("stale_values", "/seen/releases", ["1.3"]))
        try release(#"{"releases":["1.3","1.4"]}"#, seeing: ["releases": .array([.string("1.3")]), "storeURL": .null])
        try release(#"{"defaultRetryInterval":30}"#, seeing: [:])
        #expect(try house.target("shop/ios").settings.releases == ["1.3", "1.4"])
        // A platform that was removed is not made again by an edit of it.
        try house.submit(.deletePlatform(ios), WriteTerms(confirm: "delete shop/ios"))
        #expect(
            word { try release(#"{"releases":["1.5"]}"#, seeing: ["releases": .array([.string("1.3"), .string("1.4")])]) } == "stale_values"
        )
        #expect(word { try release(#"{"releases":["1.5"]}"#, seeing: nil) } == nil)
    }

    @Test func aFreedAliasCanBeTakenByAnotherApp() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        let alias = #"[{"path":"/a.json","feed":"launchgate.json"}]"#
        try house.submit(.aliases("bank", alias))
        #expect(word { try house.submit(.aliases("shop", alias)) } == "alias_taken")
        try house.submit(.aliases("bank", "[]"))
        try house.submit(.aliases("shop", alias))
        try house.submit(.deleteApp(AppKey("shop")!), WriteTerms(confirm: "delete shop"))
        #expect(try house.submit(.aliases("bank", alias)).change != nil)
    }

    @Test func aPlatformThatAnAliasServesIsNotDeleted() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.submit(.aliases("shop", #"[{"path":"/b","feed":"bellerophon.json","platform":"ios"}]"#))
        #expect(
            word { try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(confirm: "delete shop/ios")) } == "alias_in_use"
        )
    }

    @Test func namingTheSameAgainChangesNothing() throws {
        let house = try House()
        try house.add("shop", "ios")
        #expect(try house.submit(.editApp(AppKey("shop")!, name: "shop", aliases: [])).change == nil)
        #expect(try house.submit(.editApp(AppKey("shop")!, name: nil, aliases: nil)).change == nil)
        #expect(house.ledger.sequence == 2)
    }
}
