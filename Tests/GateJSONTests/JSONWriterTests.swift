import GateJSON
import Testing

@Suite struct JSONWriterTests {
    @Test(arguments: [
        #"{"b":1,"a":[true,false,null,-1.50e3],"c":{"d":""}}"#, #""\"\\\n\r\t\u0000\u001f/<>&é😀""#, "[]", "{}", "1E400",
        "\"\u{7F}\u{2028}\"",
    ])
    func compactTextComesBackByteForByte(text: String) throws {
        #expect(try JSONReader.read(text).text == text)
    }

    @Test func indentedTextIsTheSameValueForPeople() throws {
        let text = #"{"a":{},"b":[],"c":[1,"x"],"d":[{"e":null},[]],"f":{"g":"\"\n"}}"#
        let value = try JSONReader.read(text)
        let indented = value.indented
        #expect(
            indented == #"""
                {
                  "a": {},
                  "b": [],
                  "c": [1, "x"],
                  "d": [
                    {
                      "e": null
                    },
                    []
                  ],
                  "f": {
                    "g": "\"\n"
                  }
                }
                """#
        )
        #expect(try JSONReader.read(indented).text == text)
    }

    @Test func sortedOrdersEveryObjectByBytes() throws {
        let value = try JSONReader.read(#"{"b":{"z":1,"Z":2},"a":[{"y":1,"x":2}],"é":0,"z":0}"#)
        #expect(value.sorted.text == #"{"a":[{"x":2,"y":1}],"b":{"Z":2,"z":1},"z":0,"é":0}"#)
    }

    /// However large it is, a sentence shows the beginning of it.
    @Test(arguments: [
        ("shop", #""shop""#), ("a\u{1}\"b", #""a\u0001\"b""#),
        (String(repeating: "x", count: 81), "\"\(String(repeating: "x", count: 80))\""),
        ("e" + String(repeating: "\u{301}", count: 400), "\"e\(String(repeating: "\u{301}", count: 79))\""),
    ])
    func aTextIsQuotedByItsScalars(text: String, quoted: String) {
        // Compared byte by byte, because two spellings of one character are equal as texts.
        #expect(Array(JSONValue.quoted(text).utf8) == Array(quoted.utf8))
    }

    @Test func objectsAreEqualWhateverTheirOrder() throws {
        let one = try JSONReader.read(#"{"a":1,"b":2}"#)
        #expect(one == (try JSONReader.read(#"{"b":2,"a":1}"#)))
        #expect(one.hashValue == (try JSONReader.read(#"{"b":2,"a":1}"#)).hashValue)
        #expect(one != (try JSONReader.read(#"{"a":1}"#)))
        #expect(one != (try JSONReader.read(#"{"a":1,"b":2.0}"#)))
    }

    /// A set of rules' texts, of which all have the same names, is to find one at once.
    @Test func objectsThatDifferInAValueHaveOtherHashes() {
        let hashes = Set((0..<100).map { number in JSONValue.object(["message": .object(["default": .integer(number)])]).hashValue })
        #expect(hashes.count > 90)
    }

    @Test func settingAMemberKeepsItsPlaceAndNilRemovesIt() {
        var object: JSONObject = ["a": 1.json, "b": 2.json]
        object["a"] = 3.json
        object["c"] = 4.json
        #expect(JSONValue.object(object).text == #"{"a":3,"b":2,"c":4}"#)
        object["b"] = nil
        #expect(object.names == ["a", "c"])
    }
}

extension Int {
    fileprivate var json: JSONValue { .integer(self) }
}
