import GateFeeds
import GateJSON
import GateModel
import Testing

/// What each client library shows of each gate, as a person meets it.
@Suite struct SimulatorTests {
    private static let gates: [String: (ios: String, android: String)] = [
        "open": ("{}", "{}"),
        "kill": (#"{"killSwitch":{"message":"Closed.","retryInterval":30}}"#, #"{"killSwitch":{"message":"Closed.","retryInterval":30}}"#),
        "force": (#"{"forceUpdate":{"message":"All must."}}"#, #"{"forceUpdate":{"message":"All must."}}"#),
        "required": (
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Must."}}"#,
            #"{"requiredUpdate":{"minimumVersion":"42","message":"Must."}}"#
        ),
        "optional": (
            #"{"optionalUpdate":{"optionalVersion":"4.2.0","message":"May."}}"#,
            #"{"optionalUpdate":{"optionalVersion":"42","message":"May."}}"#
        ),
        "alert": (#"{"alert":{"message":"Slow.","blocking":false}}"#, #"{"alert":{"message":"Slow.","blocking":false}}"#),
        "blocking": (#"{"alert":{"message":"Shut.","blocking":true}}"#, #"{"alert":{"message":"Shut.","blocking":true}}"#),
    ]

    private func gate(_ names: String, _ platform: PlatformKey, _ settings: PlatformSettings) throws -> Gate {
        var gate = Gate.open
        for name in names.split(separator: "+") {
            let documents = try #require(Self.gates[String(name)])
            try gate.apply(GateEdit(json: JSONReader.read(platform == .android ? documents.android : documents.ios)), settings: settings)
        }
        return gate
    }

    private func simulate(
        _ names: String,
        _ platform: PlatformKey,
        _ client: ClientLibrary?,
        _ version: String,
        seen: Bool = false,
        releases: [String]? = nil,
        locale: String? = nil
    ) throws -> Simulation {
        let settings = SampleApp.settings(platform, releases: releases)
        let app = SampleApp.app(SampleApp.target(platform, try gate(names, platform, settings), settings: settings))
        let question = Simulator.Question(client: client, version: version, seen: seen, locale: locale)
        return try Simulator.simulate(app, platform, question, at: Timestamp(milliseconds: 0), revision: 42)
    }

    /// `blocked dialog Alert|Closed.|Close app`
    private func line(_ simulation: Simulation) -> String {
        let texts = [simulation.shown.title ?? "", simulation.shown.message ?? "", simulation.shown.buttons.joined(separator: ",")].joined(
            separator: "|"
        )
        return "\(simulation.shown.outcome) \(simulation.shown.presentation) \(texts)"
    }

    /// Versions 4.1.0 and 41 are below every version in the gates, 4.3.0 and 43 the newest release.
    struct Row: Sendable, CustomTestStringConvertible {
        let gate, launchgate, gandalf, bellerophon, prince: String
        var testDescription: String { gate }

        init(_ gate: String, _ launchgate: String, _ gandalf: String, _ bellerophon: String, _ prince: String) {
            (self.gate, self.launchgate, self.gandalf, self.bellerophon, self.prince) = (gate, launchgate, gandalf, bellerophon, prince)
        }
    }

    static let table: [Row] = [
        Row("open", "open none ||", "open none ||", "open none ||", "open none ||"),
        Row("kill", "blocked dialog |Closed.|", "blocked dialog Alert|Closed.|Close app", "blocked screen |Closed.|", "open none ||"),
        Row(
            "force",
            "updateRequired dialog |All must.|Update",
            "updateRequired dialog Update required|All must.|Download update,Close app",
            "updateRequired screen |All must.|",
            "updateRequired app ||"
        ),
        Row(
            "required",
            "updateRequired dialog |Must.|Update",
            "updateRequired dialog Update required|Must.|Download update,Close app",
            "open none ||",
            "updateRequired app ||"
        ),
        Row(
            "optional",
            "updateOffered dialog |May.|Dismiss,Update",
            "updateOffered dialog Update available|May.|Download update,Skip update,Close app",
            "open none ||",
            "updateOffered app ||"
        ),
        Row("alert", "notice dialog |Slow.|Dismiss", "notice dialog Alert|Slow.|OK", "open none ||", "open none ||"),
        Row("blocking", "blocked dialog |Shut.|", "blocked dialog Alert|Shut.|Close app", "open none ||", "open none ||"),
        Row(
            "kill+force",
            "blocked dialog |Closed.|",
            "blocked dialog Alert|Closed.|Close app",
            "blocked screen |Closed.|",
            "updateRequired app ||"
        ),
        Row(
            "required+blocking",
            "blocked dialog |Shut.|",
            "updateRequired dialog Update required|Must.|Download update,Close app",
            "open none ||",
            "updateRequired app ||"
        ),
        Row("optional+blocking", "blocked dialog |Shut.|", "blocked dialog Alert|Shut.|Close app", "open none ||", "updateOffered app ||"),
        Row(
            "optional+alert",
            "updateOffered dialog |May.|Dismiss,Update",
            "notice dialog Alert|Slow.|OK",
            "open none ||",
            "updateOffered app ||"
        ),
        Row(
            "kill+force+required+optional+alert",
            "blocked dialog |Closed.|",
            "blocked dialog Alert|Closed.|Close app",
            "blocked screen |Closed.|",
            "updateRequired app ||"
        ),
    ]

    @Test(arguments: table) func everyLibraryShowsEveryGateAsItsModelDecides(row: Row) throws {
        #expect(line(try simulate(row.gate, .ios, .launchgate, "4.1.0")) == row.launchgate)
        #expect(line(try simulate(row.gate, .android, .gandalf, "41")) == row.gandalf)
        #expect(line(try simulate(row.gate, .ios, .bellerophon, "4.1.0")) == row.bellerophon)
        #expect(line(try simulate(row.gate, .android, .bellerophon, "41")) == row.bellerophon)
        #expect(line(try simulate(row.gate, .ios, .princeOfVersions, "4.1.0")) == row.prince)
        #expect(line(try simulate(row.gate, .android, .princeOfVersions, "41")) == row.prince)
    }

    @Test func theSentenceSaysWhatIsShownAndWhyTheRestIsNot() throws {
        let kill = try simulate("kill", .ios, .bellerophon, "4.1.0")
        #expect(kill.shown.detail == "Shows the block: forced update is off. The phone asks again every 30 s.")
        #expect(kill.shown.rule == .killSwitch)
        #expect(kill.shown.retryInterval == 30)
        let both = try simulate("kill+force", .ios, .bellerophon, "4.1.0")
        #expect(both.shown.detail.hasPrefix("Shows the block. The phone asks again every 30 s."), "\(both.shown.detail)")
        #expect(!kill.shown.letsIn)
        #expect(kill.feed == "/feeds/shop/ios/bellerophon.json")
        let masked = try simulate("required+alert", .ios, .launchgate, "4.3.0")
        #expect(masked.shown.outcome == .open)
        #expect(
            masked.hidden == [
                .init(
                    rule: .requiredUpdate,
                    detail: "It does not concern version 4.3.0, which is not below 4.2.0 when compared as text."
                ),
                .init(
                    rule: .alert,
                    detail:
                        "LaunchGate looks at one rule only, and the minimum version comes first, even for versions that it does not concern."
                ),
            ]
        )
        #expect(try simulate("required+alert", .android, .gandalf, "43").shown.rule == .alert, "Gandalf looks at what applies")
        let waiting = try simulate("kill+alert", .android, .gandalf, "41")
        #expect(waiting.hidden == [.init(rule: .alert, detail: "It waits behind the kill switch.")])
        let wordless = try simulate("alert", .ios, .bellerophon, "4.1.0")
        #expect(wordless.hidden == [.init(rule: .alert, detail: "Bellerophon has no word for the alert.")])
        let settings = PlatformSettings(versionScheme: .dotted)
        let gate = try SampleApp.gate(#"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Must."}}"#, settings)
        let dotted = SampleApp.app(SampleApp.target(.android, gate, settings: settings))
        let left = try Simulator.simulate(
            dotted,
            .android,
            .init(client: .gandalf, version: "41", seen: false, locale: nil),
            at: Timestamp(milliseconds: 0),
            revision: 1
        )
        #expect(
            left.hidden.map(\.detail) == [
                "The versions of shop/android are not version codes, the only versions that Gandalf reads, so the rule is left out of its feed."
            ]
        )
        let unknown = try simulate("force", .ios, .launchgate, "4.1.0", releases: [])
        #expect(unknown.hidden.map(\.detail) == ["No release of shop/ios is known, so LaunchGate cannot be told to update to the newest."])
    }

    /// Versions are compared as the library compares them, and not as people do.
    @Test func launchGateOrdersVersionsAsTexts() throws {
        let settings = SampleApp.settings(.ios, releases: [])
        let gate = try SampleApp.gate(#"{"requiredUpdate":{"minimumVersion":"1.10","message":"Must."}}"#, settings)
        let app = SampleApp.app(SampleApp.target(.ios, gate, settings: settings))
        func outcome(_ client: ClientLibrary) throws -> PhoneView.Outcome {
            try Simulator.simulate(
                app,
                .ios,
                .init(client: client, version: "1.9", seen: false, locale: nil),
                at: Timestamp(milliseconds: 0),
                revision: 1
            ).shown.outcome
        }
        #expect(try outcome(.launchgate) == .open)
        #expect(try outcome(.princeOfVersions) == .updateRequired)
    }

    @Test func whatALibraryRemembersIsNotShownAgain() throws {
        for (client, platform, version) in [(ClientLibrary.launchgate, PlatformKey.ios, "4.1.0"), (.gandalf, .android, "41")] {
            for gate in ["optional", "alert", "optional+alert"] {
                let simulation = try simulate(gate, platform, client, version, seen: true)
                #expect(simulation.shown.outcome == .open, "\(client) \(gate)")
                #expect(simulation.hidden.first?.detail == "This phone has shown it before.", "\(client) \(gate)")
            }
            for gate in ["kill", "required", "blocking"] {
                #expect(try simulate(gate, platform, client, version, seen: true).shown.letsIn == false, "\(client) \(gate)")
            }
        }
        #expect(try simulate("optional", .ios, .princeOfVersions, "4.1.0", seen: true).shown.outcome == .open)
        #expect(try simulate("optional", .android, .princeOfVersions, "41", seen: true).shown.outcome == .open)
    }

    @Test func thePlatformSaysWhichLibrariesThereAre() throws {
        #expect(try simulate("open", .ios, nil, "4.1.0").clients == [.bellerophon, .launchgate, .princeOfVersions])
        #expect(try simulate("open", .android, nil, "41").clients == [.gandalf, .princeOfVersions, .bellerophon])
        let tv = try #require(PlatformKey("tvos"))
        #expect(try simulate("kill", tv, nil, "4.1.0").clients == [.bellerophon, .launchgate])
        #expect(line(try simulate("kill", tv, .launchgate, "4.1.0")) == "blocked dialog |Closed.|")
        #expect(throws: ModelError.self) { _ = try simulate("open", .ios, .gandalf, "41") }
        #expect(throws: ModelError.self) { _ = try simulate("open", .android, .gandalf, "4.1.0") }
    }

    @Test func aTextInTheReadersLanguageThatDoesNotReachThemIsSaid() throws {
        let settings = SampleApp.settings(.ios)
        let gate = try SampleApp.gate(#"{"killSwitch":{"message":{"default":"Closed.","de":"Zu."}}}"#, settings)
        let app = SampleApp.app(SampleApp.target(.ios, gate, settings: settings))
        func simulation(_ locale: String?) throws -> Simulation {
            try Simulator.simulate(
                app,
                .ios,
                .init(client: nil, version: "4.1.0", seen: false, locale: locale),
                at: Timestamp(milliseconds: 0),
                revision: 1
            )
        }
        #expect(try simulation("de-AT").shown.message == "Closed.")
        #expect(
            try simulation("de-AT").shown.detail.hasSuffix(
                "There is a text in de, but this feed is the same for everybody and carries the default one."
            )
        )
        #expect(try simulation("fr").shown.detail == simulation(nil).shown.detail)
    }

    /// Whatever is in force is either shown or said to be hidden, and nobody is let in by the sentence who is not by the bytes.
    @Test func everyRuleIsAccountedForWhateverTheGate() throws {
        var gates = GeneratedGates(seed: 1897)
        var outcomes: Set<PhoneView.Outcome> = []
        for _ in 0..<300 {
            let app = gates.app()
            for platform in app.platformKeys {
                guard let target = app.platforms[platform] else { continue }
                for client in ClientLibrary.shipped {
                    let question = Simulator.Question(
                        client: client,
                        version: target.settings.versionScheme == .code || platform == .android ? "15" : "2.2.2",
                        seen: gates.chance(1, of: 2),
                        locale: nil
                    )
                    // What the platform has no such library for is refused, and nothing else is.
                    guard let simulation = try? Simulator.simulate(app, platform, question, at: Timestamp(milliseconds: 0), revision: 1)
                    else {
                        let known = try Simulator.simulate(
                            app,
                            platform,
                            .init(client: nil, version: question.version, seen: false, locale: nil),
                            at: Timestamp(milliseconds: 0),
                            revision: 1
                        )
                        #expect(!known.clients.contains(client), "\(client) on \(platform): \(target.gate.json.text)")
                        continue
                    }
                    outcomes.insert(simulation.shown.outcome)
                    let accounted = (simulation.shown.rule.map { [$0] } ?? []) + simulation.hidden.map(\.rule)
                    #expect(
                        Set(accounted) == Set(Rule.allCases.filter(target.gate.isOn)),
                        "\(client) on \(platform): \(target.gate.json.text)"
                    )
                    #expect(accounted.count == Set(accounted).count)
                    #expect(simulation.shown.letsIn == ![.blocked, .updateRequired, .broken].contains(simulation.shown.outcome))
                    #expect((simulation.shown.rule == nil) == (simulation.shown.presentation == .none))
                }
            }
        }
        #expect(outcomes == [.open, .notice, .updateOffered, .updateRequired, .blocked])
    }

    /// Up to 1.3.1 an optional update goes before an alert; the other libraries have no releases to choose.
    @Test func eachReleaseOfGandalfIsShownAsItIs() throws {
        var settings = PlatformSettings.standard(for: .android)
        settings.releases = ["41", "47"]
        let gate = Gate(
            optionalUpdate: OptionalUpdate(optionalVersion: "47", message: .text("New.")),
            alert: Alert(message: .text("Slow."), blocking: false)
        )
        let app = SampleApp.app([SampleApp.target(.android, gate, settings: settings)])
        func rule(_ release: GandalfRelease?) throws -> (Rule?, GandalfRelease?) {
            let question = Simulator.Question(client: .gandalf, release: release, version: "41", seen: false, locale: nil)
            let simulation = try Simulator.simulate(app, .android, question, at: Timestamp(milliseconds: 0), revision: 1)
            return (simulation.shown.rule, simulation.release)
        }
        #expect(try rule(nil) == (.alert, nil))
        #expect(try rule(.upTo1_3_1) == (.optionalUpdate, .upTo1_3_1))
        #expect(try rule(.head) == (.alert, .head))
        let other = Simulator.Question(client: .princeOfVersions, release: .head, version: "41", seen: false, locale: nil)
        #expect { try Simulator.simulate(app, .android, other, at: Timestamp(milliseconds: 0), revision: 1) } throws: {
            ($0 as? ModelError)?.field == "/release"
        }
    }
}
