import GateJSON
import GateModel
import Testing

@Suite struct VersionSchemeTests {
    @Test(arguments: ["0", "1", "10", "1.0", "4.2.0", "4.2.0.1", "2024.1", "0.0.0.0", "123456789012345678901234567890"])
    func dottedVersionMayBePublished(text: String) throws {
        #expect(VersionScheme.dotted.accepts(text))
        try VersionScheme.dotted.validate(text, field: "/f")
    }

    @Test(arguments: [
        "", " ", "v1", "1.", ".1", "1..0", "01", "1.01", "1.0.0.0.0", "1.0-beta", "1.0+7", "1.0b2", " 1.0", "1.0 ", "1,0", "-1", "+1",
        "1e3", "0x1", "٧", "1.٧",
        "1\n", "1\u{0}", String(repeating: "1", count: 65),
    ])
    func otherTextIsNoDottedVersion(text: String) {
        #expect(!VersionScheme.dotted.accepts(text))
        #expect { try VersionScheme.dotted.validate(text, field: "/requiredUpdate/minimumVersion") } throws: { error in
            let error = error as? ModelError
            return error?.code == "invalid_version" && error?.kind == .invalid && error?.field == "/requiredUpdate/minimumVersion"
        }
    }

    @Test(arguments: ["1", "41", "2147483647"])
    func codeMayBePublished(text: String) {
        #expect(VersionScheme.code.accepts(text))
    }

    @Test(arguments: [
        "", "0", "00", "07", "+7", "-1", "7 ", " 7", "7.0", "1.1", "7e0", "0x10", "7a", "1_000", "2147483648", "99999999999", "٧", "７",
        "4.2.0",
    ])
    func otherTextIsNoCode(text: String) {
        #expect(!VersionScheme.code.accepts(text))
    }

    @Test func newestIsByNumberAndNotByText() {
        #expect(VersionScheme.dotted.newest(of: ["1.9", "1.10", "1.2"]) == "1.10")
        #expect(VersionScheme.code.newest(of: ["9", "10", "2"]) == "10")
        #expect(VersionScheme.dotted.newest(of: []) == nil)
    }
}
