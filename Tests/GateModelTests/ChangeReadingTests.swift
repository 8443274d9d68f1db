import GateJSON
import GateModel
import Testing

@Suite struct ChangeReadingTests {
    private static let change =
        #"{"sequence":1042,"at":"2026-04-02T09:32:14.001Z","actor":{"kind":"token","name":"ci","id":"k7Fq2Zx1","user":"ann"},"source":"api","kind":"settings","reason":null,"requestId":"r1","app":"shop","targets":[{"app":"shop","platform":"ios","previous":41,"revision":42,"before":{},"after":{"killSwitch":{"message":"a","retryInterval":30}},"settings":{"before":null,"after":{"versionScheme":"dotted","storeURL":null,"releases":["1.0"],"defaultRetryInterval":15,"clients":null}},"feeds":{"bellerophon":"00ff"}}]}"#

    private static let plan =
        #"{"tier":2,"confirm":"shop/ios","reasonRequired":true,"diff":[{"app":"shop","platform":"ios","field":"alert.blocking","before":null,"after":true}],"effects":[{"app":"shop","platform":"ios","client":"launchgate","versions":["9.9.0"],"before":"nothing","after":"nothing","meant":"required","detail":"d"}],"warnings":[{"code":"text_order","detail":"d","versions":["1.9"]}]}"#

    @Test func documentsComeBackByteForByte() throws {
        #expect(try Change(json: JSONReader.read(Self.change)).json.text == Self.change)
        #expect(try Plan(json: JSONReader.read(Self.plan)).json.text == Self.plan)
    }

    /// A server of tomorrow answers a client of today.
    @Test func membersThatALaterServerAddsAreLeftOut() throws {
        var text = Self.change.replacing("\"requestId\"", with: "\"colour\":\"red\",\"requestId\"")
        text = text.replacing("\"retryInterval\":30", with: "\"retryInterval\":30,\"mood\":\"good\"")
        text = text.replacing("\"before\":{}", with: "\"before\":{\"banner\":{\"message\":\"x\"}}")
        text = text.replacing("\"releases\":[\"1.0\"]", with: "\"releases\":[\"1.0\"],\"channel\":\"beta\"")
        text = text.replacing("\"bellerophon\":\"00ff\"", with: "\"bellerophon\":\"00ff\",\"ofrep\":\"11\"")
        #expect(text != Self.change)
        #expect(try Change(json: JSONReader.read(text)).json.text == Self.change)
    }

    /// The gap that a restore leaves, and what cannot be read any more, are told by however little of the change is shown.
    @Test func aChangeThatIsCutKeepsWhatIsNotAboutATarget() throws {
        let text = Self.change.replacing(
            #""targets":["#,
            with: #""skipped":{"from":1040,"to":1041},"unreadable":"One row.","targets":["#
        )
        let change = try Change(json: JSONReader.read(text))
        let cut = change.fitting(1)
        #expect(cut.omitted == 1)
        #expect(cut.previousSequence == 1039)
        #expect(cut.fault == "One row.")
        #expect(change.naming([], app: nil).previousSequence == 1039)
    }

    @Test func unknownTierIsTheWorst() throws {
        #expect(try Plan(json: JSONReader.read(Self.plan.replacing("\"tier\":2", with: "\"tier\":9"))).tier == .many)
    }

    /// Rows that speak of what only a newer server knows are counted and not shown.
    @Test(arguments: ["client", "before", "after", "meant"]) func effectsOfALaterServerCountAsLeftOut(member: String) throws {
        let strange =
            #"{"app":"shop","platform":"ios","client":"launchgate","versions":["9.9.0"],"before":"nothing","after":"nothing","meant":"required","detail":"d"}"#
            .replacing(try Regex("\"\(member)\":\"[a-z]+\""), with: "\"\(member)\":\"hologram\"")
        let plan = try Plan(json: JSONReader.read(Self.plan.replacing("\"effects\":[", with: "\"effects\":[\(strange),")))
        #expect(plan.effects.count == 1)
        #expect(plan.omitted?.effects == 1)
    }

    @Test(arguments: [(#"["launchgate","gatekit9"]"#, [ClientLibrary.launchgate]), (#"["gatekit9"]"#, nil)])
    func librariesThatALaterServerKnowsAreLeftOut(clients: String, read: [ClientLibrary]?) throws {
        let change = try Change(json: JSONReader.read(Self.change.replacing(#""clients":null"#, with: #""clients":"# + clients)))
        #expect(change.targets[0].settings?.after?.clients == read)
    }

    @Test(arguments: [
        (#""sequence":1042"#, #""sequence":"1042""#, "/sequence"), (#""at":"2026-04-02T09:32:14.001Z""#, #""at":"yesterday""#, "/at"),
        (#""source":"api""#, #""source":"fax""#, "/source"), (#""kind":"settings""#, #""kind":"whim""#, "/kind"),
        (#""kind":"token""#, #""kind":"ghost""#, "/actor/kind"),
        (#""platform":"ios""#, #""platform":"ios2""#, "/targets/0/platform"),
        (#""revision":42"#, #""revision":null"#, "/targets/0/revision"),
        (#""after":{"killSwitch""#, #""after":{"killSwitch":{"message":""},"x""#, "/targets/0/after/killSwitch/message"),
        (#""defaultRetryInterval":15"#, #""defaultRetryInterval":0"#, "/targets/0/settings/after/defaultRetryInterval"),
    ])
    func whatCannotBeReadNamesItsField(part: String, replacement: String, field: String) throws {
        let text = Self.change.replacing(part, with: replacement)
        try #require(text != Self.change)
        #expect { try Change(json: JSONReader.read(text)) } throws: { ($0 as? ModelError)?.field == field }
    }
}
