import GateHTTP
import GateJSON
import GateModel
import GateService
import Testing

@testable import GateServer

@Suite struct AppHandlersTests {
    @Test func anAppIsMadeOnce() throws {
        let desk = try Desk()
        let response = desk.ask(.post, "/api/v1/apps", #"{"key":"shop","name":" Shop "}"#)
        #expect(response.status == 201)
        #expect(JSONValue.object(response.json) == ["key": "shop", "name": "Shop", "aliases": .array([]), "platforms": [:]])
        #expect(desk.ask(.post, "/api/v1/apps", #"{"key":"shop","name":"Again"}"#).summary == "409 exists /key")
        #expect(desk.ask(.get, "/api/v1/apps/shop", as: .viewer).json == response.json)
        #expect(desk.ask(.post, "/api/v1/apps", #"{"key":"new","name":"New","dryRun":true}"#).json.names == ["plan"])
        #expect(desk.ask(.get, "/api/v1/apps/new").status == 404)
    }

    @Test func aPlatformIsMadeEditedAndMadeAgain() throws {
        let desk = try Desk()
        try desk.ask(.post, "/api/v1/apps", #"{"key":"shop","name":"Shop"}"#).expect(201)
        let made = desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"releases":["4.2.0"]}"#)
        #expect(made.status == 201)
        #expect(
            made.json.names == ["app", "platform", "revision", "sequence", "state", "since", "gate", "settings", "feeds", "lastChange"]
        )
        #expect(
            made.json.at("settings") == [
                "versionScheme": "dotted", "storeURL": .null, "releases": .array(["4.2.0"]), "defaultRetryInterval": .integer(15),
                "clients": .null,
            ]
        )
        #expect(made.json.at("feeds.launchgate") == "/feeds/shop/launchgate.json")
        #expect(made.json.at("lastChange.kind") == "create")
        let edited = desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"defaultRetryInterval":30}"#)
        #expect((edited.status, edited.json.at("revision")) == (200, .integer(2)))
        #expect(edited.json.at("settings.releases") == .array(["4.2.0"]))
        let same = desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"defaultRetryInterval":30}"#)
        #expect((same.status, same.json) == (200, edited.json))

        let refused = desk.ask(.delete, "/api/v1/apps/shop/platforms/ios", "{}")
        #expect(refused.summary == "422 confirmation_required /confirm")
        #expect(refused.json.at("plan.confirm") == "delete shop/ios")
        let deleted = desk.ask(.delete, "/api/v1/apps/shop/platforms/ios", #"{"confirm":"delete shop/ios"}"#)
        #expect((deleted.status, deleted.json.names) == (200, ["change", "plan"]))
        #expect(desk.ask(.get, "/api/v1/targets/shop/ios").status == 404)
        let again = desk.ask(.put, "/api/v1/apps/shop/platforms/ios")
        #expect((again.status, again.json.at("revision")) == (201, .integer(4)))
    }

    @Test func deletingAnAppWantsItsPhraseAndWhereProtectedAReason() throws {
        let desk = try Desk(protected: true).furnished()
        #expect(desk.ask(.delete, "/api/v1/apps/shop", #"{"confirm":"delete shop"}"#).summary == "422 reason_required /reason")
        #expect(
            desk.ask(.delete, "/api/v1/apps/shop", #"{"confirm":"shop","reason":"old"}"#).summary == "422 confirmation_required /confirm"
        )
        #expect(desk.ask(.delete, "/api/v1/apps/shop", #"{"dryRun":true}"#).json.at("plan.confirm") == "delete shop")
        let response = desk.ask(.delete, "/api/v1/apps/shop", #"{"confirm":" Delete SHOP ","reason":"old"}"#)
        #expect(response.status == 200)
        #expect(response.json.at("change.kind") == "delete")
        #expect(response.json.at("change.targets")?.array?.count == 2)
        #expect(desk.ask(.get, "/api/v1/apps/shop").status == 404)
        #expect(desk.ask(.delete, "/api/v1/apps/shop").summary == "404 app_not_found")
    }

    @Test func aPatchReplacesWhatItNames() throws {
        let desk = try Desk().furnished()
        let aliases = #"[{"path":"/config.json","feed":"launchgate.json"},{"path":"/b","feed":"bellerophon.json","platform":"ios"}]"#
        let response = desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":\#(aliases)}"#)
        #expect(response.status == 200)
        #expect(response.json["name"] == "shop")
        #expect(response.json["aliases"]?.text == aliases)
        #expect(desk.ask(.patch, "/api/v1/apps/shop", #"{"name":"Shop"}"#).json["aliases"]?.text == aliases)
        #expect(desk.ask(.patch, "/api/v1/apps/shop", "{}").json["name"] == "Shop")
        #expect(
            desk.ask(.patch, "/api/v1/apps/bank", #"{"aliases":[{"path":"/b","feed":"launchgate.json"}]}"#).summary
                == "409 alias_taken /aliases/0/path"
        )
        #expect(
            desk.ask(.patch, "/api/v1/apps/bank", #"{"aliases":[{"path":"/c","feed":"gate.json","platform":"tv"}]}"#).summary
                == "422 invalid_alias /aliases/0/platform"
        )
        #expect(desk.ask(.delete, "/api/v1/apps/shop/platforms/ios", #"{"confirm":"delete shop/ios"}"#).summary == "422 alias_in_use")
    }

    @Test func anEditOfWhatIsNotThereAnyMoreIsRefused() throws {
        let desk = try Desk().furnished()
        let alias = #"{"path":"/a.json","feed":"launchgate.json"}"#
        try desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[\#(alias)],"seen":{"aliases":[]}}"#).expect(200)
        for more in ["", #","dryRun":true"#] {
            let late = desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[],"seen":{"aliases":[]}\#(more)}"#)
            #expect(late.summary == "412 stale_values /seen/aliases")
        }
        #expect(desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[],"seen":{"key":"shop"}}"#).summary == "400 malformed /seen/key")
        #expect(desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[],"seen":[]}"#).summary == "400 malformed /seen")
        // The order of members says nothing.
        let turned = #"{"feed":"launchgate.json","path":"/a.json"}"#
        try desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[],"seen":{"aliases":[\#(turned)]}}"#).expect(200)

        let path = "/api/v1/apps/shop/platforms/ios"
        try desk.ask(.put, path, #"{"storeURL":"https://a.example/1","seen":{"storeURL":null}}"#).expect(200)
        let late = desk.ask(.put, path, #"{"storeURL":"https://a.example/2","seen":{"storeURL":null}}"#)
        #expect(late.summary == "412 stale_values /seen/storeURL")
        #expect(late.json.at("current.settings.storeURL") == "https://a.example/1")
        #expect(late.json.at("current.lastChange.kind") == "settings")
    }

    @Test func anOperatorOfOtherAppsIsToldSoBeforeTheBodyIsRead() throws {
        let desk = try Desk().furnished()
        let scoped = try desk.access.createToken(
            name: "ada",
            role: .admin,
            scope: .only([AppKey("bank")!]),
            createdBy: "ann",
            from: .console
        )
        let headers: HTTPHeaders = ["Authorization": "Bearer \(scoped)"]
        for (method, path) in [
            (HTTPMethod.patch, "/api/v1/apps/shop"), (.delete, "/api/v1/apps/shop"), (.put, "/api/v1/apps/shop/platforms/ios"),
            (.delete, "/api/v1/apps/shop/platforms/ios"),
        ] {
            #expect(desk.ask(method, path, "kill", as: .nobody, headers: headers).summary == "403 forbidden")
        }
        #expect(desk.ask(.post, "/api/v1/apps", #"{"key":"new","name":"New"}"#, as: .nobody, headers: headers).summary == "403 forbidden")
        #expect(desk.ask(.patch, "/api/v1/apps/bank", #"{"name":"Bank"}"#, as: .nobody, headers: headers).status == 200)
    }

    // MARK: Lists

    private func all(_ desk: Desk, _ list: String, as who: Desk.Who = .admin) -> [String] {
        var (seen, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = desk.ask(.get, "/api/v1/\(list)?limit=1" + (cursor.map { "&cursor=\($0)" } ?? ""), as: who).json
            for item in page["items"]?.array ?? [] {
                seen.append([item["key"], item["app"], item["platform"]].compactMap { $0?.string }.joined(separator: "/"))
            }
            cursor = page["next"]?.string
            if let cursor, cursor.wholeMatch(of: /[A-Za-z0-9_-]+/) == nil { return ["a cursor that is no plain word: \(cursor)"] }
        } while cursor != nil && seen.count < 20
        return seen
    }

    /// A hyphen sorts before a slash, so keys must be compared as keys and not as texts.
    @Test func pagesLeaveNothingOutAndRepeatNothing() throws {
        let desk = try Desk().furnished()
        for app in ["shop-a", "shop-", "shopa", "a"] {
            try desk.ask(.post, "/api/v1/apps", #"{"key":"\#(app)","name":"\#(app)"}"#).expect(201)
            for platform in ["ios", "ios-2", "android"] { try desk.ask(.put, "/api/v1/apps/\(app)/platforms/\(platform)").expect(201) }
        }
        #expect(all(desk, "apps") == ["a", "bank", "shop", "shop-", "shop-a", "shopa"])
        #expect(
            all(desk, "targets") == [
                "a/android", "a/ios", "a/ios-2", "bank/ios", "shop/android", "shop/ios", "shop-/android", "shop-/ios", "shop-/ios-2",
                "shop-a/android", "shop-a/ios", "shop-a/ios-2", "shopa/android", "shopa/ios", "shopa/ios-2",
            ]
        )
        #expect(all(desk, "targets", as: .banker) == ["bank/ios"])
        #expect(desk.ask(.get, "/api/v1/targets").json["items"]?.array?.count == 15)
        #expect(desk.ask(.get, "/api/v1/targets").json["next"] == .null)
    }

    @Test(arguments: [
        "targets?cursor=SHOP", "targets?cursor=shop", "apps?cursor=shop_ios", "apps?cursor=", "apps?limit=0", "targets?limit=501",
        "apps?sort=name",
    ])
    func aQueryThatMeansNothingIsRefused(query: String) throws {
        #expect(try Desk().furnished().ask(.get, "/api/v1/" + query).status == 400)
    }

    @Test func aListShowsEachTargetsLastChange() throws {
        let desk = try Desk().furnished()
        try desk.change(
            #"{"app":"bank","platform":"ios","revision":1}"#,
            #""set":{"alert":{"message":"a","blocking":false}},"reason":"INC-1""#
        ).expect(200)
        let items = try desk.ask(.get, "/api/v1/targets", as: .viewer).json["items"]?.array.unwrapped() ?? []
        #expect(items.map { $0["state"]?.string } == ["notice", "open", "open"])
        #expect(items[0]["lastChange.reason"] == "INC-1")
        #expect(items[1]["lastChange.kind"] == "create")
    }
}
