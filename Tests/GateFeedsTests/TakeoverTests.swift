import GateFeeds
import GateJSON
import GateModel
import GateTesting
import Testing

@Suite("Any file that an app polls is taken over")
struct TakeoverTests {
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
        arguments: OwnShape.all
    )
    func isTakenOver(shape: OwnShape) throws {
        let owner = shape.platform.flatMap { PlatformKey($0) }
        let meanings = try shape.meanings.map { try TakeoverMeaning($0) }
        let takeover = try Takeover(shape.file, meanings, for: owner, settings: Self.settings)
        let codes: Set<PlatformKey> = [.android]
        let template = try OwnTemplate(
            takeover.template,
            for: owner,
            of: Self.settings.keys,
            withCodes: codes
        )
        try template.check(acceptingTypeChanges: !shape.accepts.isEmpty)
        var app = try self.app(takeover.edits)
        for (platform, target) in app.platforms {
            #expect(
                Set(Rule.allCases.filter(target.gate.isOn).map(\.rawValue)) == shape.on[platform.text] ?? [],
                "\(platform)"
            )
        }
        // Nothing but the places was touched, so that it is the file byte for byte.
        #expect(String(decoding: try template.render(app.platforms), as: UTF8.self) == shape.file)
        #expect(takeover.meanings.map(\.text) == shape.meanings.map { $0.replacing("['", with: ".").replacing("']", with: "") })

        let before = try JSONReader.read(shape.file)
        let platforms = owner.map { [$0] } ?? [.ios, .android]
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
                            meaning.word.rawValue.hasPrefix(OwnShape.word(ofRule: rule.rawValue)),
                            "\(place) turned with \(rule)"
                        )
                    }
                    for meaning in meanings
                    where meaning.word.rawValue == OwnShape.word(ofRule: rule.rawValue)
                        && (meaning.platform ?? platform) == platform
                    {
                        let value = try #require(document.value(at: meaning.place))
                        #expect(OwnShape.isOn(value) == (gate.isOn(rule) != meaning.isInverted), "\(meaning.place)")
                    }
                    for meaning in meanings
                    where meaning.word.rawValue == OwnShape.word(ofRule: rule.rawValue) + ".message" && gate.isOn(rule) {
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
            (["$.a=kill"], "/a", "nothing there"), (["$.text=kill"], "/text", "not a switch"),
            (["$.flag=kill.message"], "/flag", "a text"),
            (["$.flag=kill", "$.flag=force"], "/flag", "named twice"),
            (["$.flag=kill", "$.other=!kill"], "/other", "the opposite"),
            (["$.box=kill.message"], "/box", "a text"),
            (["$.flag=android.kill"], "/flag", "Name the platform"),
            (["$.flag=nothing"], "", "not a value of a gate"),
            (["flag=kill"], "", "begins with $"), (["$.flag"], "", "typed PATH=VALUE"),
            (["$.[=kill"], "", "not a path"), (["$.text=!kill.message"], "", "not a value"),
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
