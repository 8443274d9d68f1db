import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateFeeds

/// Many phones at once: what a matrix says of each is what the question about it alone is answered with.
@Suite struct MatrixTests {
    private func matrix(
        _ target: Target,
        _ versions: [String] = [],
        client: ClientLibrary? = nil,
        seen: Bool = false,
        locale: String? = nil,
        polled: [String] = []
    ) throws -> MatrixSimulator {
        let question = MatrixSimulator.Question(client: client, versions: versions, seen: seen, locale: locale)
        return try MatrixSimulator(target, question, polledVersions: polled)
    }

    private func target(_ gate: String, _ platform: PlatformKey = .ios, releases: [String]? = nil, clients: [ClientLibrary]? = nil) throws
        -> Target
    {
        var settings = SampleApp.settings(platform, releases: releases)
        settings.clients = clients
        return SampleApp.target(platform, try SampleApp.gate(gate, settings), settings: settings)
    }

    private func cell(_ matrix: MatrixSimulator, _ client: ClientLibrary, _ version: String) throws -> SimulationMatrix.Cell {
        try #require(matrix.cells.first { $0.client == client && $0.version == version })
    }

    // MARK: Agreement

    @Test func everyCellIsWhatIsSaidOfThatPhoneAlone() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        print("MatrixTests: seed \(seed)")
        var gates = GeneratedGates(seed: seed)
        let platforms = [PlatformKey.ios, .android, .macos, try #require(PlatformKey("huawei"))]
        var (compared, deviating, cured) = (0, 0, 0)
        for number in 0..<400 {
            let target = gates.target(platforms[number % platforms.count])
            let scheme = target.settings.versionScheme
            let versions = (0..<4).map { _ in gates.version(scheme) } + (scheme == .dotted ? ["1.2", "1.10.0", "1.2.3-beta"] : ["1"])
            let (seen, locale) = (gates.chance(1, of: 2), gates.chance(1, of: 2) ? "de-AT" : nil)
            let matrix = try matrix(target, versions, seen: seen, locale: locale)
            let app = SampleApp.app(target)
            let feeds = TargetedFeeds(app)
            #expect(matrix.cells.count == matrix.versions.count * matrix.clients.count)
            for cell in matrix.cells {
                let place: Comment = "seed \(seed), \(cell.client) \(cell.version), seen \(seen), \(target.settings), \(target.gate)"
                let question = Simulator.Question(client: cell.client, version: cell.version, seen: seen, locale: locale)
                // Of an app with dotted versions on Android a question about one phone wants a code.
                if let one = try? Simulator.simulate(app, target.key.platform, question, at: Timestamp(milliseconds: 0), revision: 42) {
                    compared += 1
                    #expect(cell.untargeted.shown == one.shown, place)
                    #expect(cell.hidden == one.hidden, place)
                }
                let phone = SimulatedPhone(cell.client, on: target.key.platform, checked: cell.version)
                let asked = Phone(version: cell.version, languages: locale.map { [$0] } ?? [])
                if let answer = feeds.answer(cell.client.feed, to: asked, on: target.key.platform) {
                    let bytes = try feeds.bytes(of: answer)
                    let decision = (seen ? phone.shown(bytes) : phone).decide(bytes)
                    #expect(cell.targeted.shown.letsIn == decision.letsIn, place)
                    #expect(cell.targeted.shown.outcome == Effect.Shown(decision).outcome, place)
                } else {
                    #expect(cell.targeted == cell.untargeted, place)
                }
                if !seen {
                    #expect(cell.meant == GateMeaning(target.gate, scheme: scheme).shown(to: cell.version), place)
                }
                for view in [cell.untargeted, cell.targeted] {
                    #expect((view.deviation == nil) == (view.shown.outcome == cell.meant.outcome), place)
                    #expect((view.deviation == .letsIn) == (view.shown.letsIn && cell.meant.shutsOut), place)
                    #expect((view.deviation == .shutsOut) == (!view.shown.letsIn && !cell.meant.shutsOut), place)
                    #expect((view.shown.rule == nil) == [.open, .failed, .broken].contains(view.shown.outcome), place)
                }
                #expect((cell.why == nil) == (cell.untargeted.deviation == nil), place)
                #expect((cell.cure == nil) == (cell.untargeted.deviation == nil), place)
                deviating += cell.why == nil ? 0 : 1
                cured += cell.cure?.contains("is right") == true ? 1 : 0
            }
        }
        #expect(compared > 5_000 && deviating > 1_000 && cured > 300, "\(compared), \(deviating), \(cured)")
    }

