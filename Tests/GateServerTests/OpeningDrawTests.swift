import GateHTTP
import GateJSON
import GateTesting
import Testing

@testable import GateServer

/// Many targets of one app that are opened gradually, each from a start of its own: what happens to one is nothing to the others' phones.
@Suite struct OpeningDrawTests {
    private static let platforms = (0..<8).map { "p\($0)" }

    private func target(_ revision: Int, _ platform: String) -> String {
        #"{"app":"shop","platform":"\#(platform)","revision":\#(revision)}"#
    }

    /// Eight openings, of which the first ends long before the others.
    private func openings() throws -> Desk {
        let desk = try Desk().furnished()
        for platform in Self.platforms {
            try desk.ask(.put, "/api/v1/apps/shop/platforms/\(platform)", "{}").expect(201)
            try desk.change(target(1, platform), #""set":{"killSwitch":{"message":"Back soon."}}"#).expect(200)
            try desk.change(target(2, platform), #""set":{"killSwitch":null},"over":1000"#).expect(200)
            desk.clock.advance(seconds: 20)
        }
        desk.clock.advance(seconds: 300)
        desk.reach.sample(at: desk.clock.now)
        return desk
    }

    /// The phones that are let in to each of these platforms.
    private func inside(_ platforms: ArraySlice<String>, on desk: Desk) throws -> [String: [Int]] {
        var inside: [String: [Int]] = [:]
        for platform in platforms {
            inside[platform] = try (0..<200).filter { number in
                let answer = desk.poll("/feeds/shop/\(platform)/bellerophon.json?targetingKey=\(number)")
                try answer.expect(200)
                return answer.json["apiInactive"]?.bool == false
            }
        }
        return inside
    }

    @Test(arguments: [#""set":{"killSwitch":null}"#, #""set":{"killSwitch":{"message":"Not yet."}}"#])
    func whoIsInStaysInWhateverHappensToAnotherPlatform(change: String) throws {
        let desk = try openings()
        let others = Self.platforms.dropFirst()
        let before = try inside(others, on: desk)
        for (platform, phones) in before { #expect(30...130 ~= phones.count, "\(platform): \(phones.count) of 200") }
        try desk.change(target(3, Self.platforms[0]), change).expect(200)
        #expect(try inside(others, on: desk) == before)
        // A server that is started now knows only of the openings that are left.
        try desk.reopen()
        #expect(try inside(others, on: desk) == before)
    }

    /// They do not all have the same draw: else a phone that is last would be last each time.
    @Test func openingsDrawFourWays() throws {
        let desk = try openings()
        let inside = try inside(Self.platforms[...], on: desk).mapValues(Set.init)
        let isLater = zip(Self.platforms, Self.platforms.dropFirst()).count { before, after in
            // With one draw for both, whoever is in to the later one is in to the earlier one too.
            !inside[after, default: []].isSubset(of: inside[before, default: []])
        }
        #expect(isLater > 0, "\(inside)")
    }
}
