import GateJSON
import GateModel
import Testing

@Suite struct ActorTests {
    /// What was written before identifiers were kept has neither, and stays byte for byte what it was.
    @Test(arguments: [
        #"{"kind":"user","name":"ann"}"#, #"{"kind":"user","name":"ann","id":"3"}"#, #"{"kind":"token","name":"check","id":"k7Fq2Zx1"}"#,
        #"{"kind":"token","name":"check","id":"k7Fq2Zx1","user":"ann"}"#, #"{"kind":"system","name":"schedule"}"#,
    ])
    func theDocumentComesBackByteForByte(text: String) throws {
        #expect(try Actor(json: JSONReader.read(text)).json.text == text)
    }

    @Test func twoTokensOfOneNameAreTwoActors() {
        let (one, two) = (Actor(kind: .token, name: "check", id: "one"), Actor(kind: .token, name: "check", id: "two"))
        #expect(one != two)
    }

    @Test func aTokenAnswersToItsOwnNameAndToItsOwners() {
        let token = Actor(kind: .token, name: "check", id: "one", user: "ann")
        #expect(token.answers(to: "check"))
        #expect(token.answers(to: "ann"))
        #expect(!token.answers(to: "one"))
        #expect(token.inWords == "ann (check)")
        let person = Actor(kind: .user, name: "ann", id: "1")
        #expect(person.answers(to: "ann"))
        #expect(!person.answers(to: "1"))
        #expect(person.inWords == "ann")
        #expect(Actor(kind: .token, name: "check", id: "two").inWords == "check")
    }

    @Test(arguments: [
        (#"{"kind":"ghost","name":"a"}"#, "/kind"), (#"{"kind":"user","name":"a","id":3}"#, "/id"),
        (#"{"kind":"user","name":"a","user":[]}"#, "/user"),
    ])
    func whatCannotBeReadNamesItsField(text: String, field: String) {
        #expect { try Actor(json: JSONReader.read(text)) } throws: { ($0 as? ModelError)?.field == field }
    }
}