    // MARK: Words

    @Test func theOrderOfTextsIsExplainedAndTheTargetedFeedIsSaidToBeRight() throws {
        let target = try target(#"{"requiredUpdate":{"minimumVersion":"1.10","message":"Must."}}"#, releases: ["1.9", "1.10"])
        let matrix = try matrix(target, ["1.9", "1.10", "1.2"])
        let low = try cell(matrix, .launchgate, "1.9")
        #expect((low.meant, low.untargeted.shown.outcome, low.untargeted.deviation) == (.required, .open, .letsIn))
        #expect(
            low.why
                == #"LaunchGate orders versions as text: "1.9" is not below "1.10". It compares character by character: the first that differ are "9" and "1", and "9" comes after "1". So 1.9 gets in, but is meant to update."#
        )
        #expect(low.cure == "The targeted feed is right: requested with ?version=1.9&platform=ios, it tells this phone to update.")
        #expect(low.targeted.shown.detail == "Shows the required update: version 1.9 is below 1.10.")
        #expect(
            (low.targeted.shown.outcome, low.targeted.shown.rule, low.targeted.shown.message) == (.updateRequired, .requiredUpdate, "Must.")
        )
        let right = try cell(matrix, .launchgate, "1.10")
        #expect((right.untargeted.shown.outcome, right.why, right.cure) == (.open, nil, nil))
        let bellerophon = try cell(matrix, .bellerophon, "1.9")
        #expect(bellerophon.why == "Bellerophon has no word for the minimum version, and lets everybody in.")
        #expect(bellerophon.cure == "The targeted feed is right: requested with ?version=1.9, it tells this phone to update.")
        #expect(bellerophon.targeted.shown.detail.hasPrefix("Shows the required update as a forced one: version 1.9 is below 1.10."))
    }

    /// The others are kept out by the same document, so not everybody is let in.
    @Test(arguments: [#"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Must."}}"#, "{}"])
    func aVersionThatPrinceOfVersionsCannotReadIsLetInAlone(gate: String) throws {
        let matrix = try matrix(target(gate), ["v4.1", "4.1"], client: .princeOfVersions)
        let unreadable = try cell(matrix, .princeOfVersions, "v4.1")
        #expect(unreadable.untargeted.shown.outcome == .failed)
        #expect(unreadable.why == "Prince of Versions cannot read the version v4.1, and lets it in.")
        #expect(
            unreadable.untargeted.shown.detail
                .hasPrefix("Cannot use the feed (the library cannot read the installed version): version v4.1 gets in.")
        )
        #expect(try cell(matrix, .princeOfVersions, "4.1").untargeted.shown.letsIn == (gate == "{}"))
    }

    struct Words: Sendable, CustomTestStringConvertible {
        let gate: String
        let client: ClientLibrary
        let version: String
        let deviation: SimulationMatrix.Deviation
        let why, cure: String
        var testDescription: String { "\(client) \(version) \(gate)" }
    }

    static let words = [
        Words(
            gate: #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Must."}}"#,
            client: .launchgate,
            version: "4.10.0",
            deviation: .shutsOut,
            why:
                #"LaunchGate orders versions as text: "4.10.0" is below "4.2.0". It compares character by character: the first that differ are "1" and "2", and "1" comes before "2". So 4.10.0 is kept out, but is meant to get in."#,
            cure: "The targeted feed is right: requested with ?version=4.10.0&platform=ios, it lets this phone in and shows nothing."
        ),
        Words(
            gate: #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Must."}}"#,
            client: .launchgate,
            version: "4.2",
            deviation: .shutsOut,
            why:
                #"LaunchGate orders versions as text: "4.2" is below "4.2.0". It compares character by character, and "4.2" is how "4.2.0" begins, so it comes before it. So 4.2 is kept out, but is meant to get in."#,
            cure: "The targeted feed is right: requested with ?version=4.2&platform=ios, it lets this phone in and shows nothing."
        ),
        Words(
            gate: #"{"killSwitch":{"message":"Closed."}}"#,
            client: .princeOfVersions,
            version: "4.1.0",
            deviation: .letsIn,
            why: "Prince of Versions has no word for the kill switch, and lets everybody in.",
            cure:
                "The targeted feed, requested with ?version=4.1.0&platform=ios, cannot make Prince of Versions show anything else either."
        ),
        Words(
            gate:
                #"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"Must."},"optionalUpdate":{"optionalVersion":"4.3.0","message":"May."}}"#,
            client: .launchgate,
            version: "4.2.0",
            deviation: .differs,
            why:
                "LaunchGate looks only at the minimum version, even for versions that it does not concern, and does not show the optional update.",
            cure: "The targeted feed is right: requested with ?version=4.2.0&platform=ios, it offers this phone the update."
        ),
        Words(
            gate: #"{"requiredUpdate":{"minimumVersion":"4.1.0","blockedVersions":["4.2.0"],"message":"Must."}}"#,
            client: .launchgate,
            version: "4.2.0",
            deviation: .letsIn,
            why: "A blocked version reaches only targeted and native feeds, so LaunchGate lets 4.2.0 in.",
            cure: "The targeted feed is right: requested with ?version=4.2.0&platform=ios, it tells this phone to update."
        ),
        Words(
            gate: #"{"alert":{"message":"Shut.","blocking":true}}"#,
            client: .bellerophon,
            version: "4.2.0+7",
            deviation: .letsIn,
            why: "Bellerophon has no word for the alert, and lets everybody in.",
            cure: "The targeted feed, requested with ?version=4.2.0%2B7, cannot make Bellerophon show anything else either."
        ),
        Words(
            gate: #"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"Must."},"alert":{"message":"Slow.","blocking":false}}"#,
            client: .launchgate,
            version: "nightly",
            deviation: .differs,
            why: "LaunchGate looks only at the minimum version, even for versions that it does not concern, and does not show the alert.",
            cure: "The targeted feed is no different: nightly is not a version that the server can compare."
        ),
    ]

    @Test(arguments: words) func whatDeviatesIsSaidWithItsReason(words: Words) throws {
        let cell = try cell(matrix(target(words.gate), [words.version]), words.client, words.version)
        #expect(cell.untargeted.deviation == words.deviation)
        #expect(cell.why == words.why)
        #expect(cell.cure == words.cure)
    }

    @Test func aForcedUpdateThatIsShownAsARequiredOneIsAsMeant() throws {
        let matrix = try matrix(target(#"{"forceUpdate":{"message":"All must."}}"#), ["4.1.0"])
        #expect(!matrix.cells.isEmpty)
        for cell in matrix.cells {
            #expect((cell.meant, cell.untargeted.shown.outcome, cell.why) == (.forced, .updateRequired, nil), "\(cell.client)")
        }
    }

    // MARK: Columns and rows

    @Test func thoseWhoReadTheGateItselfShowWhatItMeans() throws {
        let gate =
            #"{"requiredUpdate":{"minimumVersion":"1.10","message":{"default":"Must.","de":"Muss."}},"alert":{"message":"Slow.","blocking":false}}"#
        let target = try target(gate, clients: [.launchgate, .gatekit, .openFeature])
        let matrix = try matrix(target, ["1.9", "1.10"], locale: "de")
        #expect(matrix.clients == [.launchgate, .gatekit, .openFeature])
        let low = try cell(matrix, .gatekit, "1.9")
        #expect((low.untargeted.shown.outcome, low.untargeted.shown.message, low.why) == (.updateRequired, "Muss.", nil))
        #expect(low.hidden.map(\.detail) == ["It waits behind the minimum version."])
        let high = try cell(matrix, .openFeature, "1.10")
        #expect((high.untargeted.shown.outcome, high.untargeted.shown.rule) == (.notice, .alert))
        #expect(high.hidden.map(\.detail) == ["It does not concern version 1.10, which is not below 1.10."])
        #expect(try self.matrix(target, ["1.10"], client: .gatekit, seen: true).cells[0].untargeted.shown.outcome == .open)
        #expect(try self.matrix(target, ["1.9"], client: .princeOfVersions).clients == [.princeOfVersions], "whoever is named is told of")
    }

    @Test func dottedVersionsOnAndroidAreLookedAtToo() throws {
        var target = try target("{}", .android)
        target.settings.versionScheme = .dotted
        target.settings.releases = ["4.1.0"]
        target.gate = try SampleApp.gate(#"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Must."}}"#, target.settings)
        let cell = try cell(matrix(target, ["4.1.0"], client: .gandalf), .gandalf, "4.1.0")
        #expect((cell.untargeted.shown.outcome, cell.untargeted.deviation) == (.open, .letsIn))
        #expect(cell.why?.hasPrefix("Gandalf reads only version codes") == true)
    }

    /// It is a version of the app like any other; the app's version code is not 0.
    @Test(arguments: [ClientLibrary.gandalf, .princeOfVersions], [#"{}"#, #"{"requiredUpdate":{"minimumVersion":"1","message":"m"}}"#])
    func aDottedVersionZeroOnAndroidIsNoVersionCode(library: ClientLibrary, gate: String) throws {
        var target = try target("{}", .android)
        target.settings.versionScheme = .dotted
        target.gate = try SampleApp.gate(gate, target.settings)
        let cell = try cell(matrix(target, ["0"], client: library), library, "0")
        #expect((cell.untargeted.shown.outcome, cell.targeted.shown.outcome) == (.open, .open))
        let effects = EffectFinder.allEffects(
            of: target.key,
            before: EffectFinder.Side(.open, target.settings),
            after: EffectFinder.Side(target.gate, target.settings)
        )
        let row = effects.first { $0.client == library && $0.versions.contains("0") }
        #expect(row.map { [$0.before, $0.after, $0.meant] } == (target.gate == .open ? nil : [.nothing, .nothing, .required]))
    }

    @Test(arguments: [
        (#"{"versions":["a b"]}"#, "invalid_version", "/versions/0"), (#"{"versions":["4.1.0",""]}"#, "invalid_version", "/versions/1"),
    ])
    func whatIsNoVersionIsRefusedByItsPlace(body: String, code: String, field: String) throws {
        let versions = try #require(JSONReader.read(body).object?["versions"]?.array).compactMap(\.string)
        let error = #expect(throws: ModelError.self) { _ = try matrix(target("{}"), versions) }
        #expect((error?.code, error?.field) == (code, field))
        let android = #expect(throws: ModelError.self) { _ = try matrix(target("{}", .android), ["41", "4.1.0"]) }
        #expect((android?.code, android?.field) == ("invalid_version", "/versions/1"))
        #expect(throws: ModelError.self) { _ = try matrix(target("{}"), ["1"], client: .gandalf) }
    }

    @Test(arguments: [
        (#"{}"#, [String](), [String](), ["1.0.0"]),
        (#"{}"#, ["4.0.0", "4.3.0"], ["4.1.0", "latest", "4.0.0"], ["4.0.0", "4.1.0", "4.3.0"]),
        (#"{"requiredUpdate":{"minimumVersion":"1.10","message":"m"}}"#, ["1.9", "1.10"], [], ["1.2", "1.9", "1.10"]),
        (
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["4.3.1"],"message":"m"}}"#, [], [],
            ["4.1.9", "4.2.0", "4.3.1", "4.10.0"]
        ),
        (#"{"forceUpdate":{"message":"m"}}"#, ["4.0.0", "4.3.0"], [], ["4.0.0", "4.2.9", "4.3.0", "4.10.0"]),
    ])
    func versionsOnWhichSomethingTurnsAreProposed(gate: String, releases: [String], polled: [String], proposed: [String]) throws {
        let matrix = try matrix(target(gate, releases: releases), polled: polled)
        #expect(matrix.versions == proposed)
    }

    /// LaunchGate reads `ios` whatever its versions are. A blocked version says nothing about those that the text order misplaces.
    @Test(arguments: [
        (PlatformKey.ios, VersionScheme.code, "41", "[]", ["9", "40", "41", "100"]),
        (.ios, .code, "999", #"["24084578"]"#, ["998", "999", "1000", "24084578"]),
        (.android, .code, "41", "[]", ["40", "41"]), (PlatformKey("huawei")!, .code, "41", "[]", ["40", "41"]),
        (.ios, .dotted, "1.9", "[]", ["1.8", "1.9", "1.10"]),
        (.ios, .dotted, "1.9", #"["1.10"]"#, ["1.8", "1.9", "1.10", "1.100"]),
        (.ios, .dotted, "1.9", #"["1.10.0"]"#, ["1.8", "1.9", "1.10.0", "1.100"]),
    ])
    func whatTheTextOrderMisplacesIsProposed(
        platform: PlatformKey,
        scheme: VersionScheme,
        minimum: String,
        blocked: String,
        proposed: [String]
    ) throws {
        var target = try target("{}", platform, releases: [])
        target.settings.versionScheme = scheme
        let rule = #"{"requiredUpdate":{"minimumVersion":"\#(minimum)","blockedVersions":\#(blocked),"message":"m"}}"#
        target.gate = try SampleApp.gate(rule, target.settings)
        let matrix = try matrix(target)
        #expect(matrix.versions == proposed)
        guard platform == .ios else { return }
        let cells = matrix.cells.filter { $0.client == .launchgate }
        #expect(cells.contains { $0.untargeted.deviation == .shutsOut }, "somebody above the minimum is told to update")
    }

    @Test func fewAreProposedHoweverManyThereAre() throws {
        let releases = (0..<100).map { "3.\($0).0" }
        let blocked = (0..<100).map { #""2.\#($0).0""# }.joined(separator: ",")
        let gate = """
            {"requiredUpdate":{"minimumVersion":"3.50.0","blockedVersions":[\(blocked)],"message":"m"},
             "optionalUpdate":{"optionalVersion":"3.99.0","message":"m"},"forceUpdate":{"message":"m"}}
            """
        let matrix = try matrix(target(gate, releases: releases), polled: (0..<200).map { "1.\($0).0" })
        #expect(matrix.versions.count == ProposedVersions.most)
        for version in ["3.50.0", "3.99.0", "3.0.0", "1.0.0", "1.5.0", "2.0.0"] { #expect(matrix.versions.contains(version), "\(version)") }
        #expect(matrix.versions == matrix.versions.sorted { VersionScheme.dotted.isOlder($0, than: $1) })
    }

    @Test func eachVersionIsOneRowInTheOrderInWhichTheyAreNamed() throws {
        #expect(try matrix(target("{}"), ["4.1.0", "4.0.0", "4.1.0"]).versions == ["4.1.0", "4.0.0"])
    }

    // MARK: Plans

    /// Versions that only polls name are looked at where a rule turns on versions, and nowhere else.
    @Test func aPlanLooksAtVersionsThatPollsName() throws {
        let settings = SampleApp.settings(.ios, releases: ["4.0.0", "4.3.0"])
        let after = try SampleApp.gate(#"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"m"}}"#, settings)
        func looked(_ gate: Gate, _ polled: [String]) -> Int {
            var room = 1_000_000
            _ = EffectFinder.effects(
                of: TargetKey(app: SampleApp.key, platform: .ios),
                before: .init(.open, settings),
                after: .init(gate, settings),
                polled: polled,
                room: &room
            )
            return 1_000_000 - room
        }
        #expect(looked(after, ["4.1.77", "latest"]) - looked(after, []) == 3, "one more with each of three libraries")
        let kill = try SampleApp.gate(#"{"killSwitch":{"message":"m"}}"#, settings)
        #expect(looked(kill, ["4.1.77"]) == looked(kill, []))
        let sides = [Gate.open, kill, after].map { EffectFinder.Side($0, settings) }
        #expect(EffectFinder.looksAtPolls(sides[0], sides[1]) == false)
        #expect(EffectFinder.looksAtPolls(sides[2], sides[1]) == true)
    }
}
