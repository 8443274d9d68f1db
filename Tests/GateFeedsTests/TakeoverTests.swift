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

    private func app(_ edits: [PlatformKey: JSONValue]) throws -> App {
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

    private static func proposal(_ file: String, _ platform: PlatformKey?) throws -> (proposed: [String], doubted: [String]) {
        let proposal = TakeoverProposal(of: try JSONReader.read(file), for: platform, settings: settings)
        for doubt in proposal.doubts { #expect(doubt.detail.contains(TakeoverMeaning.path(of: doubt.place))) }
        return (proposal.meanings.map(\.text), proposal.doubts.map { TakeoverMeaning.path(of: $0.place) })
    }

    @Test("Names that speak are proposed")
    func proposes() throws {
        #expect(
            try Self.proposal(
                #"{"maintenance":false,"message":"x","min_version":"1","forceUpdate":false,"other":1,"enabled":true}"#,
                .ios
            ).proposed == [
                "$.maintenance=kill", "$.message=kill.message", "$.min_version=required.minimumVersion",
                "$.forceUpdate=force",
            ]
        )
        #expect(
            try Self.proposal(
                #"{"data":{"iOS":{"minVersion":"1","enabled":true},"android":{"min_build":3}},"maintenance":true}"#,
                nil
            ).proposed == [
                "$.data.iOS.minVersion=ios.required.minimumVersion", "$.data.iOS.enabled=!ios.kill",
                "$.data.android.min_build=android.required.minimumVersion",
            ]
        )
        #expect(try Self.proposal(#"{"a":{"message":{"x":1}}}"#, .ios).proposed == [])
    }

    /// What is proposed for iOS, the values that are only named, and what the gate says if one agrees.
    struct Proposed: Sendable, CustomStringConvertible {
        let file: String
        let meanings: [String]
        var doubts: [String] = []
        var state = GateState.open

        var description: String { file }

        static let all: [Proposed] = [
            // The names around a switch say what it switches.
            Proposed(
                file: #"{"maintenance":{"enabled":false,"message":"Back at nine"}}"#,
                meanings: ["$.maintenance.enabled=kill", "$.maintenance.message=kill.message"]
            ),
            Proposed(
                file: #"{"maintenance":{"active":true,"message":"Back at nine"}}"#,
                meanings: ["$.maintenance.active=kill", "$.maintenance.message=kill.message"],
                state: .blocked
            ),
            Proposed(file: #"{"kill_switch":{"enabled":false}}"#, meanings: ["$.kill_switch.enabled=kill"]),
            // Which of two versions is meant is not for the first one to say.
            Proposed(
                file: #"{"areas":{"north":{"minVersion":"9.0.0"},"south":{"minVersion":"1.0.0"}}}"#,
                meanings: [],
                doubts: ["$.areas.north.minVersion"]
            ),
            Proposed(
                file: #"{"forceUpdate":{"enabled":false,"message":"Update"}}"#,
                meanings: ["$.forceUpdate.enabled=force", "$.forceUpdate.message=force.message"]
            ),
            Proposed(
                file: #"{"forceUpdate":{"enabled":false,"minVersion":"2.0.0","message":"Update"}}"#,
                meanings: [
                    "$.forceUpdate.enabled=required", "$.forceUpdate.minVersion=required.minimumVersion",
                    "$.forceUpdate.message=required.message",
                ]
            ),
            Proposed(
                file: #"{"update":{"enabled":true,"minimum":"2.0.0","latest":"3.0.0"}}"#,
                meanings: [
                    "$.update.enabled=required", "$.update.minimum=required.minimumVersion", "$.update.latest=optional.optionalVersion",
                ],
                state: .updateRequired
            ),
            Proposed(
                file: #"{"softUpdate":{"enabled":false,"minVersion":"3.0"}}"#,
                meanings: ["$.softUpdate.enabled=optional", "$.softUpdate.minVersion=optional.optionalVersion"]
            ),
            Proposed(file: #"{"enabled":true,"maintenance":false}"#, meanings: ["$.maintenance=kill"]),
            // Within something else they say nothing about the gate.
            Proposed(file: #"{"ads":{"enabled":false},"maintenance":false}"#, meanings: ["$.maintenance=kill"]),
            Proposed(file: #"{"features":[{"name":"chat","enabled":false}],"maintenance":false}"#, meanings: ["$.maintenance=kill"]),
            Proposed(file: #"{"user":{"blocked":true},"price":{"minimum":5},"features":{"offline":true}}"#, meanings: []),
            Proposed(
                file: #"{"android":{"maintenance":true},"ios":{"maintenance":false}}"#,
                meanings: ["$.ios.maintenance=kill"]
            ),
            // A text alone blocks nobody.
            Proposed(
                file: #"{"minVersion":"1.0.0","latestVersion":"2.0.0","message":"Please update"}"#,
                meanings: ["$.minVersion=required.minimumVersion", "$.latestVersion=optional.optionalVersion"],
                state: .updateRequired
            ),
            Proposed(
                file: #"{"banner":{"text":"Summer sale"},"minVersion":"1.0.0"}"#,
                meanings: ["$.minVersion=required.minimumVersion"],
                state: .updateRequired
            ),
            Proposed(file: #"{"forceMessage":"Update","updateMessage":"Update","reason":"x"}"#, meanings: []),
            // Nor does a switch that has to be turned round for it, or that another contradicts.
            Proposed(file: #"{"enabled":false,"message":"x"}"#, meanings: [], doubts: ["$.enabled"]),
            Proposed(
                file: #"{"areas":{"north":{"maintenance":true},"south":{"maintenance":false}}}"#,
                meanings: [],
                doubts: ["$.areas.north.maintenance"]
            ),
            // What the platform would not accept.
            Proposed(
                file: #"{"maintenance":false,"interval":60000,"message":"hi"}"#,
                meanings: ["$.maintenance=kill", "$.message=kill.message"],
                doubts: ["$.interval"]
            ),
            Proposed(
                file: #"{"maintenance":"none","interval":15}"#,
                meanings: ["$.interval=retryInterval"],
                doubts: ["$.maintenance"]
            ),
            Proposed(file: #"{"minVersion":"1.0-beta","updateMessage":"x"}"#, meanings: [], doubts: ["$.minVersion"]),
            Proposed(file: #"{"minVersion":42}"#, meanings: [], doubts: ["$.minVersion"]),
            Proposed(
                file: #"{"minVersion":"2.0.0","latestVersion":"2.0.0","latestMessage":"x"}"#,
                meanings: ["$.minVersion=required.minimumVersion"],
                doubts: ["$.latestVersion"],
                state: .updateRequired
            ),
            Proposed(
                file: #"{"update":{"enabled":true,"minVersion":"beta"}}"#,
                meanings: [],
                doubts: ["$.update.minVersion", "$.update.enabled"].sorted()
            ),
            Proposed(
                file: #"{"maintenance":true,"message":"   "}"#,
                meanings: ["$.maintenance=kill"],
                doubts: ["$.message"],
                state: .blocked
            ),
        ]
    }

    @Test("Nobody is shut out for a name that can be read in another way", arguments: Proposed.all)
    func proposesNothingThatShutsOut(one: Proposed) throws {
        let (proposed, doubted) = try Self.proposal(one.file, .ios)
        #expect(proposed == one.meanings)
        #expect(doubted.sorted() == one.doubts)
        let takeover = try Takeover(one.file, proposed.map { try TakeoverMeaning($0) }, for: .ios, settings: Self.settings)
        let app = try app(takeover.edits)
        #expect(app.platforms[.ios]?.gate.state == one.state)
        let template = try OwnTemplate(takeover.template, for: .ios, of: Self.settings.keys, withCodes: [.android])
        #expect(String(decoding: try template.render(app.platforms), as: UTF8.self) == one.file)
    }

    /// While an alert is off in the file, the feed is the file, whatever it says of blocking; once it is on, it says whether it blocks.
    @Test(arguments: [("true", "", "false"), ("false", "!", "true"), ("1", "", "0"), (#""YES""#, "", #""NO""#)])
    func blockingStaysWhileTheAlertIsOff(blocks: String, inversion: String, dismissible: String) throws {
        let file = #"{"alert":false,"blocking":\#(blocks),"text":""}"#
        let map = ["$.alert=alert", "$.blocking=\(inversion)alert.blocking", "$.text=alert.message"]
        let takeover = try Takeover(file, map.map { try TakeoverMeaning($0) }, for: .ios, settings: Self.settings)
        let template = try OwnTemplate(takeover.template, for: .ios, of: Self.settings.keys, withCodes: [.android])
        try template.check(acceptingTypeChanges: false)
        var app = try self.app(takeover.edits)
        #expect(String(decoding: try template.render(app.platforms), as: UTF8.self) == file)
        for (isBlocking, spelled) in [(true, blocks), (false, dismissible)] {
            app.platforms[.ios]?.gate.alert = Alert(message: .text("Sale"), blocking: isBlocking)
            let rendered = String(decoding: try template.render(app.platforms), as: UTF8.self)
            #expect(rendered == #"{"alert":true,"blocking":\#(spelled),"text":"Sale"}"#)
        }
    }

    /// What looks like a place or an operator to a template is a text or a name of the file, however either is spelled.
    @Test(
        "What a template would read otherwise is served as the file has it",
        arguments: [
            #"{"maintenance":false,"note":"${state}"}"#, #"{"maintenance":false,"note":"\u0024{state}"}"#,
            #"{"maintenance":false,"note":"$\u007Bstate} $$\u007b \\${ $"}"#, #"{"maintenance":false,"list":["\u0024\u007bstate}"]}"#,
            #"{"maintenance":false,"$y":1,"$$y":2,"$$$y":3,"$-":4,"$$-":5,"$":6,"$$":7}"#,
            #"{"maintenance":false,"\u0024eval":"state","a":{"\u0024\u0024y":"é","$\u0069f":true}}"#,
        ]
    )
    func servesWhatTheFileHas(file: String) throws {
        let takeover = try Takeover(file, [TakeoverMeaning("$.maintenance=kill")], for: .ios, settings: Self.settings)
        let template = try OwnTemplate(takeover.template, for: .ios, of: Self.settings.keys, withCodes: [.android])
        try template.check(acceptingTypeChanges: false)
        let app = try self.app(takeover.edits)
        #expect(String(decoding: try template.render(app.platforms), as: UTF8.self) == file)
    }

    @Test("A text that stands while its rule is off is no place either") func servesTextsOfRulesThatAreOff() throws {
        let file = #"{"maintenance":false,"message":"\u0024{state}","store":"$\u007bstate}"}"#
        let map = ["$.maintenance=kill", "$.message=kill.message", "$.store=storeURL"]
        let takeover = try Takeover(file, map.map { try TakeoverMeaning($0) }, for: .ios, settings: Self.settings)
        let template = try OwnTemplate(takeover.template, for: .ios, of: Self.settings.keys, withCodes: [.android])
        var app = try self.app(takeover.edits)
        app.platforms[.ios]?.settings.storeURL = nil
        #expect(String(decoding: try template.render(app.platforms), as: UTF8.self) == file)
    }

    /// A message is kept composed, so that of a file with decomposed characters is another text to whoever remembers it.
    @Test("What differs only in how characters are composed is a difference") func tellsCompositionsApart() throws {
        let file = "{\"maintenance\":true,\"message\":\"Cafe\u{301} closed\"}"
        let map = ["$.maintenance=kill", "$.message=kill.message"]
        let takeover = try Takeover(file, map.map { try TakeoverMeaning($0) }, for: .ios, settings: Self.settings)
        let feed = try OwnFeed(name: #require(OwnFeedName("status")), platform: .ios, template: takeover.template)
        let proof = try takeover.proof(of: feed, in: app(takeover.edits))
        #expect(proof.match == .different)
        #expect(proof.comparison.differences.map(\.path) == ["$.message"])
    }

    @Test(
        "Documents are compared by their characters",
        arguments: [
            (#"{"a":"é"}"#, "{\"a\":\"e\u{301}\"}", ["/a"]), (#"{"a":["é",1]}"#, "{\"a\":[\"e\u{301}\",1]}", ["/a/0"]),
            (#"{"é":1}"#, "{\"e\u{301}\":1}", ["/é", "/e\u{301}"]),
            ("{\"é\":1,\"e\u{301}\":2}", "{\"e\u{301}\":2,\"é\":1}", []),
            ("{\"é\":1,\"e\u{301}\":2}", "{\"e\u{301}\":1,\"é\":2}", ["/é", "/e\u{301}"]),
            (#"{"a":"é"}"#, #"{"a":"\u00e9"}"#, []), (#"{"a":{"b":1,"c":2}}"#, #"{"a":{"c":2,"b":1}}"#, []),
        ] as [(String, String, [String])]
    )
    func differences(one: String, other: String, places: [String]) throws {
        let found = DocumentDifference.places(try JSONReader.read(one), try JSONReader.read(other))
        #expect(found.map { Array($0.utf8) } == places.map { Array($0.utf8) })
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
