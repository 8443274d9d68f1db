import GateJSON
import Testing

@Suite struct JSONReaderTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "12", "-1.5e+10", "1E5", "\"\"", "\"a\"", "[]", "{}", "[1,[2],{\"a\":null}]",
        " \t\r\n{ \"a\" : [ 1 , 2 ] } \n",
        #""\"\\\/\b\f\n\r\t\u0041\ud83d\ude00""#, "\"\u{7F}é😀\"",
    ])
    func strictJSONIsRead(text: String) throws {
        _ = try JSONReader.read(text)
    }

    @Test(arguments: [
        ("", "ends where a value", 0), ("  ", "ends where a value", 2), ("{", "member name", 1), ("{\"a\"", "expected :", 4),
        ("{\"a\":1", "expected , or }", 6),
        ("{\"a\":1,}", "member name", 7), ("[1,]", "no JSON value", 3), ("[1 2]", "expected , or ]", 3), ("{a:1}", "member name", 1),
        ("{'a':1}", "member name", 1),
        ("// no\n{}", "comments", 0), ("{}x", "after the end", 2), ("{} {}", "after the end", 3), ("nul", "expected null", 3),
        ("True", "no JSON value", 0),
        ("01", "leading zero", 1), ("+1", "no JSON value", 0), (".5", "no JSON value", 0), ("1.", "expected a digit", 2),
        ("1e", "expected a digit", 2),
        ("-", "expected a digit", 1), ("NaN", "no JSON value", 0), ("\"a", "inside a string", 2), ("\"\n\"", "control character", 2),
        ("\"\\x\"", "no JSON escape", 3),
        ("\"\\u12G4\"", "four hexadecimal", 5), ("\u{FEFF}{}", "byte order mark", 0), ("\u{A0}1", "no JSON value", 0),
    ])
    func otherTextIsRefusedWithTheByteWhereReadingStopped(text: String, reason: String, offset: Int) {
        #expect { try JSONReader.read(text) } throws: { error in
            guard let error = error as? JSONError else { return false }
            return error.reason.contains(reason) && error.offset == offset
        }
    }

    @Test(arguments: [#"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#, #"{"x":{"a":1,"b":2,"a":3}}"#])
    func sameNameTwiceIsRefused(text: String) {
        #expect { try JSONReader.read(text) } throws: { ($0 as? JSONError)?.reason.contains("twice") == true }
    }

    /// Few names are compared with each other, many are hashed: whichever is repeated, and wherever, is seen.
    @Test(arguments: [2, 15, 16, 17, 18, 40])
    func anyNameOfManyIsRefusedTheSecondTime(count: Int) throws {
        let members = (0..<count).map { "\"name-\($0)\":\($0)" }
        #expect(try JSONReader.read("{\(members.joined(separator: ","))}").object?.names.count == count)
        for repeated in 0..<count {
            let text = "{\((members + ["\"name-\(repeated)\":0"]).joined(separator: ","))}"
            let reason = "the name \"name-\(repeated)\" appears twice in one object"
            #expect { try JSONReader.read(text) } throws: { ($0 as? JSONError)?.reason == reason }
        }
        // Composed and decomposed are two names among many too.
        let composed = try JSONReader.read("{\((members + ["\"\u{E9}\":1", "\"e\u{301}\":2"]).joined(separator: ","))}")
        #expect(composed.object?.names.count == count + 2)
    }

    @Test(arguments: [
        (#""plain""#, "plain"), (#""\n""#, "\n"), (#""a\nb""#, "a\nb"), (#""\u00e9a\\é😀\"""#, "éa\\é😀\""), (#""é\t\t😀""#, "é\t\t😀"),
        (#""a\u0041""#, "aA"),
    ])
    func escapesStandAmongPlainText(text: String, read: String) throws {
        let value = try JSONReader.read(text)
        #expect(value.string.map { Array($0.utf8) } == Array(read.utf8))
    }

    @Test func namesAreComparedByTheirBytes() throws {
        // é composed and decomposed: Swift's == calls them equal, every client library's dictionary does not.
        let value = try JSONReader.read("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(value.object?.names.count == 2)
    }

    @Test(arguments: [
        #""\ud800""#, #""\udc00""#, #""\ud83dx""#, #""\ud83d\n""#, #""\ud83d\ud83d""#, #""\ud83d\u0041""#, #""\ud83d\ue000""#,
    ])
    func loneSurrogateIsRefused(text: String) {
        #expect { try JSONReader.read(text) } throws: { ($0 as? JSONError)?.reason.contains("surrogate") == true }
    }

    @Test func surrogatePairIsOneCharacter() throws {
        #expect(try JSONReader.read(#""\uD83D\uDE00""#) == .string("😀"))
        #expect(try JSONReader.read(#""\u0000""#) == .string("\u{0}"))
    }

    @Test(
        arguments: [
            ([0x22, 0xFF, 0x22], 1), ([0x22, 0xC3, 0x28, 0x22], 1), ([0x22, 0xC3, 0xA9, 0xED, 0xA0, 0x80, 0x22], 3),
            ([0x22, 0xC0, 0xAF, 0x22], 1), ([0x22, 0xF0, 0x9F], 1),
        ] as [([UInt8], Int)]
    )
    func invalidUTF8IsRefusedAtItsFirstByte(bytes: [UInt8], offset: Int) {
        #expect { try JSONReader.read(bytes) } throws: { error in
            guard let error = error as? JSONError else { return false }
            return error.reason.contains("UTF-8") && error.offset == offset
        }
    }

    @Test func spellingOfNumbersIsKept() throws {
        for text in ["41", "41.0", "4.1e1", "-0", "123456789012345678901234567890"] {
            #expect(try JSONReader.read(text) == .number(text))
        }
        #expect(JSONValue.number("41").integer == 41)
        #expect(JSONValue.number("41.0").integer == nil)
        #expect(JSONValue.number("4.1e1").integer == nil)
        #expect(JSONValue.string("41").integer == nil)
        #expect(JSONValue.number("9223372036854775808").integer == nil)
    }

    @Test func depthIsLimitedWithoutRunningOutOfStack() throws {
        func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        _ = try JSONReader.read(nested(16))
        #expect(throws: JSONError.self) { try JSONReader.read(nested(17)) }
        #expect(throws: JSONError.self) { try JSONReader.read(String(repeating: "{\"a\":", count: 100_000)) }
        #expect(throws: JSONError.self) { try JSONReader.read(String(repeating: "[", count: 100_000), limits: .own) }
    }

    /// Whatever is done with a text sorts the marks behind a letter, which takes time with the square of their number.
    @Test(arguments: ["\u{301}", "\u{323}\u{301}", "\u{F73}", "\u{1D165}"]) func marksInARowAreLimited(mark: String) throws {
        let most = String.mostMarksInARow / mark.unicodeScalars.count
        let (row, longer) = (String(repeating: mark, count: most), String(repeating: mark, count: most + 1))
        let escaped = longer.utf16.map { "\\u" + String(0x1_0000 + UInt32($0), radix: 16).suffix(4) }.joined()
        #expect(try JSONReader.read("\"a\(row)b\(row)\"").string == "a\(row)b\(row)")
        for text in ["\"a\(longer)\"", "{\"\(longer)\":1}", "[\"\(escaped)\"]", "\"\\n\(longer)\""] {
            let error = #expect(throws: JSONError.self) { try JSONReader.read(text) }
            #expect(error?.reason == "a string has more than 512 combining marks in a row")
        }
        // What Gatehouse wrote itself it can always read.
        #expect(try JSONReader.read("\"\(longer)\"", limits: .own).string == longer)
    }

    @Test func lengthIsLimitedInBytes() throws {
        let limits = JSONReader.Limits(bytes: 10)
        _ = try JSONReader.read("\"12345678\"", limits: limits)
        #expect(throws: JSONError.self) { try JSONReader.read("\"123456789\"", limits: limits) }
        #expect(throws: JSONError.self) { try JSONReader.read("\"1234567é\"", limits: limits) }
    }

    @Test func membersAreLimitedOverTheWholeText() throws {
        let limits = JSONReader.Limits(members: 4)
        _ = try JSONReader.read("{\"a\":[1,2],\"b\":0}", limits: limits)
        #expect(throws: JSONError.self) { try JSONReader.read("{\"a\":[1,2],\"b\":[0]}", limits: limits) }
    }
}
