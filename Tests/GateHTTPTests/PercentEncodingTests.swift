import GateHTTP
import Synchronization
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

extension PercentEncodingTests {
    /// Keeps the query that it was asked with.
    private final class Asked: ResponseChoice {
        let query = Mutex<String?>(nil)

        func response(to query: UnsafeRawBufferPointer, from sender: () -> [UInt8], isPoll: Bool) -> PreparedResponse? {
            self.query.withLock { $0 = String(decoding: query, as: UTF8.self) }
            return nil
        }
    }

    /// With a libmicrohttpd that does not tell the query as sent, a value must not become parameters of its own.
    @Test(
        arguments: [
            ([("version", "4.1.0"), ("locale", "de-AT")], "", "version=4.1.0&locale=de-AT"),
            ([("version", "1&os=2"), ("a b", "50% + é")], "", "version=1%26os%3D2&a%20b=50%25%20%2B%20%C3%A9"), ([], "", ""),
            ([("version", "1 2")], "version=1+2", "version=1+2"),
        ] as [([(String, String)], String, String)]
    )
    func aChoiceGetsTheQueryAsItWasSent(pairs: [(String, String)], raw: String, query: String) {
        let choice = Asked()
        let request = HTTPRequest(method: .get, path: "/", query: pairs.map { (name: $0.0, value: $0.1) }, rawQuery: Array(raw.utf8))
        _ = choice.response(to: request, isPoll: true)
        #expect(choice.query.withLock(\.self) == query)
    }
}
