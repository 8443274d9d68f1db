import GateHTTP
import Testing

struct HTTPHeadersTests {
    @Test
    func namesAreComparedWithoutCaseAndKeptAsGiven() {
        let headers: HTTPHeaders = ["Content-Type": "text/plain"]
        #expect(headers["content-type"] == "text/plain")
        #expect(headers["CONTENT-TYPE"] == "text/plain")
        #expect(headers["Content-Typ"] == nil)
        #expect(headers.fields.map(\.name) == ["Content-Type"])
    }

    @Test
    func onlyLettersAreFolded() {
        let headers: HTTPHeaders = ["X[": "1"]
        #expect(headers["x{"] == nil)
        #expect(headers["x["] == "1")
    }

    @Test
    func appendingKeepsOrderAndSettingLeavesOne() {
        var headers = HTTPHeaders()
        headers.append("Set-Cookie", "a")
        headers.append("X", "x")
        headers.append("set-cookie", "b")
        #expect(headers.values(of: "Set-Cookie") == ["a", "b"])
        #expect(headers["Set-Cookie"] == "a")
        headers.set("SET-COOKIE", "c")
        #expect(headers.fields.map(\.name) == ["SET-COOKIE", "X"])
        #expect(headers.values(of: "set-cookie") == ["c"])
        headers.set("Y", "y")
        #expect(headers.map(\.value) == ["c", "x", "y"])
        headers.remove("x")
        #expect(headers.map(\.name) == ["SET-COOKIE", "Y"])
    }

    @Test(arguments: [
        ("X", "a", true), ("X-A!#$%&'*+.^_`|~09", "a\tb é", true), ("X", "", true), ("X", "a\rb", false), ("X", "a\nb", false),
        ("X", "a\0b", false), ("X", "\u{1}", false),
        ("X", "\u{7f}", false), ("", "a", false), ("X\r", "a", false), ("X\n", "a", false), ("X\0", "a", false), ("X Y", "a", false),
        ("X:", "a", false), ("Xé", "a", false),
    ])
    func aFieldThatWouldBecomeTwoOnTheWireIsToldApart(name: String, value: String, isSendable: Bool) {
        #expect(HTTPHeaders.Field(name: name, value: value).isSendable == isSendable)
    }
}
