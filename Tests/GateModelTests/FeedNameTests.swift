import GateModel
import Testing

@Suite struct FeedNameTests {
    @Test(arguments: [
        (FeedName.bellerophon, "/feeds/shop/ios/bellerophon.json"), (.launchgate, "/feeds/shop/launchgate.json"),
        (.princeOfVersions, "/feeds/shop/prince-of-versions.json"), (.combined, "/feeds/shop/ios/combined.json"),
        (.gate, "/feeds/shop/ios/gate.json"),
    ])
    func feedIsServedAtTheDesignsURL(name: FeedName, path: String) throws {
        #expect(name.path(for: try #require(TargetKey("shop/ios"))) == path)
        #expect(FeedName(fileName: name.fileName) == name)
    }

    @Test(arguments: ["", ".json", "bellerophon", "Bellerophon.json", "bellerophon.JSON", "gate.json.json"])
    func otherFileNamesAreNoFeed(fileName: String) {
        #expect(FeedName(fileName: fileName) == nil)
    }
}
