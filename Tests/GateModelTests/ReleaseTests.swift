import Testing

@testable import GateModel

struct ReleaseTests {
    @Test(arguments: [
        ("0.1.0", "0.1.0"), ("10.20.30", "10.20.30"), ("1.2.3-rc.1", "1.2.3"), ("1.2.3+debian", "1.2.3"), ("1.2.3~check1", "1.2.3"),
    ])
    func versionsAreRead(text: String, read: String) { #expect(Release(text)?.description == read) }

    @Test(arguments: ["", "1", "1.2", "1.2.3.4", "v1.2.3", "1..3", "1.2.x", "-1.2.3", "1.2.٣", "99999999999999999999.0.0", "1.2.3 "])
    func nothingElseIs(text: String) { #expect(Release(text) == nil) }

    @Test func numbersAreComparedAsNumbers() {
        let sorted = ["0.1.0", "0.1.2", "0.1.10", "0.2.0", "0.10.0", "1.0.0"].compactMap(Release.init(_:))
        #expect(sorted.shuffled().sorted() == sorted)
    }

    @Test func theThirdNumberSaysNothingOfData() {
        func exceeds(_ one: String, _ other: String) -> Bool? { Release(one).flatMap { one in Release(other).map { one.mayExceed($0) } } }
        #expect(exceeds("0.1.9", "0.1.0") == false)
        #expect(exceeds("0.2.0", "0.1.9") == true)
        #expect(exceeds("1.0.0", "0.9.9") == true)
        #expect(exceeds("0.1.0", "0.2.0") == false)
    }
}
