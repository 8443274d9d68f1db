import Foundation
import GateKit
import Testing

/// The scenarios that the four libraries test themselves with (wire formats 1.5, 2.6, 3.4, 4.3), as documents of our own: what GateKit
/// makes of each, and what the library does, by the model that the server's simulator runs.
@Suite struct ConformanceTests {
    struct Scenario: Sendable, CustomTestStringConvertible {
        let file: String
        var version = "1.0"
        var build: String?
        var os: String?
        /// Nil: an error.
        let kind: GateDecision.Kind?
        var named: String?
        let library: LegacyLibrary
        let verdict: String
        var testDescription: String { "\(file) \(build ?? version) \(os ?? "")" }
    }

    static let scenarios: [Scenario] = [
        Scenario(file: "launchgate-all", kind: .required, named: "1.1", library: .launchGate, verdict: "requires"),
        // The one in which the two differ: a satisfied required update hides a blocking alert from LaunchGate's users.
        Scenario(file: "launchgate-all", version: "1.1", kind: .blocked, library: .launchGate, verdict: "proceeds"),
        Scenario(file: "launchgate-alert", kind: .blocked, library: .launchGate, verdict: "blocks"),
        Scenario(file: "launchgate-optional", kind: .optional, named: "1.2", library: .launchGate, verdict: "offers"),
        Scenario(file: "launchgate-optional", version: "1.2", kind: .open, library: .launchGate, verdict: "proceeds"),
        Scenario(file: "launchgate-required", kind: .required, named: "1.1", library: .launchGate, verdict: "requires"),
        Scenario(file: "launchgate-required", version: "1.3", kind: .open, library: .launchGate, verdict: "proceeds"),
        Scenario(file: "launchgate-malformed-empty", kind: nil, library: .launchGate, verdict: "rejects"),
        Scenario(file: "launchgate-malformed-ios", kind: nil, library: .launchGate, verdict: "rejects"),
        Scenario(file: "launchgate-malformed-alert", kind: .open, library: .launchGate, verdict: "rejects"),
        Scenario(file: "launchgate-malformed-optionalUpdate", kind: .open, library: .launchGate, verdict: "rejects"),
        Scenario(file: "launchgate-malformed-requiredUpdate", kind: .open, library: .launchGate, verdict: "rejects"),

        Scenario(file: "gandalf-blocking-alert", build: "6", kind: .blocked, library: .gandalf, verdict: "blocks"),
        Scenario(file: "gandalf-alert", build: "6", kind: .alert, library: .gandalf, verdict: "alerts"),
        Scenario(file: "gandalf-optional", build: "6", kind: .optional, named: "7", library: .gandalf, verdict: "offers"),
        Scenario(file: "gandalf-optional", build: "8", kind: .open, library: .gandalf, verdict: "proceeds"),
        Scenario(file: "gandalf-required", build: "6", kind: .required, named: "7", library: .gandalf, verdict: "requires"),
        Scenario(file: "gandalf-required", build: "8", kind: .open, library: .gandalf, verdict: "proceeds"),
        Scenario(file: "gandalf-invalid-version", build: "6", kind: .blocked, library: .gandalf1_4_1, verdict: "proceeds"),
        Scenario(file: "gandalf-invalid-version", build: "6", kind: .blocked, library: .gandalf, verdict: "crashes"),
        // A comment is no JSON: an error, and never the all-clear. Gandalf reads over it.
        Scenario(file: "gandalf-comment", build: "6", kind: nil, library: .gandalf, verdict: "requires"),
        Scenario(file: "gandalf-sample", build: "8", kind: .required, named: "9", library: .gandalf, verdict: "requires"),
        Scenario(file: "gandalf-sample", build: "11", kind: .blocked, library: .gandalf, verdict: "blocks"),

        Scenario(file: "bellerophon-active-free", kind: .open, library: .bellerophon, verdict: "proceeds"),
        Scenario(file: "bellerophon-active-forced", kind: .forced, library: .bellerophon, verdict: "forces"),
        Scenario(file: "bellerophon-inactive-free", kind: .blocked, library: .bellerophon, verdict: "blocks"),
        Scenario(file: "bellerophon-inactive-forced", kind: .blocked, library: .bellerophon, verdict: "forces"),

        Scenario(
            file: "prince-android-requirements",
            build: "11",
            os: "31",
            kind: .required,
            named: "20",
            library: .princeOfVersionsAndroid,
            verdict: "requires"
        ),
        Scenario(
            file: "prince-android-requirements",
            build: "11",
            os: "26",
            kind: .required,
            named: "12",
            library: .princeOfVersionsAndroid,
            verdict: "requires"
        ),
        Scenario(
            file: "prince-android-requirements",
            build: "12",
            os: "30",
            kind: .optional,
            named: "25",
            library: .princeOfVersionsAndroid,
            verdict: "offers"
        ),
        Scenario(
            file: "prince-android-requirements",
            build: "11",
            os: "25",
            kind: .open,
            library: .princeOfVersionsAndroid,
            verdict: "proceeds"
        ),
        Scenario(
            file: "prince-android-overriding-meta",
            build: "10",
            os: "30",
            kind: .optional,
            named: "11",
            library: .princeOfVersionsAndroid,
            verdict: "offers"
        ),
        Scenario(
            file: "prince-android-string-version",
            build: "9",
            os: "30",
            kind: .optional,
            named: "11",
            library: .princeOfVersionsAndroid,
            verdict: "rejects"
        ),
        Scenario(
            file: "prince-android-int-frequency",
            build: "9",
            os: "30",
            kind: .optional,
            named: "11",
            library: .princeOfVersionsAndroid,
            verdict: "rejects"
        ),
        Scenario(
            file: "prince-android-requirements-null",
            build: "10",
            os: "30",
            kind: .required,
            named: "11",
            library: .princeOfVersionsAndroid,
            verdict: "requires"
        ),
        Scenario(file: "prince-malformed", build: "10", os: "30", kind: nil, library: .princeOfVersionsAndroid, verdict: "rejects"),
        // The first that holds, in the order in which they stand.
        Scenario(
            file: "prince-ios-increasing",
            version: "0.9",
            os: "17.0",
            kind: .required,
            named: "1.5",
            library: .princeOfVersions,
            verdict: "requires"
        ),
        Scenario(
            file: "prince-ios-decreasing",
            version: "0.9",
            os: "17.0",
            kind: .required,
            named: "1.7",
            library: .princeOfVersions,
            verdict: "requires"
        ),
        Scenario(
            file: "prince-ios-shuffled",
            version: "0.9",
            os: "17.0",
            kind: .required,
            named: "1.6",
            library: .princeOfVersions,
            verdict: "requires"
        ),
        Scenario(
            file: "prince-ios-shuffled",
            version: "0.9",
            os: "14.0",
            kind: .required,
            named: "1.0",
            library: .princeOfVersions,
            verdict: "requires"
        ),
    ]

    @Test("6.2.38 the libraries' own scenarios", arguments: scenarios) func scenario(scenario: Scenario) throws {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let data = try Data(contentsOf: folder.appendingPathComponent(scenario.file + ".json"))
        let phone = GatePhone(version: scenario.version, build: scenario.build, osVersion: scenario.os)
        if let kind = scenario.kind {
            let decision = try GateDocument(data).decision(for: phone, at: Documents.now)
            #expect(decision.kind == kind)
            if let version = scenario.named { #expect(decision.version == version) }
        } else {
            #expect(throws: GateKitError.self) { try GateDocument(data) }
        }
        #expect("\(scenario.library.verdict(on: data, for: phone))".prefix { $0.isLetter } == scenario.verdict)
    }
}
