import GateJSON
import GateModel
import Testing

@Suite struct VersionCodeTests {
    /// Wire formats table 5.2 as the model reads it: the value of each feed value, nil where it is invalid.
    static let table: [(row: Int, json: String, value: Int64?)] = [
        (1, #""7""#, 7), (2, "7", 7), (3, #""6""#, 6), (3, "6", 6), (4, #""5""#, 5), (5, #""10""#, 10), (6, #""9""#, 9), (7, #""07""#, 7),
        (8, #""+7""#, nil), (9, #""-1""#, nil), (10, #""7 ""#, nil), (10, #"" 7""#, nil), (11, #""7.0""#, nil), (11, "7.0", nil),
        (12, #""1.2.3""#, nil), (13, "7e0", nil), (14, #""0x10""#, nil), (14, #""7a""#, nil), (14, #""1_000""#, nil),
        (15, #""2147483647""#, 2_147_483_647), (16, #""2147483648""#, 2_147_483_648), (16, "2147483648", 2_147_483_648), (17, #""""#, nil),
        (17, #""  ""#, nil), (17, "null", nil), (18, "true", nil), (19, "{}", nil), (19, "[]", nil), (20, #""٧""#, nil),
    ]

    @Test(arguments: table)
    func feedValueIsReadAsAWholeNumberOrNotAtAll(row: Int, json: String, value: Int64?) throws {
        #expect(VersionCode(try JSONReader.read(json))?.value == value, "row \(row)")
    }

    @Test func codesAreComparedAsNumbers() throws {
        #expect(VersionScheme.code.isOlder("9", than: "10"))
        #expect(!VersionScheme.code.isOlder("10", than: "9"))
        #expect(!VersionScheme.code.isOlder("7", than: "07"))
        #expect(!VersionScheme.code.isOlder("1.9", than: "10"), "what is no code is older than nothing")
        #expect(VersionCode("9223372036854775808") == nil, "past 64 bits")
    }
}
