import Foundation
import GateFeeds
import GateJSON
import GateModel
import Testing

/// The P items of wire formats 6.1 that an untargeted feed can show, over generated apps.
@Suite struct FeedGuaranteesTests {
    private static let apps: [App] = {
        var gates = GeneratedGates(seed: 20_260_402)
        return (0..<250).map { _ in gates.app() }
    }()

    /// Every feed with the app that it was rendered from.
    private func forEachFeed(_ body: (RenderedFeed, JSONObject, App) throws -> Void) throws {
        for app in Self.apps {
            for feed in try FeedRenderer.render(app) { try body(feed, try #require(JSONReader.read(feed.bytes, limits: .own).object), app) }
        }
    }

    @Test("1: one strict JSON object in UTF-8, nothing before or after it")
    func everyFeedIsOneStrictJSONObject() throws {
        try forEachFeed { feed, root, _ in
            #expect(feed.bytes.first == UInt8(ascii: "{") && feed.bytes.last == UInt8(ascii: "}"))
            #expect(!feed.bytes.contains(0))
            #expect(!String(decoding: feed.bytes, as: UTF8.self).contains("\u{FFFD}"))
            #expect(JSONValue.object(root).bytes == feed.bytes, "compact, in the same order")
            // Another parser's opinion, the one that LaunchGate uses.
            let object = try JSONSerialization.jsonObject(with: Data(feed.bytes))
            #expect(object is [String: Any])
        }
    }

    @Test("2: equal states give equal bytes, however they came about")
    func renderingIsDeterministic() throws {
        for app in Self.apps.prefix(100) {
            let feeds = try FeedRenderer.render(app)
            #expect(try FeedRenderer.render(app) == feeds)
            var other = App(key: app.key, name: "Another name")
            for (key, target) in app.platforms.sorted(by: { $0.key > $1.key }) {
                var copy = target
                copy.gate = .open
                // Rules set one by one, in the reverse order.
                for rule in Rule.allCases.reversed() where target.gate.isOn(rule) {
                    try copy.gate.apply(GateEdit([rule: target.gate.json(of: rule)]), settings: target.settings)
                }
                other.platforms[key] = copy
            }
            #expect(try FeedRenderer.render(other) == feeds)
            // Revision, sequence and time show in the native feed alone.
            for key in other.platforms.keys {
                other.platforms[key]?.revision += 2
                other.platforms[key]?.sequence += 2
            }
            #expect(try FeedRenderer.render(other).filter { $0.name != .gate } == feeds.filter { $0.name != .gate })
        }
    }

    @Test("3, 4, 5, 21: rules are whole or absent, booleans real, and nothing is null")
    func everyRuleHasAllOfItsMembers() throws {
        try forEachFeed { feed, root, app in
            guard feed.name == .launchgate || feed.name == .combined else { return }
            for platform in app.platformKeys {
                let object = try #require(root[platform.text]?.object, "7: the platform's object is there")
                for (name, value) in object.members {
                    let rule = try #require(value.object)
                    switch Rule(rawValue: name) {
                    case .alert:
                        #expect(rule.names == ["message", "blocking"])
                        #expect(rule["blocking"]?.bool != nil)
                    case .requiredUpdate: #expect(rule.names == ["minimumVersion", "message"])
                    case .optionalUpdate: #expect(rule.names == ["optionalVersion", "message"])
                    default: Issue.record("\(name) is no rule of \(feed.path)")
                    }
                    let message = try #require(rule["message"]?.string)
                    #expect(try MessageText.cleaned(message, field: "").utf8.elementsEqual(message.utf8), "6")
                }
            }
        }
    }

    @Test("14, 15: a LaunchGate object holds at most one rule, and no update beside a blocking alert")
    func launchGateObjectHoldsOneRule() throws {
        try forEachFeed { feed, root, app in
            guard feed.name == .launchgate || feed.name == .combined else { return }
            for (platform, target) in app.platforms
            where platform == .ios || (platform != .android && target.settings.versionScheme == .dotted) {
                let object = try #require(root[platform.text]?.object)
                #expect(object.members.count <= 1)
                if target.gate.killSwitch != nil || target.gate.blockingAlert != nil { #expect(object.names == ["alert"]) }
            }
        }
    }

    @Test("19, 20, 22: what Gandalf reads has version codes only, and no optional update beside a blocking alert")
    func gandalfObjectHasVersionCodesOnly() throws {
        try forEachFeed { feed, root, app in
            guard feed.name == .launchgate || feed.name == .combined, let target = app.platforms[.android] else { return }
            let object = try #require(root["android"]?.object)
            for (rule, member) in [("requiredUpdate", "minimumVersion"), ("optionalUpdate", "optionalVersion")] {
                guard let update = object[rule]?.object else { continue }
                let version = try #require(update[member]?.string)
                #expect(version.wholeMatch(of: #/[1-9][0-9]*/#) != nil && Int32(version) != nil)
                #expect(target.settings.versionScheme == .code)
            }
            if object["alert"]?.object?["blocking"] == .bool(true) { #expect(object["optionalUpdate"] == nil) }
            if target.gate.killSwitch != nil { #expect(object.names == ["alert"]) }
        }
    }

    @Test("19: whatever stands in a gate, Gandalf's releases do not crash on what is published")
    func unvalidatedVersionsNeverCrashGandalf() throws {
        var gates = GeneratedGates(seed: 79)
        var published = 0
        for _ in 0..<4_000 {
            var settings = PlatformSettings(versionScheme: gates.chance(1, of: 2) ? .code : .dotted)
            settings.releases = gates.chance(1, of: 2) ? [gates.wildVersion()] : []
            var gate = gates.gate(settings)
            gate.requiredUpdate?.minimumVersion = gates.wildVersion()
            gate.optionalUpdate?.optionalVersion = gates.wildVersion()
            let app = SampleApp.app(SampleApp.target(.android, gate, settings: settings))
            // A refusal to render is the other right answer.
            guard let feeds = try? FeedRenderer.render(app) else { continue }
            published += 1
            let feed = try feeds.feed(.launchgate).bytes
            for release in GandalfRelease.allCases {
                for installed in [1, 6, 41, Int32.max] {
                    for memory in [GandalfClient.Memory(), .init(optionalUpdate: "7", alert: "Back at 09:30.")] {
                        if case .crash(let reason) = GandalfClient.decide(feed, installed: installed, memory: memory, release: release) {
                            Issue.record("\(reason): \(String(decoding: feed, as: UTF8.self))")
                        }
                    }
                }
            }
        }
        #expect(published > 600, "else the test shows little")
    }

    @Test("27 to 31: Bellerophon's four members, always, with a text and an interval that phones survive")
    func bellerophonHasAllFourMembers() throws {
        try forEachFeed { feed, root, app in
            guard feed.name == .bellerophon || feed.name == .combined, let target = feed.platform.flatMap({ app.platforms[$0] }) else {
                return
            }
            #expect(Array(root.names.prefix(4)) == ["apiInactive", "forceUpdate", "retryInterval", "userMessage"])
            if feed.name == .bellerophon { #expect(root.names.count == 4) }
            #expect(root["apiInactive"] == .bool(target.gate.killSwitch != nil))
            #expect(root["forceUpdate"] == .bool(target.gate.killSwitch == nil && target.gate.forceUpdate != nil))
            let interval = try #require(root["retryInterval"]?.integer)
            #expect((5...3600).contains(interval))
            let text = try #require(root["userMessage"]?.string)
            #expect(text.isEmpty == (target.gate.killSwitch == nil && target.gate.forceUpdate == nil))
        }
    }

    @Test("34, 35: Prince of Versions has one config with a version of the system's type, and no array under a platform's own name")
    func princeOfVersionsHasOneConfigThatItCanRead() throws {
        try forEachFeed { feed, root, app in
            guard feed.name == .princeOfVersions || feed.name == .combined else { return }
            #expect(root["meta"] == nil)
            for (platform, name) in [(PlatformKey.ios, "ios2"), (.android, "android2"), (.macos, "macos2")] {
                #expect(root[platform.text]?.array == nil)
                guard app.platforms[platform] != nil else {
                    #expect(root[name] == nil)
                    continue
                }
                let configs = try #require(root[name]?.array)
                let config = try #require(configs.first?.object)
                #expect(configs.count == 1)
                let versions = ["required_version", "last_version_available"].compactMap { config[$0] }
                #expect(!versions.isEmpty)
                for version in versions {
                    if platform == .android {
                        let code = try #require(version.integer)
                        #expect((1...2_147_483_647).contains(code))
                    } else {
                        let text = try #require(version.string)
                        #expect(text.wholeMatch(of: #/[0-9]+(\.[0-9]+){0,2}/#) != nil)
                    }
                }
                #expect((config["last_version_available"] == nil) == (config["notify_last_version_frequency"] == nil))
                #expect(config["notify_last_version_frequency"].map { $0 == .string("ONCE") } ?? true)
                #expect(config["requirements"] == nil && config["meta"] == nil)
            }
        }
    }

    @Test func killLeavesPrinceOfVersionsAsItIs() throws {
        for app in Self.apps {
            var opened = app
            for key in opened.platforms.keys { opened.platforms[key]?.gate.killSwitch = nil }
            let lists = try FeedRenderer.render(app).filter { $0.name == .princeOfVersions }.map(\.bytes)
            #expect(try FeedRenderer.render(opened).filter { $0.name == .princeOfVersions }.map(\.bytes) == lists)
        }
    }

    @Test func nativeFeedCarriesTheWholeGate() throws {
        try forEachFeed { feed, root, app in
            guard feed.name == .gate, let target = feed.platform.flatMap({ app.platforms[$0] }) else { return }
            let (scheme, usual) = (target.settings.versionScheme, PlatformSettings.standard(for: target.key.platform).versionScheme)
            let names = ["schema", "app", "platform", "sequence", "revision", "issuedAt", "gate", "storeURL"]
            #expect(root.names == (scheme == usual ? names : names + ["versionScheme"]))
            #expect(root["versionScheme"]?.string ?? usual.rawValue == scheme.rawValue)
            let gate = try Gate(json: #require(root["gate"]), settings: target.settings)
            #expect(gate == target.gate)
            #expect(root["storeURL"] == target.settings.storeURL.map(JSONValue.string) ?? .null)
        }
    }

    @Test func combinedDocumentIsObeyedAsEachLibrarysOwn() throws {
        for app in Self.apps.prefix(100) {
            let feeds = try FeedRenderer.render(app)
            for platform in app.platformKeys {
                let combined = try feeds.feed(.combined, platform).bytes
                let status = try feeds.feed(.bellerophon, platform).bytes
                #expect(BellerophonClient.decide(combined) == BellerophonClient.decide(status))
                let objects = try feeds.feed(.launchgate).bytes
                for version in ["1.1.1", "2.2.2", "4.4.5"] {
                    #expect(LaunchGateClient.decide(combined, installed: version) == LaunchGateClient.decide(objects, installed: version))
                }
                for release in GandalfRelease.allCases {
                    #expect(
                        GandalfClient.decide(combined, installed: 15, release: release)
                            == GandalfClient.decide(objects, installed: 15, release: release)
                    )
                }
                guard let lists = feeds.first(where: { $0.name == .princeOfVersions })?.bytes else { continue }
                #expect(
                    PrinceOfVersionsAppleClient.decide(combined, installed: "2.2.2")
                        == PrinceOfVersionsAppleClient.decide(lists, installed: "2.2.2")
                )
                #expect(
                    PrinceOfVersionsAndroidClient.decide(combined, installed: 15)
                        == PrinceOfVersionsAndroidClient.decide(lists, installed: 15)
                )
            }
        }
    }
}
