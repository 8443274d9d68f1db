import GateJSON
import GateModel
import Testing

/// Lists of callers are counted before anything in them is looked at; what is there already stays readable, however long it is.
@Suite struct GateLimitsTests {
    private static let settings = PlatformSettings(versionScheme: .dotted, defaultRetryInterval: 45)

    private func refusal(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return (error as? ModelError).map { "\($0.code) \($0.field)" } }
    }

    private static func message(_ languages: Int, _ text: JSONValue) -> JSONValue {
        .object(JSONObject(uniqueMembers: [("default", text)] + (1..<languages).map { ("de-x\($0)", text) }))
    }

    private static func required(_ blocked: [JSONValue], _ message: JSONValue) -> JSONValue {
        ["requiredUpdate": ["minimumVersion": .string("1.0"), "blockedVersions": .array(blocked), "message": message]]
    }

    private static func versions(_ count: Int) -> [JSONValue] { (1...count).map { .string("1.\($0)") } }

    /// One more than is allowed, and none of them of the right type: had anybody looked, they would be malformed.
    @Test func whatIsTooMuchIsRefusedUnseen() {
        #expect(refusal { _ = try Message(json: Self.message(51, .integer(1)), field: "/message") } == "invalid_message /message")
        let blocked: JSONValue = Self.required(Array(repeating: .integer(1), count: 101), .string("a"))
        #expect(refusal { _ = try Gate(json: blocked, settings: Self.settings) } == "invalid_version /requiredUpdate/blockedVersions")
        var settings = Self.settings
        #expect(
            refusal { try settings.apply(json: ["releases": .array(Array(repeating: .integer(1), count: 101))]) }
                == "invalid_releases /releases"
        )
    }

    @Test func asMuchAsIsAllowedIsTaken() throws {
        let gate: JSONValue = Self.required(Self.versions(100), Self.message(50, .string("a")))
        #expect(try Gate(json: gate, settings: Self.settings).requiredUpdate?.blockedVersions.count == 100)
        var settings = Self.settings
        try settings.apply(json: ["releases": .array(Self.versions(100))])
        #expect(settings.releases.count == 100)
    }

    /// A database that was filled before there were limits.
    @Test func whatIsThereStaysReadable() throws {
        let gate: JSONValue = Self.required(Self.versions(300), Self.message(6_000, .string("a")))
        #expect(try Gate(stored: gate).json == gate)
        var settings = Self.settings
        try settings.apply(json: ["releases": .array(Self.versions(1_000))], from: .kept)
        #expect(settings.releases.count == 1_000)
        #expect(throws: Never.self) { try settings.apply(json: ["defaultRetryInterval": .integer(20)]) }
    }

    @Test func aTextThatIsFarTooLongIsNotNormalised() {
        let marks = String(repeating: "e\u{301}\u{323}", count: 40_000)
        #expect(refusal { _ = try MessageText.cleaned(marks, field: "/message") } == "invalid_message /message")
    }

    /// 500 characters that become 500 only when they are composed, and a frame of white space as long as a body.
    @Test func theLongestTextThatComesDownToTheLimitIsTaken() throws {
        let decomposed = String(repeating: "\u{3B1}\u{313}\u{300}\u{345}", count: 500)
        #expect(try MessageText.cleaned(decomposed, field: "").unicodeScalars.count == 500)
        #expect(try MessageText.cleaned(String(repeating: " ", count: 200_000) + "a", field: "") == "a")
    }

    @Test(arguments: ["a", "Back at 09:30.", "a\nb", "~", String(repeating: "x", count: 500)])
    func plainTextIsCleanAsItIs(text: String) throws { #expect(try MessageText.cleaned(text, field: "") == text) }
}
