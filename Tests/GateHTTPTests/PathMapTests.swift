import GateHTTP
import Testing

struct PathMapTests {
    private func look(_ map: PathMap<Int>, _ path: String) -> Int? {
        var path = path
        return path.withUTF8 { map[UnsafeRawBufferPointer($0)] }
    }

    @Test
    func anEmptyMapHoldsNothing() {
        let map = PathMap<Int>()
        #expect(look(map, "") == nil)
        #expect(look(map, "/") == nil)
        #expect(map.count == 0)
    }

    @Test
    func thousandsOfPathsAreFoundByTheirBytesAndNoOthers() {
        var map = PathMap<Int>()
        for number in 0..<3000 { map["/feeds/app\(number)/launchgate.json"] = number }
        #expect(map.count == 3000)
        for number in 0..<3000 { #expect(look(map, "/feeds/app\(number)/launchgate.json") == number) }
        for number in 3000..<4000 { #expect(look(map, "/feeds/app\(number)/launchgate.json") == nil) }
        #expect(look(map, "/feeds/app1/launchgate.jsox") == nil)
        #expect(look(map, "/feeds/app1/launchgate.jso") == nil)
        #expect(look(map, "/Feeds/app1/launchgate.json") == nil)
    }

    @Test
    func pathsCanBeReplacedAndTakenOut() {
        var map: PathMap<Int> = ["/a": 1, "/b": 2, "/c": 3]
        map["/b"] = 4
        map["/a"] = nil
        map["/none"] = nil
        #expect(Set(map.paths) == ["/b", "/c"])
        #expect(map["/a"] == nil)
        #expect(map["/b"] == 4)
        #expect(map["/c"] == 3)
    }

    @Test
    func copiesChangeApart() {
        let first: PathMap<Int> = ["/a": 1]
        var second = first
        second["/a"] = 2
        second["/b"] = 3
        #expect(first["/a"] == 1)
        #expect(first["/b"] == nil)
        #expect(second["/a"] == 2)
    }

    /// Taking out moves others; whatever the order, the map holds what a dictionary holds.
    @Test
    func anyOrderOfPuttingInAndTakingOutLeavesWhatADictionaryHas() {
        var numbers = SystemRandomNumberGenerator()
        var map = PathMap<Int>()
        var model: [String: Int] = [:]
        for step in 0..<20_000 {
            // Few enough paths for long runs of full slots, and for each to come and go often.
            let path = "/feeds/app\(Int.random(in: 0..<300, using: &numbers))/launchgate.json"
            if Bool.random(using: &numbers) {
                map[path] = step
                model[path] = step
            } else {
                map[path] = nil
                model[path] = nil
            }
            if step % 500 == 0 { for number in 0..<300 { #expect(look(map, "/feeds/app\(number)/launchgate.json") == model["/feeds/app\(number)/launchgate.json"]) } }
        }
        #expect(map.count == model.count)
        #expect(Set(map.paths) == Set(model.keys))
    }
}
