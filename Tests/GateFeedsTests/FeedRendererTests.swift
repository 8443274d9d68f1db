import GateFeeds
import GateJSON
import GateModel
import Testing

@Suite struct FeedRendererTests {
    @Test func appHasAFeedOfEachKindForEachPlatformAndItself() throws {
        let feeds = try FeedRenderer.render(SampleApp.app(SampleApp.target(.android), SampleApp.target(.ios)))
        #expect(
            feeds.map(\.path) == [
                "/feeds/shop/ios/bellerophon.json", "/feeds/shop/ios/combined.json", "/feeds/shop/ios/gate.json",
                "/feeds/shop/android/bellerophon.json",
                "/feeds/shop/android/combined.json", "/feeds/shop/android/gate.json", "/feeds/shop/launchgate.json",
                "/feeds/shop/prince-of-versions.json",
            ]
        )
        #expect(feeds.map(\.platform) == [.ios, .ios, .ios, .android, .android, .android, nil, nil])
    }

    @Test func appWithoutPlatformsHasNoFeeds() throws {
        #expect(try FeedRenderer.render(SampleApp.app()).isEmpty)
    }

    @Test func princeOfVersionsIsThereOnlyForPlatformsThatItKnows() throws {
        let web = try #require(PlatformKey("web"))
        let app = SampleApp.app(SampleApp.target(web))
        #expect(try FeedRenderer.render(app).map(\.name) == [.bellerophon, .combined, .gate, .launchgate])
        #expect(try FeedRenderer.render(app).text(.launchgate) == #"{"web":{}}"#)
        for platform in [PlatformKey.ios, .android, .macos] {
            let both = SampleApp.app(SampleApp.target(web), SampleApp.target(platform))
            #expect(try FeedRenderer.render(both).contains { $0.name == .princeOfVersions })
        }
    }

    @Test func idleFeedsAreTheDesigns() throws {
        let feeds = try FeedRenderer.render(SampleApp.app(SampleApp.target(.ios), SampleApp.target(.android)))
        #expect(try feeds.text(.bellerophon) == #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15,"userMessage":""}"#)
        #expect(try feeds.text(.launchgate) == #"{"ios":{},"android":{}}"#)
        #expect(try feeds.text(.princeOfVersions) == #"{"ios2":[{"required_version":"0"}],"android2":[{"required_version":1}]}"#)
        #expect(
            try feeds.text(.gate)
                == #"{"schema":"gatehouse/v1","app":"shop","platform":"ios","sequence":1042,"revision":42,"issuedAt":"2026-04-02T09:32:14.123Z","gate":{},"storeURL":null}"#
        )
        let combined =
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15,"userMessage":"","ios":{},"android":{},"ios2":[{"required_version":"0"}],"android2":[{"required_version":1}]}"#
        #expect(try feeds.text(.combined) == combined)
    }

    @Test func killAndOpenGiveTheSameBytesAsBefore() throws {
        let settings = SampleApp.settings(.ios)
        let before = try SampleApp.gate(#"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"m"}}"#, settings)
        var killed = before
        killed.killSwitch = KillSwitch(message: .text("Back at 09:30."), retryInterval: 30)
        var opened = SampleApp.target(.ios, before)
        (opened.revision, opened.sequence, opened.changedAt) = (44, 1044, Timestamp(milliseconds: 1_775_122_999_000))

        let old = try FeedRenderer.render(SampleApp.app(SampleApp.target(.ios, before)))
        let blocked = try FeedRenderer.render(SampleApp.app(SampleApp.target(.ios, killed)))
        let new = try FeedRenderer.render(SampleApp.app(opened))
        for name in FeedName.allCases {
            let (was, during, after) = (try old.text(name), try blocked.text(name), try new.text(name))
            #expect((was == after) == (name != .gate), "\(name)")
            #expect((was == during) == (name == .princeOfVersions), "\(name)")
        }
    }

    static let unpublishable: [(platform: PlatformKey, scheme: VersionScheme, gate: Gate, code: String, field: String)] = [
        (
            .android, .code, Gate(requiredUpdate: RequiredUpdate(minimumVersion: "1.1", message: .text("m"))), "unpublishable_version",
            "/requiredUpdate/minimumVersion"
        ),
        (
            .android, .code, Gate(requiredUpdate: RequiredUpdate(minimumVersion: "07", message: .text("m"))), "unpublishable_version",
            "/requiredUpdate/minimumVersion"
        ),
        (
            .android, .code, Gate(optionalUpdate: OptionalUpdate(optionalVersion: "2147483648", message: .text("m"))),
            "unpublishable_version", "/optionalUpdate/optionalVersion"
        ),
        (
            .ios, .dotted, Gate(requiredUpdate: RequiredUpdate(minimumVersion: "v1", message: .text("m"))), "unpublishable_version",
            "/requiredUpdate/minimumVersion"
        ),
        (
            .ios, .dotted, Gate(requiredUpdate: RequiredUpdate(minimumVersion: "1", blockedVersions: ["2", ""], message: .text("m"))),
            "unpublishable_version", "/requiredUpdate/blockedVersions/1"
        ),
        (
            .ios, .dotted, Gate(killSwitch: KillSwitch(message: .text(""), retryInterval: 30)), "unpublishable_message",
            "/killSwitch/message"
        ),
        (
            .ios, .dotted, Gate(killSwitch: KillSwitch(message: .text(" a"), retryInterval: 30)), "unpublishable_message",
            "/killSwitch/message"
        ),
        (
            .ios, .dotted, Gate(killSwitch: KillSwitch(message: .text("a\u{0}"), retryInterval: 30)), "unpublishable_message",
            "/killSwitch/message"
        ),
        (.ios, .dotted, Gate(alert: Alert(message: .text("e\u{301}"), blocking: true)), "unpublishable_message", "/alert/message"),
        (.ios, .dotted, Gate(forceUpdate: ForceUpdate(message: .localized(["de": "a"]))), "unpublishable_message", "/forceUpdate/message"),
        (
            .ios, .dotted, Gate(forceUpdate: ForceUpdate(message: .localized(["default": "a", "de": ""]))), "unpublishable_message",
            "/forceUpdate/message/de"
        ),
        (
            .ios, .dotted, Gate(killSwitch: KillSwitch(message: .text("a"), retryInterval: 0)), "unpublishable_interval",
            "/killSwitch/retryInterval"
        ),
        (
            .ios, .dotted, Gate(killSwitch: KillSwitch(message: .text("a"), retryInterval: 3601)), "unpublishable_interval",
            "/killSwitch/retryInterval"
        ),
    ]

    @Test(arguments: unpublishable)
    func valueThatHarmsPhonesIsNotPublishedEvenUnvalidated(
        platform: PlatformKey,
        scheme: VersionScheme,
        gate: Gate,
        code: String,
        field: String
    ) {
        let app = SampleApp.app(SampleApp.target(platform, gate, settings: PlatformSettings(versionScheme: scheme)))
        #expect { try FeedRenderer.render(app) } throws: { error in
            let error = error as? FeedError
            return error?.code == code && error?.field == field && error?.target.platform == platform
        }
    }

    /// An interval of 0 in an open gate's status makes every phone ask without a pause, whoever wrote it into the database.
    @Test(arguments: [-1, 0, 4, 3_601]) func aDefaultIntervalThatHarmsPhonesIsNotPublished(_ interval: Int) {
        let settings = PlatformSettings(versionScheme: .dotted, defaultRetryInterval: interval)
        #expect { try FeedRenderer.render(SampleApp.app(SampleApp.target(.ios, settings: settings))) } throws: { error in
            let error = error as? FeedError
            return error?.code == "unpublishable_interval" && error?.field == "/settings/defaultRetryInterval"
        }
    }

    @Test func releaseThatIsNoCodeDoesNotReachAndroidThroughAForcedUpdate() {
        let settings = PlatformSettings(versionScheme: .code, releases: ["4.2.0"])
        let app = SampleApp.app(SampleApp.target(.android, Gate(forceUpdate: ForceUpdate(message: .text("m"))), settings: settings))
        #expect { try FeedRenderer.render(app) } throws: { ($0 as? FeedError)?.field == "/forceUpdate" }
    }

    @Test func componentTooLargeForTheLibraryLeavesItsListIdle() throws {
        let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: "99999999999999999999.1", message: .text("m")))
        let feeds = try FeedRenderer.render(SampleApp.app(SampleApp.target(.ios, gate)))
        #expect(try feeds.text(.princeOfVersions) == #"{"ios2":[{"required_version":"0"}]}"#)
    }
}
