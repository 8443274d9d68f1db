import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import Testing

@testable import GateServer

@Suite struct ReachTrackerTests {
    private static let killed = #"{"killSwitch":{"message":"Back at 09:30.","retryInterval":30}}"#

    @Test func aFeedThatNobodyPolledHasNoReach() throws {
        let watched = try Watched()
        watched.tracker.sample(at: Watched.time(1))
        #expect(watched.reach(at: 1) == nil)
    }

    @Test func aChangeBeginsTheCountOfWhoHasItAnew() throws {
        let watched = try Watched()
        for _ in 0..<5 { try watched.polls().polls.countConfirmed() }
        watched.tracker.sample(at: Watched.time(1))
        #expect(watched.reach(at: 1)?.share == 1)
        try watched.publish(Self.killed)
        try watched.polls().polls.countReplaced()
        watched.tracker.sample(at: Watched.time(2))
        #expect(watched.reach(at: 4)?.confirmed == 0)
        #expect(watched.reach(at: 4)?.replaced == 1)
        #expect(watched.reach(at: 4)?.secondsSinceStale == 2)
        #expect(watched.reach(at: 4)?.pollsPerMinute == 6, "the minute goes on over a change")
        #expect(watched.reach(at: 4)?.share == 0, "who had the old revision has not the new one")
    }

    /// Between a change and the next reading of the counters the old revision's polls must not pass for the new one's.
    @Test func rightAfterAChangeNobodyHasIt() throws {
        let watched = try Watched()
        for _ in 0..<5 { try watched.polls().polls.countConfirmed() }
        watched.tracker.sample(at: Watched.time(1))
        try watched.publish(Self.killed)
        #expect(watched.reach(at: 1)?.share == nil)
        #expect((watched.reach(at: 1)?.confirmed, watched.reach(at: 1)?.fetched) == (0, 0))
        #expect(watched.reach(at: 1)?.pollsPerMinute == 5)
    }

    /// The same bytes have the same tag, and their answer is another one with counters at nothing.
    @Test func aFeedThatChangesAndChangesBackBetweenTwoReadingsIsCountedOn() throws {
        let watched = try Watched()
        for _ in 0..<5 { try watched.polls().polls.countConfirmed() }
        watched.tracker.sample(at: Watched.time(1))
        try watched.publish(Self.killed)
        try watched.publish("{}")
        watched.tracker.sample(at: Watched.time(2))
        #expect(watched.reach(at: 2)?.confirmed == 5)
        try watched.polls().polls.countConfirmed()
        watched.tracker.sample(at: Watched.time(3))
        #expect(watched.reach(at: 3)?.confirmed == 6)
        #expect(watched.reach(at: 3)?.pollsPerMinute == 6)
    }

    /// What cannot have been written by this server is no count of it, and no reason not to start.
    @Test(arguments: [
        "9223372036854775807", "1125899906842625", "18446744073709551616", "-1", "1.5", "1e400", #""7""#, "null", "[]", "{}",
        String(repeating: "9", count: 10_000),
    ])
    func aCountThatIsNoneBeginsAnew(_ number: String) throws {
        for names in [["confirmed"], ["replaced"], ["fetched"], ["confirmed", "replaced", "fetched"]] {
            let watched = try Watched()
            let members = ["confirmed", "replaced", "fetched"].map { "\"\($0)\":\(names.contains($0) ? number : "3")" }.joined(
                separator: ","
            )
            let entry = #"{"\#(Watched.path)":{"tag":\#(JSONValue.string(try watched.polls().etag).text),\#(members),"lastStale":null}}"#
            watched.tracker.restore(try JSONReader.read(entry, limits: .own))
            try watched.polls().polls.countFetched()
            watched.tracker.sample(at: Watched.time(1))
            #expect(watched.reach(at: 1)?.fetched == 1, "\(entry.prefix(200))")
            #expect(watched.reach(at: 1)?.confirmed == 0)
            _ = watched.tracker.document
        }
    }

    @Test(arguments: [
        "[]", "3", "null", #"{"/feeds/shop/ios/bellerophon.json":3}"#, #"{"/feeds/shop/ios/bellerophon.json":{"tag":null}}"#, "{\"\":{}}",
    ])
    func aDocumentThatIsNoneBeginsAnew(_ text: String) throws {
        let watched = try Watched()
        watched.tracker.restore(try JSONReader.read(text))
        watched.tracker.sample(at: Watched.time(1))
        #expect(watched.reach(at: 1) == nil)
    }

    @Test func theGreatestCountGoesOn() throws {
        let watched = try Watched()
        let greatest = ReachTracker.greatestCount
        let tag = JSONValue.string(try watched.polls().etag).text
        let entry =
            #"{"\#(Watched.path)":{"tag":\#(tag),"confirmed":\#(greatest),"replaced":\#(greatest),"fetched":\#(greatest),"lastStale":"9998-12-31T23:59:59Z"}}"#
        watched.tracker.restore(try JSONReader.read(entry))
        try watched.polls().polls.countConfirmed()
        watched.tracker.sample(at: Watched.time(1))
        #expect(watched.reach(at: 1)?.confirmed == greatest + 1)
        #expect(watched.reach(at: 1)?.secondsSinceStale == 0)
    }

    /// Who reads a document is known over a change and over a restart, whatever revision comes after it.
    @Test func whenAFeedWasPolledIsKept() throws {
        let watched = try Watched()
        try watched.polls().polls.countFetched()
        watched.tracker.sample(at: Watched.time(1))
        try watched.publish(Self.killed)
        watched.tracker.sample(at: Watched.time(2))
        #expect(watched.tracker.polledFeeds(of: Watched.target, at: Watched.time(2)) == [.bellerophon])
        let restarted = try Watched()
        restarted.tracker.restore(watched.tracker.document)
        restarted.tracker.sample(at: Watched.time(3))
        #expect(restarted.tracker.polledFeeds(of: Watched.target, at: Watched.time(86_400)) == [.bellerophon])
        #expect(restarted.tracker.polledFeeds(of: Watched.target, at: Watched.time(86_401)) == [])
        #expect(restarted.reach(at: 3)?.fetched == 0)
    }

    @Test func aFeedThatIsGoneIsForgotten() throws {
        let watched = try Watched()
        try watched.polls().polls.countFetched()
        watched.tracker.sample(at: Watched.time(1))
        #expect(watched.reach(at: 1)?.fetched == 1)
        watched.table.publish([(Watched.target.app, nil)])
        watched.tracker.sample(at: Watched.time(2))
        #expect(watched.reach(at: 2) == nil)
    }
}
