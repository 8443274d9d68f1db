import GateJSON
import GateModel
import Testing

@Suite struct MessageTests {
    private func read(_ json: String) throws -> Message { try Message(json: JSONReader.read(json), field: "/message") }

    @Test func stringStaysAString() throws {
        let message = try read(#"" Hello ""#)
        #expect(message == .text("Hello"))
        #expect(message.json.text == #""Hello""#)
        #expect(message.defaultText == "Hello")
    }

    @Test func languagesComeBackSortedWithTheirDefault() throws {
        let message = try read(#"{"pt-BR":"Olá","default":"Hello","de":"Hallo"}"#)
        #expect(message.json.text == #"{"de":"Hallo","default":"Hello","pt-BR":"Olá"}"#)
        #expect(message.defaultText == "Hello")
    }

    @Test(arguments: [
        (#"{"de":"Hallo"}"#, "invalid_message", "/message"), (#"{}"#, "invalid_message", "/message"),
        (#"{"default":""}"#, "invalid_message", "/message/default"),
        (#"{"default":"a","d":"b"}"#, "invalid_language", "/message/d"),
        (#"{"default":"a","de_DE":"b"}"#, "invalid_language", "/message/de_DE"),
        (#"{"default":"a","de-":"b"}"#, "invalid_language", "/message/de-"), (#"{"default":"a","":"b"}"#, "invalid_language", "/message/"),
        (#"{"default":"a","de":"b","DE":"c"}"#, "invalid_language", "/message/DE"),
        (#"{"default":"a","a/b":"b"}"#, "invalid_language", "/message/a~1b"),
        (#"{"default":"a","de":1}"#, "malformed", "/message/de"), ("1", "malformed", "/message"), ("null", "malformed", "/message"),
        (#"["a"]"#, "malformed", "/message"), (#""""#, "invalid_message", "/message"),
    ])
    func otherMessagesAreRefusedByField(json: String, code: String, field: String) {
        #expect { try read(json) } throws: { error in
            let error = error as? ModelError
            return error?.code == code && error?.field == field
        }
    }
}
