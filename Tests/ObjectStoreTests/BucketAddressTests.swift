import GateTesting
import ObjectStore
import Testing

@Suite struct BucketAddressTests {
    @Test(arguments: [
        ("s3://feeds/p", nil, "https://s3.eu-central-1.amazonaws.com/feeds/p/feeds/shop/ios/gate.json"),
        ("s3://feeds/p/", "https://s3.example.com/", "https://s3.example.com/feeds/p/feeds/shop/ios/gate.json"),
        (
            "s3://feeds/production/one", "https://s3.example.com:9000",
            "https://s3.example.com:9000/feeds/production/one/feeds/shop/ios/gate.json"
        ),
        ("s3://feeds/p", "http://127.0.0.1:9000", "http://127.0.0.1:9000/feeds/p/feeds/shop/ios/gate.json"),
        ("s3://feeds/p", "http://localhost:9000", "http://localhost:9000/feeds/p/feeds/shop/ios/gate.json"),
    ])
    func anObjectHasTheBucketInItsPath(text: String, endpoint: String?, url: String) throws {
        let address = try BucketAddress(text, endpoint: endpoint, region: "eu-central-1")
        #expect(address.url(of: "/feeds/shop/ios/gate.json") == url)
    }

    @Test func whatIsNotUnreservedIsEncodedOnce() throws {
        let address = try BucketAddress("s3://feeds/p", endpoint: "https://s3.example.com", region: "us-east-1")
        #expect(address.url(of: "/a b/ü/1+1=2.json") == "https://s3.example.com/feeds/p/a%20b/%C3%BC/1%2B1%3D2.json")
    }

    @Test(arguments: [
        ("feeds", nil), ("s3://", nil), ("s3://ab", nil), ("s3://Feeds", nil), ("s3://-feeds", nil), ("s3://feeds//one", nil),
        ("s3://feeds/../other", nil), ("s3://feeds/a b", nil), ("s3://feeds/" + String(repeating: "a", count: 513), nil),
        // What lies beside the prefix is the publishers' own.
        ("s3://feeds", nil), ("s3://feeds/", nil), ("s3://feeds/one.gatehouse", nil), ("s3://feeds/one.gatehouse/two", nil),
        // A signed request can be sent again by whoever hears it.
        ("s3://feeds/p", "http://s3.example.com"), ("s3://feeds/p", "ftp://s3.example.com"),
        ("s3://feeds/p", "https://user@s3.example.com"),
        ("s3://feeds/p", "https://s3.example.com?x=1"), ("s3://feeds/p", "s3.example.com"),
    ])
    func whatIsNoneIsRefused(text: String, endpoint: String?) {
        #expect(throws: ObjectStoreError.self) { try BucketAddress(text, endpoint: endpoint, region: "us-east-1") }
    }

    @Test func noPasswordIsRepeated() {
        let error = #expect(throws: ObjectStoreError.self) {
            try BucketAddress("s3://feeds/p", endpoint: "https://user:hush@s3.example.com", region: "us-east-1")
        }
        #expect(error?.detail.contains("hush") == false)
    }

    @Test(arguments: ["", "EU", "eu central", "a:b"])
    func aRegionIsAWord(region: String) {
        #expect(throws: ObjectStoreError.self) { try BucketAddress("s3://feeds/p", endpoint: nil, region: region) }
    }
}
