import Testing

@testable import GateStore

struct SQLiteReleaseTests {
    @Test(arguments: [
        ("3.36.0", false), ("3.9.2", false), ("2.8.17", false), ("", false), ("three", false), ("3.37.0", true), ("3.40.1", true),
        ("3.100", true), ("4.0.0", true),
    ])
    func strictTablesAreNeeded(text: String, isSupported: Bool) { #expect(SQLiteRelease(text).isSupported == isSupported) }

    @Test func theOneThatIsLoadedSaysWhichItIs() throws {
        let loaded = try SQLiteRelease.loaded()
        #expect(loaded.description.split(separator: ".").count == 3 && loaded.isSupported, "\(loaded)")
    }
}
