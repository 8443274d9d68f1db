import Testing

@testable import PostgreSQL

struct StatementCacheTests {
    @Test func theOneLongestUnusedGoes() {
        var cache = StatementCache(capacity: 2)
        for text in ["a", "b"] { cache.insert(.init(name: cache.newName(), parameters: []), for: text) }
        #expect(cache.use("a")?.name == "g1")
        #expect(cache.evict()?.name == "g2")
        #expect(cache.evict() == nil)
        cache.insert(.init(name: cache.newName(), parameters: []), for: "c")
        #expect(cache.use("b") == nil)
        #expect(cache.count == 2)
        cache.remove("a")
        cache.insert(.init(name: cache.newName(), parameters: []), for: "a")
        // Under a name that nobody had before.
        #expect(cache.use("a")?.name == "g4")
    }

    @Test(arguments: [-1, 0, 1]) func itHoldsOneAtLeast(capacity: Int) {
        var cache = StatementCache(capacity: capacity)
        #expect(cache.evict() == nil)
        cache.insert(.init(name: cache.newName(), parameters: []), for: "a")
        #expect(cache.use("a") != nil)
    }
}
