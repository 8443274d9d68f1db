import GateHTTP
import Testing

struct PercentEncodingTests {
    static let table: [(raw: String, path: String?, query: String?)] = [
        ("", "", ""),
        ("abc", "abc", "abc"),
        ("a%20b", "a b", "a b"),
        ("a+b", "a+b", "a b"),
        ("a%2Bb", "a+b", "a+b"),
        ("%2525", "%25", "%25"),
        ("%e2%82%ac", "€", "€"),
        ("%", nil, nil),
        ("%4", nil, nil),
        ("%4g", nil, nil),
        ("%+1", nil, nil),
        ("%00", nil, nil),
        ("a\u{0}", nil, nil),
        ("%ff", nil, nil),
        ("%c0%80", nil, nil),
        ("%ed%a0%80", nil, nil),
    ]

    @Test(arguments: table)
    func textIsDecodedOnceOrNotAtAll(_ row: (raw: String, path: String?, query: String?)) {
        #expect(PercentEncoding.decode(row.raw.utf8) == row.path)
        #expect(PercentEncoding.decode(row.raw.utf8, plusIsSpace: true) == row.query)
    }

    @Test(arguments: ["/", "/a", "/a%20b", "/%ff", "/a%2fb", "/é", "/a%01"])
    func aReadablePathPasses(_ path: String) {
        var path = path
        #expect(path.withUTF8 { PercentEncoding.isReadable(path: UnsafeRawBufferPointer($0)) })
    }

    @Test(arguments: ["/a b", "/%00", "/a%0", "/a%", "/%zz", "/\u{0}", "/\t", "/\u{7f}", "/%%41"])
    func anUnreadablePathDoesNot(_ path: String) {
        var path = path
        #expect(!path.withUTF8 { PercentEncoding.isReadable(path: UnsafeRawBufferPointer($0)) })
    }
}
