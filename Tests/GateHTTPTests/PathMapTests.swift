import Testing

@testable import GateHTTP

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
            if step % 500 == 0 {
                for number in 0..<300 {
                    #expect(look(map, "/feeds/app\(number)/launchgate.json") == model["/feeds/app\(number)/launchgate.json"])
                }
            }
        }
        #expect(map.count == model.count)
        #expect(Set(map.paths) == Set(model.keys))
    }

    /// The hash of before, which anybody could compute: FNV-1a over words of eight bytes, then the rest.
    private func formerHash(_ path: [UInt8]) -> UInt64 {
        path.withUnsafeBytes { path in
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(path.count)
            var offset = 0
            while offset + 8 <= path.count {
                hash = (hash ^ path.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9e37_79b9_7f4a_7c15
                hash ^= hash >> 29
                offset += 8
            }
            while offset < path.count {
                hash = (hash ^ UInt64(path[offset])) &* 0x100_0000_01b3
                offset += 1
            }
            return hash ^ (hash >> 32)
        }
    }

    /// Five hundred aliases that lay in one slot made every poll near them go through all five hundred.
    @Test
    func pathsThatWereMadeToCollideDoNot() {
        var map = PathMap<Int>(key: 0x0123_4567_89ab_cdef)
        var number: UInt64 = 0
        while map.count < 512 {
            number += 1
            let path = "/c/\(String(number, radix: 36)).json"
            if formerHash(Array(path.utf8)) & 0x3ff == 7 { map[path] = map.count }
        }
        let steps = map.paths.map(map.steps)
        #expect(steps.max() ?? 0 < 32)
        #expect(Double(steps.reduce(0, +)) / 512 < 3, "\(steps.reduce(0, +)) steps")
    }

    /// Whatever two paths have in common, and whatever the key but for a handful in 2^60, they do not lie together.
    @Test
    func pathsLieApartWhateverTheyShare() {
        var keys: [UInt64] = [.max, 1 << 63, 0x5555_5555_5555_5555]
        var random = SystemRandomNumberGenerator()
        keys += (0..<5).map { _ in .random(in: .min ... .max, using: &random) }
        for key in keys {
            for form in ["/feeds/app%/launchgate.json", "/%", "%/a/b/c/d/e/f/g/h", "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa%b"] {
                var map = PathMap<Int>(key: key)
                let paths = (0..<1_000).map { form.replacing("%", with: String($0, radix: 36)) }
                for (number, path) in paths.enumerated() { map[path] = number }
                let steps = paths.map(map.steps).reduce(0, +)
                #expect(steps < 3_000, "\(form), key \(key): \(steps) steps")
                for (number, path) in paths.enumerated() { #expect(look(map, path) == number) }
            }
        }
    }

    /// Look-ups of the raw bytes of any length find what the text stored.
    @Test
    func pathsOfEveryLengthAreFound() {
        var map = PathMap<Int>()
        for length in 0..<300 { map[String(repeating: "x", count: length)] = length }
        for length in 0..<300 { #expect(look(map, String(repeating: "x", count: length)) == length) }
        #expect(look(map, String(repeating: "x", count: 300)) == nil)
    }
}
