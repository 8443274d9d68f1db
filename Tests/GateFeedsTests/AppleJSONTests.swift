import Foundation
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateFeeds

/// The reader for Apple's platforms against Foundation itself.
@Suite struct AppleJSONTests {
    static let documents: [String] = [
        "", " ", "null", "[1,]", #"{"a":1,"a":2}"#, #"{"a":1,}"#, #"{"b":[1,]}"#, #"{"a":1} "#, #"{"a":1} x"#, #"{"a":1}//c"#,
        #"/*c*/{"a":1}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":+1}"#,
        #"{"a":-0}"#, "{\"a\":1}\u{A0}", "\u{FEFF}{\"a\":1}", #"{"a":1,,}"#, #"{,}"#, #"{"a":"\ud800"}"#, #"{"a":"\ud83d\ude00"}"#,
        "{\"s\":\"a\tb\"}", #"{"a":1e400}"#, #"{"a":true}"#,
        "{'a':1}", "{a:1}", #"{"a":1;"b":2}"#, #"{"a"=1}"#, "[,1]", "[,]", "{\"a\":1\u{0B}}", #"{"s":"\x"}"#, #"{"s":"\u0000"}"#,
        #"{"a":TRUE}"#, #"{"a":nul}"#, #"{"a":[{"b":[],}],}"#, #"{"a":{}"#,
    ]

    @Test(arguments: documents) func readsWhatFoundationReads(_ text: String) { compare(Array(text.utf8)) }

    @Test(
        arguments: [String.Encoding.utf8, .utf16, .utf16BigEndian, .utf16LittleEndian, .utf32, .utf32BigEndian, .utf32LittleEndian],
        ["", "\u{FEFF}"]
    )
    func everyEncodingIsRead(_ encoding: String.Encoding, mark: String) throws {
        compare(Array(try #require((mark + #"{"apiInactive":true,"userMessage":"é"}"#).data(using: encoding))))
    }

    /// Documents of the right form in which single characters were put, doubled, or taken out.
    @Test func damagedDocumentsAreReadAsFoundationReadsThem() {
        let seed = ProcessInfo.processInfo.environment["GATEHOUSE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0 ... .max)
        print("AppleJSONTests: GATEHOUSE_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        let whole = [
            #"{"ios":{"alert":{"message":"a","blocking":1},"x":[1,2.5,-3e2]}}"#,
            #"{"apiInactive":true,"retryInterval":30,"userMessage":"\u00e9"}"#, #"[{"a":null},[],{}]"#,
        ]
        let marks = Array(#"{}[],:"' \/#;=0-1e.tfn"#.utf8) + [0x09, 0x0A, 0x0B, 0xC2]
        var taken = 0
        for _ in 0..<20_000 {
            var bytes = Array(whole.randomElement(using: &generator)!.utf8)
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes.insert(marks.randomElement(using: &generator)!, at: place)
                case 1: bytes.remove(at: place)
                default: bytes[place] = marks.randomElement(using: &generator)!
                }
            }
            if compare(bytes, "\(seed)") { taken += 1 }
        }
        #expect(taken > 1_000)
    }

    @Test func ofEqualNamesTheDecoderTakesTheFirst() throws {
        struct Pair: Decodable { let a: Int }
        let bytes = Array(#"{"a":1,"a":2,}"#.utf8)
        #expect(try JSONDecoder().decode(Pair.self, from: Data(bytes)).a == 1)
        #expect(AppleJSON.read(bytes, equalNames: .first)?.object?["a"]?.integer == 1)
        #expect(AppleJSON.read(bytes)?.object?["a"]?.integer == 2)
    }

    @Test func aFlagPassesForANumber() throws {
        let feed = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":true,"userMessage":"m"}"#
        let root = try #require(try JSONSerialization.jsonObject(with: Data(feed.utf8)) as? [String: Any])
        #expect(root["retryInterval"] as? Double == 1)
        #expect(BellerophonClient.decide(Array(feed.utf8)) == .killed(text: "m", retryInterval: 1))
    }

    @discardableResult private func compare(_ bytes: [UInt8], _ comment: Comment? = nil) -> Bool {
        // That it refuses is what is asked.
        let foundation = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        let ours = AppleJSON.read(bytes)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect((ours == nil) == (foundation == nil), "\(comment ?? "") \(text.debugDescription)")
        if let ours, let foundation { #expect(isSame(ours, foundation), "\(comment ?? "") \(text.debugDescription)") }
        return ours != nil
    }

    private func isSame(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch ours {
        case .null: return theirs is NSNull
        case .bool(let flag): return (theirs as? NSNumber)?.boolValue == flag
        case .number(let text): return (theirs as? NSNumber)?.doubleValue == Double(text)
        case .string(let text): return (theirs as? String).map { $0.utf8.elementsEqual(text.utf8) } ?? false
        case .array(let items):
            guard let theirs = theirs as? [Any], theirs.count == items.count else { return false }
            return zip(items, theirs).allSatisfy { isSame($0, $1) }
        case .object(let object):
            guard let theirs = theirs as? [String: Any], theirs.count == object.members.count else { return false }
            return object.members.allSatisfy { name, value in theirs[name].map { isSame(value, $0) } ?? false }
        }
    }
}
