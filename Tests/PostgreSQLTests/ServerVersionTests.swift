import Testing

@testable import PostgreSQL

struct ServerVersionTests {
    @Test(arguments: [
        (Int32(130_000), "13.0", true), (130_014, "13.14", true), (150_020, "15.20", true), (180_000, "18.0", true),
        (129_999, "12.9999", false),
        (120_022, "12.22", false), (100_000, "10.0", false), (90_624, "9.6.24", false), (90_400, "9.4.0", false), (0, "0.0.0", false),
        (-1, "0.0.-1", false),
    ])
    func aVersionIsTakenOrNot(_ number: Int32, words: String, isTaken: Bool) {
        let version = ServerVersion(number: number)
        #expect(version.description == words)
        #expect((version.fault == nil) == isTaken)
        #expect(isTaken || version.fault?.kind == .unsupportedServer)
        if number > 0, !isTaken { #expect(version.fault?.message == "PostgreSQL \(words) is too old: 13 or later is needed") }
    }
}
