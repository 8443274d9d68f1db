import GateJSON
import GateModel
import Testing

@Suite struct KeyTests {
    @Test(arguments: ["a", "0", "shop", "shop-2", "2fast", "a-", "a--b", String(repeating: "a", count: 63)])
    func keyOfTheFormIsTaken(text: String) throws {
        #expect(AppKey(text)?.description == text)
        #expect(PlatformKey(text)?.description == text)
        #expect(try AppKey(validating: text).text == text)
    }

    @Test(arguments: [
        "", "-a", "A", "Shop", "sh op", "shop/ios", "shöp", "a_b", "a.b", "..", "a\n", String(repeating: "a", count: 64), "ａ",
    ])
    func otherTextIsNoKey(text: String) {
        #expect(AppKey(text) == nil)
        #expect(PlatformKey(text) == nil)
        #expect { try AppKey(validating: text) } throws: { ($0 as? ModelError)?.code == "invalid_app_key" }
        #expect { try PlatformKey(validating: text) } throws: { ($0 as? ModelError)?.code == "invalid_platform_key" }
    }

    @Test(arguments: ["ios2", "android2", "macos2", "meta"])
    func namesOfPrinceOfVersionsAreNoPlatforms(text: String) {
        #expect(PlatformKey(text) == nil)
        #expect(AppKey(text) != nil)
    }

    /// Who has one already must be readable.
    @Test(arguments: ["all", "gate", "schema"])
    func aKeyThatNothingNewGetsIsAKey(text: String) throws {
        #expect(try PlatformKey(validating: text).text == text)
        #expect(try AppKey(validating: text).text == text)
    }

    @Test func targetIsWrittenWithASlash() throws {
        let target = try #require(TargetKey("shop/ios"))
        #expect(target.app == AppKey("shop"))
        #expect(target.platform == .ios)
        #expect(target.description == "shop/ios")
        for text in ["", "shop", "shop/", "/ios", "shop/ios/", "shop/ios2", "Shop/ios", "a/b/c"] { #expect(TargetKey(text) == nil) }
    }

    @Test func targetsAreOrderedByAppThenPlatform() throws {
        let targets = try ["b/android", "a/ios", "a/android"].map { try #require(TargetKey($0)) }
        #expect(targets.sorted().map(\.description) == ["a/android", "a/ios", "b/android"])
    }
}
