import GateHTTP
import Testing

struct ConditionalRequestTests {
    /// RFC 9110 sections 8.8.3, 13.1.2 and 5.6.1.2; the representation's tag is `"abc"`.
    static let table: [(field: String, matches: Bool)] = [
        (#""abc""#, true),
        (#"W/"abc""#, true),
        (#""abd""#, false),
        (#""ab""#, false),
        (#""abcd""#, false),
        (#""ABC""#, false),
        (#""x", "abc""#, true),
        (#""x","abc""#, true),
        (#""x" , W/"abc" , "y""#, true),
        (#", ,"abc","#, true),
        ("\t\"abc\" ", true),
        (#""a,b", "abc""#, true),
        (#""x,abc""#, false),
        ("*", true),
        (" * ", true),
        (#"*, "abc""#, false),
        (#""x", *"#, false),
        ("", false),
        (",", false),
        ("abc", false),
        (#""abc"#, false),
        (#"abc""#, false),
        (#"w/"abc""#, false),
        (#"W "abc""#, false),
        ("W/", false),
        ("W", false),
        (#""abc" "x""#, false),
        (#""abc"x"#, false),
        (#"x, "abc""#, false),
        (#""abc", junk"#, true),
        (#""a b", "abc""#, false),
    ]

    @Test(arguments: table)
    func ifNoneMatchIsReadToTheLetter(_ row: (field: String, matches: Bool)) {
        #expect(ConditionalRequest.matches(ifNoneMatch: [row.field], etag: #""abc""#) == row.matches, "\(row.field)")
    }

    @Test
    func aWeakTagOfOursIsComparedWeakly() {
        #expect(ConditionalRequest.matches(ifNoneMatch: [#""abc""#], etag: #"W/"abc""#))
        #expect(ConditionalRequest.matches(ifNoneMatch: [#"W/"abc""#], etag: #"W/"abc""#))
        #expect(!ConditionalRequest.matches(ifNoneMatch: [#"W/"abd""#], etag: #"W/"abc""#))
    }

    @Test
    func severalLinesAreOneList() {
        #expect(ConditionalRequest.matches(ifNoneMatch: [#""x""#, #""abc""#], etag: #""abc""#))
        #expect(!ConditionalRequest.matches(ifNoneMatch: [#""x""#, #""y""#], etag: #""abc""#))
        #expect(!ConditionalRequest.matches(ifNoneMatch: [], etag: #""abc""#))
    }
}
