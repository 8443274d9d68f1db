import Foundation
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateFeeds
@testable import GateKit

/// The server's simulator and GateKit say the same of the same bytes (wire formats 6.2 items 8 and 38).
@Suite struct AgreementTests {
    /// Gates that nobody would think of, and versions around those that they name.
    private struct Random {
        var generator: SeededGenerator

        mutating func chance(_ share: Int, of all: Int) -> Bool { generator.next(below: all) < share }

        mutating func version(_ scheme: VersionScheme) -> String {
            guard scheme == .dotted else { return String(1 + generator.next(below: 30)) }
            return (0...generator.next(below: 4)).map { _ in String(generator.next(below: 12)) }.joined(separator: ".")
        }

        mutating func message() -> Message {
            let text = ["Back at 09:30.", "ü 日本 😀", "\"q\" \\ {}", "a\nb"][generator.next(below: 4)]
            return chance(1, of: 3) ? .localized(["default": text, "de": "Zu", "pt-BR": "Fechado"]) : .text(text)
        }

        mutating func gate(_ scheme: VersionScheme) -> Gate {
            Gate(
                killSwitch: chance(1, of: 6) ? KillSwitch(message: message(), retryInterval: 5 + generator.next(below: 3_596)) : nil,
                forceUpdate: chance(1, of: 6) ? ForceUpdate(message: message()) : nil,
                requiredUpdate: chance(1, of: 2)
                    ? RequiredUpdate(
                        minimumVersion: version(scheme),
                        blockedVersions: chance(1, of: 2) ? [version(scheme)] : [],
                        message: message()
                    ) : nil,
                optionalUpdate: chance(1, of: 2) ? OptionalUpdate(optionalVersion: version(scheme), message: message()) : nil,
                alert: chance(1, of: 2) ? Alert(message: message(), blocking: chance(1, of: 2)) : nil
            )
        }
    }

    /// The object of a platform does not say that it counts in version codes, and the server decides by them.
    @Test(
        "What the server decides for a phone by its build is what GateKit shows",
        arguments: ["tvos", "macos", "ios"],
        [
            ("4.1.0", "41", true), ("60.0", "41", true), ("2026.11", "7", true), ("v43", "41", true), ("60.0", "43", false),
            ("1.0", "44", false),
        ]
    )
    func targetedCodes(platform: String, phone: (version: String, build: String, isRequired: Bool)) throws {
        let key = TargetKey(app: try #require(AppKey("shop")), platform: try #require(PlatformKey(platform)))
        let target = Target(
            key: key,
            settings: PlatformSettings(versionScheme: .code),
            gate: Gate(requiredUpdate: RequiredUpdate(minimumVersion: "42", message: .text("Update"))),
            revision: 1,
            sequence: 1,
            since: Timestamp(milliseconds: 0),
            changedAt: Timestamp(milliseconds: 0)
        )
        let feeds = TargetedFeeds(App(key: key.app, name: "Shop", platforms: [key.platform: target]))
        let asking = Phone(version: phone.version, build: phone.build)
        let bytes = try feeds.bytes(of: try #require(feeds.answer(.launchgate, to: asking, on: key.platform)))
        let document = try GateDocument(Data(bytes), options: .init(platform: platform))
        #expect(document.decide(phone.version, build: phone.build).kind == (phone.isRequired ? .required : .open))
        guard platform != "ios" else { return }
        let gandalf = GandalfClient.decide(bytes, installed: try #require(Int32(phone.build)), platform: key.platform, release: .usual)
        #expect(gandalf == .proceed || phone.isRequired)
        #expect(gandalf != .proceed || !phone.isRequired)
    }

    @Test("6.2.38 of 10,000 random feeds and their versions both say the same") func agreement() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("agreement: seed \(seed)")
        var random = Random(generator: SeededGenerator(seed: seed))
        let (key, languages) = (try #require(AppKey("shop")), [[], ["de-AT"], ["pt-BR", "en"]])
        var asked = 0
        var kinds: [GateDecision.Kind: Int] = [:]
        for number in 0..<10_000 {
            // Other tests measure time.
            if number % 50 == 0 { await Task.yield() }
            let platform: PlatformKey = random.chance(1, of: 2) ? .ios : .android
            let usual = PlatformSettings.standard(for: platform)
            var settings = usual
            settings.versionScheme = random.chance(1, of: 2) ? .dotted : .code
            settings.storeURL = random.chance(1, of: 2) ? "https://store.test/app" : nil
            let gate = random.gate(settings.versionScheme)
            let target = Target(
                key: TargetKey(app: key, platform: platform),
                settings: settings,
                gate: gate,
                revision: 1,
                sequence: number,
                since: Timestamp(milliseconds: 0),
                changedAt: Timestamp(milliseconds: 0)
            )
            let document = try GateDocument(Data(FeedRenderer.native(target).bytes))
            #expect(document.diagnostics == [])
            let feeds = try FeedRenderer.documents(of: gate, settings, platform)
            let named = [gate.version(of: .requiredUpdate), gate.version(of: .optionalUpdate)].compactMap { $0 }
            let versions = named + (gate.requiredUpdate?.blockedVersions ?? []) + [random.version(settings.versionScheme), "0", "99"]
            for version in versions {
                asked += 1
                let wanted = languages[asked % 3]
                let meant = GateMeaning(gate, settings: settings).decision(for: Phone(version: version, languages: wanted))
                // What is not compared differs, as it does on phones.
                let isCode = settings.versionScheme == .code
                let phone = GatePhone(
                    version: isCode ? random.version(.dotted) : version,
                    build: isCode ? version : random.version(.code),
                    languages: wanted
                )
                let decision = document.decision(for: phone, at: Documents.now)
                #expect(decision.kind.rawValue == meant.kind.rawValue, "seed \(seed), feed \(number), version \(version)")
                #expect(decision.message == meant.text, "seed \(seed), feed \(number), version \(version)")
                #expect(decision.suppressed.map(\.reason) == meant.suppressed.map(\.reason.code))
                #expect(decision.storeURL?.absoluteString == meant.storeURL)
                kinds[decision.kind, default: 0] += 1
                // Both run the same model: one in ten is enough to see that it is asked the same.
                guard number % 10 == 0, settings.versionScheme == usual.versionScheme else { continue }
                for (library, legacy) in Self.libraries(of: platform) {
                    let bytes = feeds[library.feed] ?? []
                    let simulated = try SimulatedPhone(library, on: platform, version: version == "0" ? "1" : version)
                        .decide(ReadFeed(library, bytes, on: platform))
                    let own = GatePhone(
                        version: version == "0" ? "1" : version,
                        build: platform == .android ? version == "0" ? "1" : version : nil
                    )
                    #expect(
                        legacy.verdict(on: Data(bytes), for: own) == LegacyLibrary.Verdict(simulated),
                        "seed \(seed), feed \(number), \(library)"
                    )
                }
            }
        }
        print(
            "agreement: \(asked) versions asked about, \(kinds.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ", "))"
        )
        #expect(kinds.count == GateDecision.Kind.allCases.count)
    }

    private static func libraries(of platform: PlatformKey) -> [(ClientLibrary, LegacyLibrary)] {
        platform == .android
            ? [(.gandalf, .gandalf), (.princeOfVersions, .princeOfVersionsAndroid), (.bellerophon, .bellerophon)]
            : [(.launchgate, .launchGate), (.princeOfVersions, .princeOfVersions), (.bellerophon, .bellerophon)]
    }
}
