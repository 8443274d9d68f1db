import Testing

@testable import gatehouse

/// Connections that fit into the descriptors there are.
struct PlacesTests {
    @Test(arguments: [
        (65_536, 12_000, 256), (12_512, 12_000, 256), (12_511, 11_999, 256), (4_096, 3_584, 256), (1_024, 576, 192), (512, 192, 64),
        (256, 32, 32), (64, 32, 32), (0, 32, 32),
    ])
    func listenersTakeNoMoreThanFits(descriptors: Int, feeds: Int, admin: Int) {
        let places = Places(descriptors: descriptors)
        #expect((places.feeds, places.admin) == (feeds, admin))
        #expect(places.isShort == (feeds < 12_000))
    }
}
