import Foundation
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateFeeds

/// What a plan tells of phones, against the libraries' models over the bytes that are published.
@Suite struct EffectTests {
    // MARK: Random gates

    /// Versions of one to four components, with as many digits as it takes to make text and numbers disagree.
    private static func version(_ scheme: VersionScheme, _ generator: inout SeededGenerator) -> String {
        if scheme == .code { return String([1, 2, 7, 9, 10, 41, 99, 100, 2_147_483_647].randomElement(using: &generator)!) }
        let numbers = [0, 1, 2, 3, 9, 10, 11, 19, 20, 99, 100]
        return (0..<Int.random(in: 1...4, using: &generator)).map { _ in String(numbers.randomElement(using: &generator)!) }.joined(
            separator: "."
        )
    }

    private static func gate(_ scheme: VersionScheme, _ generator: inout SeededGenerator) -> Gate {
        func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &generator) == 0 }
        return Gate(
            killSwitch: chance(5) ? KillSwitch(message: .text("Back at 09:30."), retryInterval: 30) : nil,
            forceUpdate: chance(5) ? ForceUpdate(message: .text("Please update.")) : nil,
            requiredUpdate: chance(2)
                ? RequiredUpdate(
                    minimumVersion: version(scheme, &generator),
                    blockedVersions: chance(3) ? [version(scheme, &generator)] : [],
                    message: .text("Update.")
                )
                : nil,
            optionalUpdate: chance(2)
                ? OptionalUpdate(optionalVersion: version(scheme, &generator), message: .text("A new one is out.")) : nil,
            alert: chance(2) ? Alert(message: .text("Payments are slow."), blocking: chance(2)) : nil
        )
    }

    /// What the models make of a whole app's feeds, as they are published.
    private struct Published {
        let target: Target
        private let feeds: [RenderedFeed]

        init(_ target: Target) throws {
            self.target = target
            feeds = try FeedRenderer.render(SampleApp.app([target]))
        }

        func shown(_ library: ClientLibrary, _ version: String) throws -> Effect.Shown {
            let platform = target.key.platform
            let feed = feeds.first { $0.name == library.feed && ($0.platform == nil || $0.platform == platform) }
            return Effect.Shown(try SimulatedPhone(library, on: platform, version: version).decide(try #require(feed).bytes))
        }
    }

    /// Of a thousand gates each on three platforms, every difference between what is meant and what the models show is a row, and each row
    /// is true of the models.
    @Test func rowsAreWhatTheModelsShow() throws {
        let seed = ProcessInfo.processInfo.environment["GATEHOUSE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0 ... .max)
        print("EffectTests: GATEHOUSE_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        var (rowsSeen, looked) = (0, 0)
        for number in 0..<3_000 {
            let platform = [PlatformKey.ios, .android, .macos][number % 3]
            var settings = PlatformSettings.standard(for: platform)
            let scheme = settings.versionScheme
            settings.releases = Array(Set((0..<Int.random(in: 0...4, using: &generator)).map { _ in Self.version(scheme, &generator) }))
                .sorted()
            let before = try Published(SampleApp.target(platform, Self.gate(scheme, &generator), settings: settings))
            let after = try Published(SampleApp.target(platform, Self.gate(scheme, &generator), settings: settings))
            let gate = after.target.gate
            let effects = EffectFinder.allEffects(
                of: after.target.key,
                before: EffectFinder.Side(before.target.gate, settings),
                after: EffectFinder.Side(gate, settings)
            )
            rowsSeen += effects.count
            for effect in effects {
                #expect(effect.after != effect.before || effect.after != effect.meant)
                #expect((1...Effect.mostVersions).contains(effect.versions.count))
                #expect(!effect.detail.isEmpty)
                // Rows of other releases of Gandalf than the usual one say so.
                guard !effect.detail.contains("Gandalf up to 1.3.1"), !effect.detail.contains("Gandalf 1.4.1") else { continue }
                for version in effect.versions {
                    #expect(try before.shown(effect.client, version) == effect.before, "\(seed) \(number) \(effect)")
                    #expect(try after.shown(effect.client, version) == effect.after, "\(seed) \(number) \(effect)")
                    #expect(GateMeaning(gate, scheme: scheme).shown(to: version) == effect.meant, "\(seed) \(number) \(effect)")
                }
            }
            let versions = settings.releases + (0..<6).map { _ in Self.version(scheme, &generator) }
            for library in ClientLibrary.reading(platform, scheme: scheme) {
                for version in versions {
                    looked += 1
                    let (one, other) = (try before.shown(library, version), try after.shown(library, version))
                    let meant = GateMeaning(gate, scheme: scheme).shown(to: version)
                    guard other != one || other != meant else { continue }
                    let isTold = effects.contains { ($0.client, $0.before, $0.after, $0.meant) == (library, one, other, meant) }
                    #expect(
                        isTold,
                        "\(seed) \(number): \(library) \(version) \(one) → \(other), meant \(meant); \(before.target.gate.json.text) \(gate.json.text) \(settings.releases)"
                    )
                }
            }
        }
        #expect(rowsSeen > 3_000)
        #expect(looked > 3_000 * 10)
    }

    // MARK: What was found with the real libraries

    private func effects(
        _ gate: Gate,
        before: Gate = .open,
        on platform: PlatformKey = .ios,
        releases: [String] = [],
        clients: [ClientLibrary]? = nil,
        hosted: [ClientLibrary: String] = [:]
    ) -> [Effect] {
        var settings = PlatformSettings.standard(for: platform)
        settings.releases = releases
        settings.clients = clients
        return EffectFinder.allEffects(
            of: TargetKey(app: AppKey("shop")!, platform: platform),
            before: EffectFinder.Side(before, settings),
            after: EffectFinder.Side(gate, settings),
            hosted: hosted.mapValues { Array($0.utf8) }
        )
    }

    private let required = Gate(requiredUpdate: RequiredUpdate(minimumVersion: "10.0.0", message: .text("Update.")))

    /// A release that has as many digits does not make LaunchGate order `9.9.0` as people do.
    @Test func theOrderOfTextsIsToldWhateverReleasesAreKnown() {
        for releases in [[], ["10.0.0"], ["9.9.0", "10.0.0"]] {
            let missed = effects(required, releases: releases, clients: [.launchgate]).first { $0.grade == .letsIn }
            #expect(missed?.before == .nothing)
            #expect(missed?.after == .nothing)
            #expect(missed?.meant == .required)
            #expect(missed?.detail.hasPrefix("LaunchGate orders versions as text: ") == true, "\(releases)")
        }
        let known = effects(required, releases: ["9.9.0", "2.0.0", "10.0.0"], clients: [.launchgate]).first { $0.grade == .letsIn }
        let first = Set(known?.versions.prefix(2) ?? [])
        #expect(first == ["2.0.0", "9.9.0"])
    }

    /// However many digits a rule's version has, the next power of ten is before it as a text.
    @Test(arguments: [("940.0.0", "1000.0.0"), ("1.940", "1.1000"), ("105", "1000"), ("2026", "10000")])
    func aVersionWithMoreDigitsThanTheRuleIsLookedAt(minimum: String, longer: String) {
        let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: minimum, message: .text("Update.")))
        let shut = effects(gate, clients: [.launchgate]).filter { $0.before == .nothing && $0.after == .required && $0.meant == .nothing }
        #expect(!shut.isEmpty)
        let settings = PlatformSettings.standard(for: .ios)
        #expect(VersionsThatMatter.all(settings, rules: [minimum], exact: []).map(\.text).contains(longer))
    }

    /// `100.20` is before `20` as a text, and that `100` is blocked by itself says nothing of it.
    @Test(arguments: [["100"], ["100", "101", "102", "109", "190"], ["100.0"], ["1.0.0", "100"]])
    func aVersionThatIsBlockedByItselfHidesNoneBesideIt(blocked: [String]) {
        let gate = Gate(
            requiredUpdate: RequiredUpdate(minimumVersion: "20", blockedVersions: blocked, message: .text("Update."))
        )
        let shut = effects(gate, clients: [.launchgate]).first { $0.after == .required && $0.meant == .nothing }
        #expect(shut?.detail.hasPrefix("LaunchGate orders versions as text: ") == true)
    }

    /// LaunchGate's own fixture: its required update hides the alert from everybody who has 1.1; the published feed shows it to them.
    @Test func aFileThatLetPeopleInIsToldVersionByVersion() {
        let file = """
            {"ios":{"alert":{"message":"We are performing maintenance.","blocking":true},"optionalUpdate":{"optionalVersion":"1.2","message":"Try 1.2."},\
            "requiredUpdate":{"minimumVersion":"1.1","message":"Update."}}}
            """
        let gate = Gate(
            requiredUpdate: RequiredUpdate(minimumVersion: "1.1", message: .text("Update.")),
            optionalUpdate: OptionalUpdate(optionalVersion: "1.2", message: .text("Try 1.2.")),
            alert: Alert(message: .text("We are performing maintenance."), blocking: true)
        )
        let rows = effects(gate, releases: ["1.0", "1.1", "1.2", "1.3"], clients: [.launchgate], hosted: [.launchgate: file])
        let shut = rows.first { $0.before == .nothing && $0.after == .blocked }
        let versions = Set(shut?.versions ?? [])
        #expect(versions.isSuperset(of: ["1.3", "1.2", "1.1"]))
        #expect(rows.contains { $0.before == .required && $0.after == .blocked && $0.versions.contains("1.0") })
        // The same file, published as it is meant, changes nothing where it says one thing.
        let alone = #"{"ios":{"requiredUpdate":{"minimumVersion":"1.1","message":"Update."}}}"#
        let same = Gate(requiredUpdate: RequiredUpdate(minimumVersion: "1.1", message: .text("Update.")))
        #expect(
            effects(same, releases: ["1.0", "1.1"], clients: [.launchgate], hosted: [.launchgate: alone]).allSatisfy {
                $0.before == $0.after
            }
        )
    }

    @Test func aForcedUpdateIsToldOfThoseWhoHaveTheNewest() {
        let force = Gate(forceUpdate: ForceUpdate(message: .text("Update.")))
        let rows = effects(force, releases: ["1.0.0", "2.0.0"])
        #expect(rows.contains { $0.client == .bellerophon && $0.after == .forced && $0.versions.contains("2.0.0") })
        #expect(rows.contains { $0.client == .launchgate && $0.after == .nothing && $0.meant == .forced && $0.versions.contains("2.0.0") })
        #expect(rows.contains { $0.client == .launchgate && $0.after == .required && $0.meant == .forced && $0.versions.contains("1.0.0") })
    }

    /// What a library has no word for, each as a row of its own.
    @Test(arguments: [
        (ClientLibrary.princeOfVersions, Gate(alert: Alert(message: .text("x"), blocking: true)), Effect.Shown.blocked),
        (.princeOfVersions, Gate(killSwitch: KillSwitch(message: .text("x"), retryInterval: 30)), .blocked),
        (.bellerophon, Gate(alert: Alert(message: .text("x"), blocking: true)), .blocked),
        (.bellerophon, Gate(alert: Alert(message: .text("x"), blocking: false)), .alert),
        (.bellerophon, Gate(requiredUpdate: RequiredUpdate(minimumVersion: "10.0.0", message: .text("x"))), .required),
        (.bellerophon, Gate(optionalUpdate: OptionalUpdate(optionalVersion: "10.0.0", message: .text("x"))), .optional),
    ])
    func whatALibraryCannotSayIsTold(_ library: ClientLibrary, _ gate: Gate, _ meant: Effect.Shown) {
        let rows = effects(gate).filter { $0.client == library && $0.meant == meant }
        #expect(rows.map(\.after) == [.nothing])
        #expect(rows.first?.detail.contains("has no word for") == true)
    }

    @Test func onlyTheLibrariesThatAnAppUsesAreTold() {
        let kill = Gate(killSwitch: KillSwitch(message: .text("x"), retryInterval: 30))
        #expect(Set(effects(kill).map(\.client)) == [.bellerophon, .launchgate, .princeOfVersions])
        #expect(Set(effects(kill, clients: [.launchgate, .gatekit]).map(\.client)) == [.launchgate, .gatekit])
        // Gandalf reads nothing of an iOS platform.
        #expect(effects(kill, clients: [.gandalf]).isEmpty)
        let own = effects(required, releases: ["9.9.0", "10.0.0"], clients: [.gatekit])
        #expect(own.allSatisfy { $0.grade == .asMeant } && own.contains { $0.versions.contains("9.9.0") && $0.after == .required })
    }

    /// Gandalf up to 1.3.1 offers an update before it tells of an alert.
    @Test func releasesOfGandalfThatDifferAreToldApart() {
        let gate = Gate(
            optionalUpdate: OptionalUpdate(optionalVersion: "50", message: .text("x")),
            alert: Alert(message: .text("y"), blocking: false)
        )
        let rows = effects(gate, on: .android, releases: ["41"], clients: [.gandalf])
        #expect(rows.contains { $0.versions.contains("41") && $0.after == .alert && $0.meant == .optional })
        #expect(rows.contains { $0.versions.contains("41") && $0.after == .optional && $0.detail.hasPrefix("Gandalf up to 1.3.1") })
    }

    /// What a bad file does today, and what its feed does then.
    @Test func aFileThatCrashesGandalfIsToldAsSuch() {
        let file = #"{"android":{"requiredUpdate":{"minimumVersion":"1.1","message":"Update."}}}"#
        let rows = effects(.open, on: .android, clients: [.gandalf], hosted: [.gandalf: file])
        #expect(rows.contains { $0.before == .crash && $0.after == .nothing })
        #expect(effects(.open, on: .android, clients: [.gandalf], hosted: [.gandalf: "{"]).contains { $0.before == .rejected })
    }

    @Test func theWorstComesFirst() {
        let all = effects(required, releases: ["9.9.0", "10.0.0"])
        #expect(all.map(\.grade) == all.map(\.grade).sorted())
        #expect(all.first?.grade == .letsIn)
    }

    @Test(arguments: [
        ("10.0.0", ["2.0.0", "9.0.0", "9.10.0", "10.0.0", "9.9.0", "11.0.0"]), ("1.9.0", ["1.10.0", "1.8.0", "1.9", "1.9.0.1", "2.9.0"]),
        ("1.10", ["1.9", "1.2", "1.11"]),
    ])
    func versionsThatMatterAreLookedAt(_ version: String, _ wanted: [String]) {
        let found = VersionsThatMatter.neighbours(of: version, .dotted)
        #expect(found.isSuperset(of: wanted), "\(found.sorted())")
        #expect(found.allSatisfy(VersionScheme.dotted.accepts))
    }

    /// A file's version may be as long as the file, and each of its components would add versions as long as itself.
    @Test(arguments: ["1.10.3.4.5", "1.10.3.4" + String(repeating: ".1", count: 400), "1.10.3.4.x", "1.10.3.4."])
    func aVersionWithTooManyNumbersIsLookedAtAsFarAsVersionsGo(_ version: String) {
        let settings = PlatformSettings.standard(for: .ios)
        func looked(_ rule: String) -> [String] { VersionsThatMatter.all(settings, rules: [rule], exact: []).map(\.text) }
        #expect(looked(version) == looked("1.10.3.4"))
    }

    @Test func aTargetThatGoesAndOneThatComes() {
        let key = TargetKey(app: AppKey("shop")!, platform: .ios)
        let settings = PlatformSettings.standard(for: .ios)
        let kill = EffectFinder.Side(Gate(killSwitch: KillSwitch(message: .text("x"), retryInterval: 30)), settings)
        let gone = EffectFinder.allEffects(of: key, before: kill, after: nil)
        #expect(Set(gone.map(\.client)) == Set(ClientLibrary.reading(.ios, scheme: .dotted)))
        #expect(gone.allSatisfy { $0.after == .rejected && $0.meant == .nothing })
        #expect(EffectFinder.allEffects(of: key, before: nil, after: EffectFinder.Side(.open, settings)).isEmpty)
    }

    /// What the running app of each library makes of an error at its address: tables of wire-formats, sections 1.4, 2.5, 3.3, 4.1 and 5.3
    /// (“feed unreachable while blocked”), and section 6.2, 26 for GateKit.
    private static let withoutFeed: [(library: ClientLibrary, on: PlatformKey, shut: String, open: String)] = [
        (
            .bellerophon, .ios,
            "gets an error and asks no more: a screen that is up stays until the app is started again, and everybody else gets in",
            "gets an error, and lets everybody in"
        ),
        (
            .launchgate, .ios, "gets an error, and lets everybody in; a dialog that is up stays until the app is started again",
            "gets an error, and lets everybody in"
        ),
        (
            .gandalf, .android, "gets an error, and lets everybody in; a dialog that is up stays until the app is started again",
            "gets an error, and lets everybody in"
        ),
        (
            .princeOfVersions, .android, "gets an error, and the app decides; most let everybody in",
            "gets an error, and the app decides; most let everybody in"
        ),
        (
            .princeOfVersions, .ios, "gets an error, and the app decides; most let everybody in",
            "gets an error, and the app decides; most let everybody in"
        ),
        (
            .gatekit, .ios, "gets an error, and goes on asking; a phone that is shut out stays so, for a day after a new start too",
            "gets an error, and lets everybody in"
        ),
        (
            .openFeature, .ios, "gets an error, and the app goes by the values that it has built in",
            "gets an error, and the app goes by the values that it has built in"
        ),
    ]

    /// Targets that go, and old addresses, word it alike. Rules that shut out are those that the library knows.
    @Test(arguments: withoutFeed)
    func whatALibraryDoesWithoutItsFeedIsSaidAsItIs(
        _ expected: (library: ClientLibrary, on: PlatformKey, shut: String, open: String)
    ) throws {
        let key = TargetKey(app: AppKey("shop")!, platform: expected.on)
        var settings = PlatformSettings.standard(for: expected.on)
        settings.clients = [expected.library]
        let require = RequiredUpdate(minimumVersion: "4", message: .text("x"))
        let shut = Gate(killSwitch: KillSwitch(message: .text("x"), retryInterval: 30))
        let gates = [expected.library == .princeOfVersions ? Gate(requiredUpdate: require) : shut, .open]
        for (gate, words) in zip(gates, [expected.shut, expected.open]) {
            let side = EffectFinder.Side(gate, settings)
            let gone = EffectFinder.allEffects(of: key, before: side, after: nil).filter { $0.before.shutsOut == (gate != .open) }
            #expect(Set(gone.map(\.detail)) == ["The feeds are removed: \(expected.library.title) \(words)."])
            guard expected.library != .openFeature else { continue }
            var room = Int.max
            let moved = EffectFinder.effects(of: key, side, losing: .own(expected.library.feed), to: .nothing, room: &room)
                .filter { $0.before.shutsOut == (gate != .open) }
            #expect(Set(moved.map(\.detail)) == ["At the old address \(expected.library.title) \(words)."])
        }
    }

    /// A document that it cannot read is no error to Bellerophon: that ends a block.
    @Test func anotherDocumentAtAnAddressLetsInEvenWhoIsShutOut() {
        let kill = EffectFinder.Side(Gate(killSwitch: KillSwitch(message: .text("x"), retryInterval: 30)), .standard(for: .ios))
        var room = Int.max
        let key = TargetKey(app: AppKey("shop")!, platform: .ios)
        let moved = EffectFinder.effects(of: key, kill, losing: .own(.bellerophon), to: .feed(.launchgate), room: &room)
        #expect(moved.map(\.detail) == ["At the old address Bellerophon gets what it cannot read, and lets everybody in."])
    }

    /// At the address of the combined document a library finds its own part; so it does in its own document.
    @Test func aLibraryThatFindsItsOwnDocumentAtAnAddressLosesNothing() {
        let kill = EffectFinder.Side(Gate(killSwitch: KillSwitch(message: .text("x"), retryInterval: 30)), .standard(for: .ios))
        func losers(of feed: FeedName, to next: FeedName) -> Set<ClientLibrary> {
            var room = Int.max
            let key = TargetKey(app: AppKey("shop")!, platform: .ios)
            return Set(EffectFinder.effects(of: key, kill, losing: .own(feed), to: .feed(next), room: &room).map(\.client))
        }
        // Prince of Versions knows no kill switch.
        #expect(losers(of: .combined, to: .bellerophon) == [.launchgate, .princeOfVersions])
        #expect(losers(of: .combined, to: .launchgate) == [.bellerophon, .princeOfVersions])
        #expect(losers(of: .bellerophon, to: .combined) == [])
        #expect(losers(of: .bellerophon, to: .launchgate) == [.bellerophon])
    }
}
