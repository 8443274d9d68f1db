import Testing

@testable import GateFeeds

@Suite struct FeedSignatureTests {
    private static let bytes = (0..<64).map { UInt8($0 * 4 + 3) }
    private static let line =
        "21fe31dfa154a261:AwcLDxMXGx8jJysvMzc7P0NHS09TV1tfY2drb3N3e3-Dh4uPk5ebn6Onq6-zt7u_w8fLz9PX29_j5-vv8_f7_w"

    @Test func aLineIsReadAndWritten() throws {
        let signature = try #require(FeedSignature(keyID: "21fe31dfa154a261", bytes: Self.bytes))
        #expect(signature.line == Self.line)
        #expect(FeedSignature(Self.line) == signature)
        #expect(FeedSignature(Self.line + "\n") == signature)
        #expect(FeedSignature(Self.line.dropFirst(0)) == signature)
    }

    @Test(arguments: 0..<256) func anyBytesReadBack(byte: Int) throws {
        for place in [0, 1, 2, 61, 62, 63] {
            var bytes = Self.bytes
            bytes[place] = UInt8(byte)
            let signature = try #require(FeedSignature(keyID: "0123456789abcdef", bytes: bytes))
            #expect(FeedSignature(signature.line)?.bytes == bytes)
        }
    }

    static let refused: [(String, String)] = [
        ("empty", ""),
        ("two line feeds", line + "\n\n"),
        ("a carriage return", line + "\r\n"),
        ("a space before", " " + line),
        ("a space after", line + " "),
        ("no colon", line.replacing(":", with: "")),
        ("another mark", line.replacing(":", with: ";")),
        ("a second colon", line.dropLast() + ":"),
        ("a name in capitals", line.replacing("21fe31dfa154a261", with: "21FE31DFA154A261")),
        ("a name that is no number", line.replacing("21fe31dfa154a261", with: "21fe31dfa154a26g")),
        ("a name too short", String(line.dropFirst())),
        ("a name too long", "0" + line),
        ("a character short, the name longer", "0" + line.dropLast()),
        ("padding", line + "=="),
        ("padding in the place of characters", line.dropLast(2) + "=="),
        ("the other alphabet", line.replacing("-", with: "+").replacing("_", with: "/")),
        ("stray bits", line.dropLast() + "x"),
        ("a letter of another script", line.dropLast(2) + "é"),
        ("two lines", line + "\n" + line),
    ]

    @Test(arguments: refused) func anythingElseIsRefused(what: String, line: String) {
        #expect(FeedSignature(line) == nil, "\(what)")
    }

    @Test func partsAreBounded() {
        #expect(FeedSignature(keyID: "21fe31dfa154a261", bytes: Self.bytes + [0]) == nil)
        #expect(FeedSignature(keyID: "21fe31dfa154a261", bytes: Self.bytes.dropLast()) == nil)
        for id in ["", "21fe31dfa154a26", "21fe31dfa154a2610", "21FE31DFA154A261", "21fe31dfa154a26:"] {
            #expect(FeedSignature(keyID: id, bytes: Self.bytes) == nil, "\(id)")
        }
    }
}
