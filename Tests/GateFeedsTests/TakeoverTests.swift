import Foundation
import GateFeeds
import GateJSON
import GateModel
import GateTesting
import Testing

@Suite("Any file that an app polls is taken over")
struct TakeoverTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let file: String
        let meanings: [String]
        /// Nil for a file of the whole app.
        var platform: PlatformKey?
        /// What the file says is on.
        var state: [PlatformKey: Set<Rule>] = [:]
        var accepts = false

        init(_ object: JSONObject) throws {
            name = try #require(object["name"]?.string)
            file = try #require(object["file"]?.string)
            meanings = try #require(object["map"]?.array).compactMap(\.string)
            platform = object["platform"]?.string.flatMap { PlatformKey($0) }
            accepts = object["accept"] != nil
            for (platform, rules) in try #require(object["on"]?.object).members {
                state[try #require(PlatformKey(platform))] = Set(rules.array?.compactMap { $0.string.flatMap(Rule.init(rawValue:)) } ?? [])
            }
        }

        var testDescription: String { name }
    }

    /// Twelve files as apps have them, also for the tests of the browser and the terminal.
    static let shapes: [Shape] = {
        do {
            let path = ProjectFiles.root + "/Tests/Shapes/own-shapes.json"
            let file = try JSONReader.read(String(contentsOfFile: path, encoding: .utf8))
            return try (file.array ?? []).map { try Shape(#require($0.object)) }
        } catch { preconditionFailure("own-shapes.json: \(error)") }
    }()

    private static let settings: [PlatformKey: PlatformSettings] = [
        .ios: SampleApp.settings(.ios), .android: SampleApp.settings(.android),
    ]

    private func app(_ edits: [PlatformKey: JSONValue], interval: Int = 15) throws -> App {
        SampleApp.app(
            try Self.settings.sorted { $0.key < $1.key }.map { key, settings in
                let edit = edits[key]?.object ?? [:]
                let gate = JSONObject(uniqueMembers: edit.members.filter { !$0.value.isNull })
                return SampleApp.target(
                    key,
                    try Gate(json: .object(gate), settings: settings),
                    settings: settings
                )
            }
        )
    }

    @Test(
        "Equal before, right after each of the five rules goes on and off, equal again",
        arguments: shapes
    )
    func isTakenOver(shape: Shape) throws {
        let meanings = try shape.meanings.map { try TakeoverMeaning($0) }
        let takeover = try Takeover(shape.file, meanings, for: shape.platform, settings: Self.settings)
        let codes: Set<PlatformKey> = [.android]
        let template = try OwnTemplate(
            takeover.template,
            for: shape.platform,
            of: Self.settings.keys,
            withCodes: codes
        )
        try template.check(acceptingTypeChanges: shape.accepts)
        var app = try self.app(takeover.edits)
        for (platform, target) in app.platforms {
            #expect(
                Set(Rule.allCases.filter(target.gate.isOn)) == shape.state[platform] ?? [],
                "\(platform)"
            )
        }
        // Nothing but the places was touched, so that it is the file byte for byte.
        #expect(String(decoding: try template.render(app.platforms), as: UTF8.self) == shape.file)
        #expect(takeover.meanings.map(\.text) == shape.meanings.map { $0.replacing("['", with: ".").replacing("']", with: "") })

        let before = try JSONReader.read(shape.file)
        let platforms = shape.platform.map { [$0] } ?? [.ios, .android]
        for platform in platforms {
            let settings = try #require(Self.settings[platform])
            let version = settings.versionScheme == .code ? "42" : "4.2.0"
            let on: [Rule: Gate] = [
                .killSwitch: Gate(killSwitch: KillSwitch(message: .text("New kill."), retryInterval: 15)),
                .forceUpdate: Gate(forceUpdate: ForceUpdate(message: .text("New force."))),
                .requiredUpdate: Gate(
                    requiredUpdate: RequiredUpdate(minimumVersion: version, message: .text("New require."))
                ),
                .optionalUpdate: Gate(
                    optionalUpdate: OptionalUpdate(optionalVersion: version, message: .text("New offer."))
                ),
                .alert: Gate(alert: Alert(message: .text("New alert."), blocking: true)),
            ]
            for rule in Rule.allCases {
                let present = try #require(app.platforms[platform])
                for gate in [
                    present.gate.with(rule, of: on[rule] ?? .open), present.gate.with(rule, of: .open),
                ] {
                    app.platforms[platform]?.gate = gate
                    let document = try JSONReader.read(try template.render(app.platforms))
                    for place in DocumentDifference.places(before, document) {
                        let meaning = try #require(
                            meanings.first { $0.place == place },
                            "\(place) is a constant"
                        )
                        #expect(
                            meaning.word.rawValue.hasPrefix(Self.word(rule)),
                            "\(place) turned with \(rule)"
                        )
                    }
                    for meaning in meanings
                    where meaning.word.rawValue == Self.word(rule)
                        && (meaning.platform ?? platform) == platform
                    {
                        let value = try #require(document.value(at: meaning.place))
                        #expect(Self.isOn(value) == (gate.isOn(rule) != meaning.isInverted), "\(meaning.place)")
                    }
                    for meaning in meanings
                    where meaning.word.rawValue == Self.word(rule) + ".message" && gate.isOn(rule) {
                        guard (meaning.platform ?? platform) == platform, gate != present.gate else { continue }
                        #expect(
                            document.value(at: meaning.place)
                                == .string(gate.message(of: rule)?.defaultText ?? "")
                        )
                    }
                }
                app.platforms[platform]?.gate = present.gate
                #expect(String(decoding: try template.render(app.platforms), as: UTF8.self) == shape.file)
            }
        }
    }

    private static func word(_ rule: Rule) -> String {
        switch rule {
        case .killSwitch: "kill"
        case .forceUpdate: "force"
        case .requiredUpdate: "required"
        case .optionalUpdate: "optional"
        case .alert: "alert"
        }
    }

    private static func isOn(_ value: JSONValue) -> Bool {
        switch value {
        case .bool(let flag): flag
        case .number(let text): Double(text) != 0
        case .string(let text): ["true", "on", "yes", "1"].contains(text.lowercased())
        default: false
        }
    }

    @Test("Names that speak are proposed")
    func proposes() throws {
        func proposed(
            _ file: String,
            _ platform: PlatformKey?,
            _ platforms: [PlatformKey] = [.ios, .android]
        ) throws -> [String] {
            TakeoverProposal.meanings(of: try JSONReader.read(file), for: platform, platforms: platforms)
                .map {
                    "\($0.place)=\($0.isInverted ? "!" : "")\($0.platform.map { "\($0)." } ?? "")\($0.word.rawValue)"
                }
        }
        #expect(
            try proposed(
                #"{"maintenance":false,"message":"x","min_version":"1","forceUpdate":false,"other":1,"enabled":true}"#,
                .ios
            ) == [
                "/maintenance=kill", "/message=kill.message", "/min_version=required.minimumVersion",
                "/forceUpdate=force",
            ]
        )
        #expect(
            try proposed(
                #"{"data":{"iOS":{"minVersion":"1","enabled":true},"android":{"min_build":3}},"maintenance":true}"#,
                nil
            ) == [
                "/data/iOS/minVersion=ios.required.minimumVersion", "/data/iOS/enabled=!ios.kill",
                "/data/android/min_build=android.required.minimumVersion",
            ]
        )
        #expect(try proposed(#"{"a":{"message":{"x":1}}}"#, .ios) == [])
    }

    @Test(
        "What cannot mean that is refused with its place",
        arguments: [
            (["$.a=kill"], "/a", "nothing there"), (["$.text=kill"], "/text", "no switch"),
            (["$.flag=kill.message"], "/flag", "a text"),
            (["$.flag=kill", "$.flag=force"], "/flag", "named twice"),
            (["$.flag=kill", "$.other=!kill"], "/other", "the opposite"),
            (["$.box=kill.message"], "/box", "a text"),
            (["$.flag=android.kill"], "/flag", "of which platform"),
            (["$.flag=nothing"], "", "no value of a gate"),
            (["flag=kill"], "", "begins with $"), (["$.flag"], "", "typed PATH=VALUE"),
            (["$.[=kill"], "", "no path"), (["$.text=!kill.message"], "", "no value"),
            (["$.flag=retryInterval"], "/flag", "seconds"),
            (["$.flag=required.minimumVersion"], "/flag", "a whole number"),
        ]
    ) func refuses(meanings: [String], place: String, words: String) throws {
        let file = #"{"flag":true,"other":true,"text":"x","box":{}}"#
        let error = try #require(throws: TemplateRefusal.self) {
            _ = try Takeover(
                file,
                meanings.map { try TakeoverMeaning($0) },
                for: .ios,
                settings: Self.settings
            )
        }
        #expect(error.place == place)
        #expect(error.detail.contains(words), "\(error.detail)")
    }
}

extension Gate {
    /// The gate with one of its rules as another gate has it.
    fileprivate func with(_ rule: Rule, of other: Gate) -> Gate {
        var gate = self
        switch rule {
        case .killSwitch: gate.killSwitch = other.killSwitch
        case .forceUpdate: gate.forceUpdate = other.forceUpdate
        case .requiredUpdate: gate.requiredUpdate = other.requiredUpdate
        case .optionalUpdate: gate.optionalUpdate = other.optionalUpdate
        case .alert: gate.alert = other.alert
        }
        return gate
    }
}
