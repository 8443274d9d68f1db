import GateFeeds
import GateJSON
import GateModel
import Testing

@Suite("Templates of own shapes")
struct OwnTemplateTests {
    /// Everything on, with texts in two languages.
    static let full = """
        {"killSwitch":{"message":{"default":"Back soon.","de":"Gleich wieder da.","pt-BR":"Já voltamos."},"retryInterval":30,
          "until":"2026-04-02T09:32:14.000Z"},
         "forceUpdate":{"message":"Force."},"requiredUpdate":{"minimumVersion":"4.1.0","blockedVersions":["4.1.1"],"message":"Require \\"it\\"."},
         "optionalUpdate":{"optionalVersion":"4.3.0","message":"Offer."},"alert":{"message":"Slow.","blocking":true}}
        """

    static func rendered(_ template: String, _ gate: String = "{}", storeURL: String? = nil) throws -> String {
        var settings = SampleApp.settings(.ios)
        settings.storeURL = storeURL
        let target = SampleApp.target(.ios, try SampleApp.gate(gate, settings), settings: settings)
        let template = try OwnTemplate(template, for: .ios, of: [.ios])
        return String(decoding: try template.render([.ios: target]), as: UTF8.self)
    }

    @Test(
        "A place is filled from the gate",
        arguments: [
            (#"{"a":{"$eval":"kill.message"}}"#, full, #"{"a":"Back soon."}"#),
            (#"{"a":{"$eval":"kill.messages.de"}}"#, full, #"{"a":"Gleich wieder da."}"#),
            (#"{"a":{"$eval":"kill.messages['pt-BR']"}}"#, full, #"{"a":"Já voltamos."}"#),
            (#"{"a":{"$eval":"kill.messages[\"de-AT\"]"}}"#, full, #"{"a":"Gleich wieder da."}"#),
            (#"{"a":{"$eval":"kill.messages.fr"}}"#, full, #"{"a":"Back soon."}"#),
            (#"{"a":{"$eval":"kill.messages.default"}}"#, full, #"{"a":"Back soon."}"#),
            (#"{"a":{"$eval":"kill.retryInterval"}}"#, full, #"{"a":30}"#),
            (#"{"a":{"$eval":"kill.until"}}"#, full, #"{"a":"2026-04-02T09:32:14.000Z"}"#),
            (#"{"a":{"$eval":"required.minimumVersion"}}"#, full, #"{"a":"4.1.0"}"#),
            (#"{"a":{"$eval":"required.blockedVersions"}}"#, full, #"{"a":["4.1.1"]}"#),
            (#"{"a":{"$eval":"required.message"}}"#, full, #"{"a":"Require \"it\"."}"#),
            (#"{"a":{"$eval":"optional.optionalVersion"}}"#, full, #"{"a":"4.3.0"}"#),
            (#"{"a":{"$eval":"alert"}}"#, full, #"{"a":{"message":"Slow.","blocking":true}}"#),
            (#"{"a":{"$eval":"kill"}}"#, "{}", #"{"a":null}"#),
            (
                #"{"a":{"$eval":"blocked"},"b":{"$eval":"state"},"c":{"$eval":"message"}}"#, full,
                #"{"a":true,"b":"blocked","c":"Back soon."}"#
            ),
            (#"{"a":{"$eval":"blocked"},"b":{"$eval":"state"},"c":{"$eval":"message"}}"#, "{}", #"{"a":false,"b":"open","c":null}"#),
            (
                #"{"a":{"$eval":"blocked"},"b":{"$eval":"state"},"c":{"$eval":"message"}}"#,
                #"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"Update."},"alert":{"message":"Closed.","blocking":true}}"#,
                #"{"a":true,"b":"blocked","c":"Closed."}"#
            ),
            (
                #"{"b":{"$eval":"state"},"c":{"$eval":"message"}}"#,
                #"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"Update."},"alert":{"message":"Slow.","blocking":false}}"#,
                #"{"b":"updateRequired","c":"Update."}"#
            ),
            (#"{"a":{"$eval":"retryInterval"},"b":{"$eval":"sequence"},"c":{"$eval":"storeURL"}}"#, "{}", #"{"a":15,"b":1042,"c":null}"#),
            (#"{"a":{"$eval":"retryInterval"}}"#, full, #"{"a":30}"#),
            (#"{"a":"${kill.message} (${retryInterval} s, ${blocked})"}"#, full, #"{"a":"Back soon. (30 s, true)"}"#),
            (#"{"a":"<${required.message}>"}"#, full, #"{"a":"<Require \"it\".>"}"#),
            (#"{"a":"x${message}y"}"#, "{}", #"{"a":"xy"}"#),
            (#"{"a":"${ state == \"blocked\" }"}"#, full, #"{"a":"true"}"#),
            (#"{"a":"${'}'}"}"#, full, #"{"a":"}"}"#),
            (
                #"{"a":"$${kill}","$$eval":1,"b":"$5 $ $$ {}","$$$x":2,"$ref-x":3}"#, "{}",
                #"{"a":"${kill}","$eval":1,"b":"$5 $ $$ {}","$$x":2,"$ref-x":3}"#
            ),
            (#"{"a":{"$if":"kill","then":1,"else":0}}"#, full, #"{"a":1}"#),
            (#"{"a":{"$if":"kill","then":1,"else":0}}"#, "{}", #"{"a":0}"#),
            (#"{"a":{"else":0,"$if":"kill","then":1}}"#, "{}", #"{"a":0}"#),
            (#"{"a":{"$if":"required.blockedVersions","then":1,"else":0}}"#, full, #"{"a":1}"#),
            (#"[{"$if":"kill","then":1},2,{"$if":"kill","then":3}]"#, full, "[1,2,3]"),
            (#"[{"$if":"kill","then":1},2,{"$if":"kill","then":3}]"#, "{}", "[2]"), (#"[ {"$if":"kill","then":1} ]"#, "{}", "[]"),
            (#"{"a":{"$eval":"!kill && (alert == null || alert.blocking)"}}"#, "{}", #"{"a":true}"#),
            (
                #"{"a":{"$eval":"kill == null"},"b":{"$eval":"kill != null"},"c":{"$eval":"1 == 1.0"},"d":{"$eval":"'a' == 1"}}"#, full,
                #"{"a":false,"b":true,"c":true,"d":false}"#
            ),
            (
                #"{"a":{"$eval":"1.50"},"b":{"$eval":"-2"},"c":{"$eval":"'x'"},"d":{"$eval":"null"}}"#, "{}",
                #"{"a":1.50,"b":-2,"c":"x","d":null}"#
            ),
        ]
    ) func fills(template: String, gate: String, document: String) throws {
        #expect(try Self.rendered(template, gate) == document)
    }

    @Test("Order, spelling of numbers and texts, and white space stay as they are")
    func keepsSpelling() throws {
        let template =
            "\n{\n\t\"z\" : 1.0e+2 ,\r\n  \"a\": [ 1, -0 ],\n  \"u\": \"\\u00e9\\/ ${kill.message}\\n\",\n  \"k\": {\"$eval\" : \"blocked\"},\n  \"end\": {}\n}\n"
        let document =
            "\n{\n\t\"z\" : 1.0e+2 ,\r\n  \"a\": [ 1, -0 ],\n  \"u\": \"\\u00e9\\/ Back soon.\\n\",\n  \"k\": true,\n  \"end\": {}\n}\n"
        #expect(try Self.rendered(template, Self.full) == document)
    }

    @Test("A member that is not there leaves no trace")
    func leavesNoTrace() throws {
        let template = """
            {
              "first": {"$if":"kill","then":1},
              "second": 2,
              "last": {"$if":"kill","then":3}
            }
            """
        #expect(try Self.rendered(template) == "{\n  \"second\": 2\n}")
        #expect(try Self.rendered(template, Self.full) == "{\n  \"first\": 1,\n  \"second\": 2,\n  \"last\": 3\n}")
    }

    @Test("A feed of the whole app names platforms")
    func namesPlatforms() throws {
        let tv = PlatformKey("my-tv")!
        let killed = try SampleApp.gate(#"{"killSwitch":{"message":"Off."}}"#, SampleApp.settings(tv))
        let app = SampleApp.app(SampleApp.target(.ios), SampleApp.target(tv, killed))
        let text = #"{"i":{"$eval":"ios.blocked"},"t":{"$eval":"platforms[\"my-tv\"].blocked"},"m":"${platforms['my-tv'].kill.message}"}"#
        let template = try OwnTemplate(text, for: nil, of: app.platformKeys)
        #expect(String(decoding: try template.render(app.platforms), as: UTF8.self) == #"{"i":false,"t":true,"m":"Off."}"#)
        #expect(template.platformsUsed == [.ios, tv])
        #expect(throws: TemplateRefusal.self) { try template.render([.ios: SampleApp.target(.ios)]) }
    }

    @Test(
        "What is no template is refused with the place and the remedy",
        arguments: [
            ("{", "", "not JSON"), ("1", "", "an object or an array"),
            (#"{"a":{"$map":[],"each(x)":1}}"#, "/a/$map", "$map is an operator of JSON-e"),
            (#"{"a":[{"$let":{},"in":1}]}"#, "/a/0/$let", "no loops and no functions"), (#"{"$schema":1}"#, "/$schema", "\"$$schema\""),
            (#"{"${kill.message}":1}"#, "/${kill.message}", "A name is a constant"),
            (#"{"a":{"$eval":"kill","b":1}}"#, "/a", "Beside $eval nothing may stand"),
            (#"{"a":{"$if":"kill","then":1,"b":1}}"#, "/a", "only then and else"), (#"{"a":{"$if":"kill"}}"#, "/a", "needs \"then\""),
            (#"{"a":{"$eval":1}}"#, "/a/$eval", "an expression as a text"), (#"{"a":"${kill"}"#, "/a", "not closed"),
            (#"{"a":{"$eval":""}}"#, "/a/$eval", "is empty"), (#"{"a":{"$eval":"kil"}}"#, "/a/$eval", "no value \"kil\""),
            (#"{"a":{"$eval":"kill.text"}}"#, "/a/$eval", "kill has no member \"text\""),
            (#"{"a":{"$eval":"kill.message.de"}}"#, "/a/$eval", "too deep"),
            (#"{"a":{"$eval":"kill.messages"}}"#, "/a/$eval", "needs a language"),
            (#"{"a":{"$eval":"kill.messages.x9"}}"#, "/a/$eval", "needs a language"),
            (#"{"a":{"$eval":"lowercase(kill.message)"}}"#, "/a/$eval", "no functions"),
            (#"{"a":{"$eval":"sequence + 1"}}"#, "/a/$eval", "+ cannot be part"),
            (#"{"a":{"$eval":"kill.message == 'x'"}}"#, "/a/$eval", "only with null"),
            (#"{"a":{"$eval":"sequence == 1"}}"#, "/a/$eval", "only with null"),
            (#"{"a":{"$eval":"kill = null"}}"#, "/a/$eval", "= cannot be part"),
            (#"{"a":{"$eval":"kill kill"}}"#, "/a/$eval", "not expected"),
            (#"{"a":{"$eval":"(kill"}}"#, "/a/$eval", "not closed"), (#"{"a":{"$eval":"'kill"}}"#, "/a/$eval", "does not end"),
            (#"{"a":{"$eval":"required.blockedVersions[0]"}}"#, "/a/$eval", "a name in quotes"),
            (#"{"a":{"$eval":"01"}}"#, "/a/$eval", "not a number"),
            (#"{"a":{"$eval":"kill."}}"#, "/a/$eval", "name must follow"),
            (#"{"a":{"$eval":"true == true == true"}}"#, "/a/$eval", "parentheses"),
            (
                "{\"a\":{\"$eval\":\"" + String(repeating: "(", count: 40) + "kill" + String(repeating: ")", count: 40) + "\"}}",
                "/a/$eval", "parentheses deep"
            ),
            ("{\"a\":{\"$eval\":\"" + String(repeating: "!", count: 40) + "kill\"}}", "/a/$eval", "inside one another"),
            ("{\"a\":{\"$eval\":\"" + String(repeating: " ", count: 600) + "kill\"}}", "/a/$eval", "at most 512 bytes"),
            (String(repeating: "[", count: 17) + String(repeating: "]", count: 17), "", "deeper than 16"),
            ("{\"a\":\"" + String(repeating: "x", count: 32_768) + "\"}", "", "at most 32768 bytes"),
            ("[" + Array(repeating: #""${blocked}""#, count: 501).joined(separator: ",") + "]", "/500", "at most 500 places"),
        ]
    ) func refuses(template: String, place: String, words: String) {
        do {
            _ = try OwnTemplate(template, for: .ios, of: [.ios])
            Issue.record("taken: \(template.prefix(80))")
        } catch {
            #expect(error.place == place)
            #expect(error.detail.contains(words), "\(error.detail)")
        }
    }

    @Test(
        "A template is held to its word in every state",
        arguments: [
            (#"{"a":{"$eval":"kill.message"}}"#, "template_fails", "/a", "while kill is off"),
            (#"{"a":{"$if":"alert","then":{"$eval":"kill.message"},"else":""}}"#, "template_fails", "/a", "kill is off and alert is on"),
            (#"{"a":"${force.message}"}"#, "template_fails", "/a", "{\"$if\":\"force\""),
            (#"{"a":"${alert}"}"#, "invalid_template", "/a", "an object into a text"),
            (#"{"a":{"$eval":"message"}}"#, "type_changes", "/a", "null when kill is off"),
            (#"{"a":{"$eval":"storeURL"}}"#, "type_changes", "/a", "storeURL is null"),
            (#"{"a":{"$eval":"alert"}}"#, "type_changes", "/a", "an object when alert is on"),
            (#"{"a":{"$if":"kill","then":1}}"#, "type_changes", "/a", "missing when kill is off"),
            (#"{"a":{"$if":"kill","then":1,"else":"x"}}"#, "mixed_types", "/a", "a number when kill is on, and a string when kill is off"),
            (#"{"a":{"$if":"kill","then":{"b":1,"c":{"d":true}},"else":{"b":1,"c":{"d":0}}}}"#, "mixed_types", "/a/c/d", "a boolean when"),
            (#"{"a":{"$if":"kill","then":{"b":1},"else":{}}}"#, "type_changes", "/a/b", "missing when kill is off"),
            (#"{"a":{"$if":"kill","then":[1,2],"else":["x"]}}"#, "mixed_types", "/a/-", "a number when"),
            (#"{"a":[{"$if":"kill","then":1},"x"]}"#, "mixed_types", "/a/-", "a number when"),
            (#"{"a":{"$if":"kill.until","then":1,"else":2}}"#, "template_fails", "/a", "while kill is off"),
            (
                #"{"a":{"$if":"alert && alert.blocking","then":1,"else":{"$if":"alert.blocking","then":1,"else":2}}}"#, "template_fails",
                "/a", "alert is off"
            ),
            (#"{"$if":"kill","then":{}}"#, "template_fails", "", "no document at all"),
            (#"{"$if":"kill","then":{},"else":1}"#, "mixed_types", "", "an object or an array in every state"),
            ("{\"a\":\"" + String(repeating: "${message}", count: 17) + "\"}", "template_too_large", "", "Name fewer texts"),
        ]
    ) func holdsToItsWord(template: String, code: String, place: String, words: String) throws {
        let read = try OwnTemplate(template, for: .ios, of: [.ios])
        let error = try #require(throws: TemplateRefusal.self) { try read.check(acceptingTypeChanges: false) }
        #expect(error.code == code)
        #expect(error.place == place)
        #expect(error.detail.contains(words), "\(error.detail)")
        if error.isOverridable {
            try read.check(acceptingTypeChanges: true)
        } else {
            #expect(throws: TemplateRefusal.self) { try read.check(acceptingTypeChanges: true) }
        }
    }

    @Test(
        "What is right in every state is taken",
        arguments: [
            #"{"a":{"$if":"kill","then":{"$eval":"kill.message"},"else":""},"b":{"$eval":"blocked"}}"#,
            #"{"a":{"$if":"message","then":{"$eval":"message"},"else":""}}"#,
            #"{"a":{"$if":"message != null","then":"${message}","else":"x"}}"#,
            #"{"a":{"$if":"kill != null && kill.until != null","then":{"$eval":"kill.until"},"else":""}}"#,
            #"{"a":{"$if":"!kill || kill.retryInterval","then":"x","else":1}}"#,
            #"{"list":[{"$if":"kill","then":{"t":{"$eval":"kill.message"}}},{"$if":"alert","then":{"t":{"$eval":"alert.message"}}}]}"#,
            #"{"a":{"$if":"state == 'blocked'","then":1,"else":0},"n":null,"x":[1,"x",null,{}]}"#,
            #"{"a":{"$if":"required","then":{"$eval":"required.minimumVersion"},"else":"0.0.0"}}"#, "[]", "{}",
        ]
    ) func takes(template: String) throws {
        try OwnTemplate(template, for: .ios, of: [.ios]).check(acceptingTypeChanges: false)
    }

    @Test("Conditions of several platforms are looked at together where they stand together, and nowhere else")
    func platformsTogether() throws {
        let platforms = (1...20).compactMap { PlatformKey("p\($0)") }
        func read(_ text: String) throws -> OwnTemplate { try OwnTemplate(text, for: nil, of: platforms) }
        // Twenty platforms by themselves cost what twenty single ones do.
        let each = platforms.map { key in
            #""\#(key)":{"$if":"\#(key).required","then":{"$eval":"\#(key).required.minimumVersion"},"else":""}"#
        }.joined(separator: ",")
        try read("{\(each)}").check(acceptingTypeChanges: false)
        try read(#"{"a":{"$eval":"p1.kill || p2.kill || p3.blocked"}}"#).check(acceptingTypeChanges: false)
        let mixed = #"{"a":{"$if":"p1.kill","then":{"$if":"p2.kill","then":1,"else":"x"},"else":"y"}}"#
        let error = try #require(throws: TemplateRefusal.self) { try read(mixed).check(acceptingTypeChanges: false) }
        #expect(error.detail.contains("p1.kill is on and p2.kill is on"))
        let all = platforms.map { "\($0).kill" }.joined(separator: " || ")
        let many = try #require(throws: TemplateRefusal.self) { try read(#"{"a":{"$eval":"\#(all)"}}"#).check(acceptingTypeChanges: false) }
        #expect(many.code == "template_too_large")
    }
}
