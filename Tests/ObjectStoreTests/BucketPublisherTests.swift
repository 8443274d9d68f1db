import GateHTTP
import GateTesting
import MicroHTTP
import ObjectStore
import Synchronization
import Testing

/// What lies in a bucket is what is published, whatever happens to requests, over real sockets.
@Suite(.timeLimit(.minutes(2)))
final class BucketPublisherTests {
    private let store = StoreOfObjects()
    private let clock = TestClock()
    private let server: HTTPServer
    private let bucket: Bucket

    init() throws {
        server = try HTTPServer(configuration: HTTPServer.Configuration(), responder: store) { _, _ in }
        bucket = try Bucket(
            BucketAddress("s3://feeds/one", endpoint: "http://127.0.0.1:\(server.port)", region: "us-east-1"),
            environment: ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]
        )
    }

    deinit { server.stop(grace: .zero) }

    private func publisher(goesOverNewer: Bool = false) -> BucketPublisher {
        BucketPublisher(bucket, goesOverNewer: goesOverNewer) { [clock] in clock.uptime }
    }

    private func publish(
        _ apps: [String: [String: String]],
        to publisher: BucketPublisher,
        of history: String? = "h1",
        upTo sequence: Int,
        isWhole: Bool = true
    ) {
        let groups = apps.map { name, documents in
            (
                name: name,
                documents: documents.mapValues {
                    BucketObject(body: Array($0.utf8), contentType: FeedLike.contentType, cacheControl: FeedLike.cacheControl)
                }
            )
        }
        publisher.publish(groups, of: history, upTo: sequence, isWhole: isWhole)
    }

    /// Has it work until there is nothing left to do at once.
    private func settle(_ publisher: BucketPublisher) { while publisher.keep() {} }

    /// Lets the minute go by after which it has compared everything for the second time.
    private func passFirstMinute(_ publisher: BucketPublisher) {
        settle(publisher)
        clock.advance(seconds: 60)
        settle(publisher)
    }

    private var bodies: [String: String] { store.objects.mapValues(\.body) }

    @Test func whatIsPublishedIsThereAndWhatGoesIsNot() {
        let publisher = publisher()
        publish(["shop": ["/feeds/shop/a.json": "1", "/old.json": "1"]], to: publisher, upTo: 1)
        settle(publisher)
        #expect(bodies == ["/feeds/shop/a.json": "1", "/old.json": "1"])
        #expect(publisher.isSettled)

        // An address that moves from one app to the other, and one that goes.
        publish(["bank": ["/old.json": "2"], "shop": ["/feeds/shop/a.json": "2"]], to: publisher, upTo: 2)
        settle(publisher)
        #expect(bodies == ["/feeds/shop/a.json": "2", "/old.json": "2"])
        #expect(store.objects["/old.json"]?.sequence == 2)

        publish(["bank": [:]], to: publisher, upTo: 3)
        settle(publisher)
        #expect(bodies == ["/feeds/shop/a.json": "2"])
        #expect(publisher.figures.pending == 0)
    }

    @Test func onlyWhatChangedIsSent() {
        let publisher = publisher()
        publish(["shop": ["/a.json": "1", "/b.json": "1"]], to: publisher, upTo: 1)
        settle(publisher)
        store.forgetRequests()
        publish(["shop": ["/a.json": "1", "/b.json": "2"]], to: publisher, upTo: 2)
        settle(publisher)
        // The mark before what it speaks of.
        #expect(store.requests == ["GET .gatehouse/mark.json", "PUT .gatehouse/mark.json", "PUT /b.json"])
    }

    @Test func afterANewStartWhatIsThereAsItShouldBeIsLookedAtAlone() {
        let first = publisher()
        publish(["shop": ["/a.json": "1"], "gone": ["/gone.json": "1"]], to: first, upTo: 2)
        settle(first)
        store.forgetRequests()
        let second = publisher()
        publish(["shop": ["/a.json": "1"]], to: second, upTo: 2)
        settle(second)
        // What went while nobody published goes now.
        #expect(bodies == ["/a.json": "1"])
        #expect(!store.requests.contains("PUT /a.json"))
    }

    @Test func whatTheStoreLosesOrAltersIsMendedWithinTheHour() {
        let publisher = publisher()
        publish(["shop": ["/a.json": "1", "/b.json": "1", "/c.json": "1"]], to: publisher, upTo: 1)
        passFirstMinute(publisher)
        store.put(nil, at: "/a.json")
        store.put(.init(body: "other", sequence: nil), at: "/b.json")
        store.put(.init(body: "1", sequence: 1, cacheControl: "public, max-age=86400"), at: "/c.json")
        clock.advance(seconds: 3_599)
        settle(publisher)
        #expect(bodies["/a.json"] == nil)
        clock.advance(seconds: 1)
        settle(publisher)
        #expect(bodies == ["/a.json": "1", "/b.json": "1", "/c.json": "1"])
        #expect(store.objects["/c.json"]?.cacheControl == FeedLike.cacheControl)
        #expect(publisher.figures.mended == 3)
    }

    @Test func aStoreThatFailsIsAskedAgainAndNotHammered() throws {
        let publisher = publisher()
        publish(["shop": ["/a.json": "1"]], to: publisher, upTo: 1)
        settle(publisher)
        publish(["shop": ["/a.json": "2"]], to: publisher, upTo: 2)
        store.fail(Array(repeating: 503, count: 1_000))
        var asked: [Int] = []
        for _ in 0..<60 {
            store.forgetRequests()
            settle(publisher)
            asked.append(store.requests.count)
            clock.advance(seconds: 1)
        }
        // Soon at first, then every ten seconds.
        #expect(asked[0...3].allSatisfy { $0 > 0 })
        #expect((8...14).contains(asked.count { $0 > 0 }))
        #expect(publisher.figures.fault?.status == 503)
        #expect(publisher.figures.waiting == .seconds(60))
        store.fail([])
        clock.advance(seconds: 10)
        settle(publisher)
        #expect(bodies == ["/a.json": "2"])
        #expect(publisher.figures.fault == nil)
        #expect(publisher.figures.waiting == nil)
    }

    /// A write that nobody waited for any more, carried out by the store when a newer one is there already.
    @Test func anOlderDocumentThatComesLateIsGoneOver() {
        let publisher = publisher()
        publish(["shop": ["/a.json": "1"]], to: publisher, upTo: 1)
        passFirstMinute(publisher)
        publish(["shop": ["/a.json": "2"]], to: publisher, upTo: 2)
        // The mark is read and written; the document's own write is lost for now.
        store.fail([nil, nil, 504])
        settle(publisher)
        store.fail([])
        publish(["shop": ["/a.json": "3"]], to: publisher, upTo: 3)
        clock.advance(seconds: 1)
        settle(publisher)
        #expect(bodies == ["/a.json": "3"])
        #expect(!publisher.isSettled)
        store.put(.init(body: "2", sequence: 2), at: "/a.json")
        clock.advance(seconds: 60)
        settle(publisher)
        #expect(bodies == ["/a.json": "3"])
        #expect(publisher.isSettled)
    }

    /// The process that sent it is gone, and with it the memory that it may still come.
    @Test func whatAnEarlierProcessSentAndTheStoreCarriesOutLateIsGoneOver() {
        let first = publisher()
        publish(["shop": ["/a.json": "open"]], to: first, upTo: 1)
        settle(first)
        let second = publisher()
        publish(["shop": ["/a.json": "blocked"]], to: second, upTo: 2)
        settle(second)
        store.put(.init(body: "open", sequence: 1), at: "/a.json")
        clock.advance(seconds: 59)
        settle(second)
        #expect(bodies == ["/a.json": "open"])
        clock.advance(seconds: 1)
        settle(second)
        #expect(bodies == ["/a.json": "blocked"])
    }

    /// A document of an app that is gone by the time at which the store carries out the write.
    @Test(arguments: [false, true])
    func whatComesLateOfARemovedAppGoesToo(isRestarted: Bool) {
        let first = publisher()
        publish(["shop": ["/shop.json": "1"], "bank": ["/bank.json": "1"]], to: first, upTo: 1)
        passFirstMinute(first)
        publish(["bank": ["/bank.json": "2"]], to: first, upTo: 2)
        store.fail([nil, nil, 504])
        settle(first)
        store.fail([])
        publish(["bank": [:]], to: first, upTo: 3)
        settle(first)
        #expect(bodies == ["/shop.json": "1"])
        let last = isRestarted ? publisher() : first
        if isRestarted {
            publish(["shop": ["/shop.json": "1"]], to: last, upTo: 3)
            settle(last)
        }
        store.put(.init(body: "2", sequence: 2), at: "/bank.json")
        clock.advance(seconds: 60)
        settle(last)
        #expect(bodies == ["/shop.json": "1"])
        #expect(store.notes["paths.json"]?.contains("bank") == false)
    }

    /// Without them another console could publish there, and nobody would find what is withdrawn while no server runs.
    @Test(arguments: ["mark.json", "paths.json"])
    func aNoteThatTheStoreLosesIsWrittenAgain(name: String) {
        let publisher = publisher()
        publish(["shop": ["/a.json": "1"]], to: publisher, upTo: 1)
        passFirstMinute(publisher)
        let before = store.notes
        store.put(nil, at: ".gatehouse/" + name)
        clock.advance(seconds: 3_600)
        settle(publisher)
        #expect(store.notes == before)
        #expect(before[name] != nil)
    }

    @Test(arguments: [
        // Another console's, a newer state's, and what is none of ours.
        (#"{"format":1,"history":"h2","sequence":1}"#, ObjectStoreError.Code.foreign),
        (#"{"format":1,"history":"h1","sequence":9}"#, .newer), (#"{"format":1,"history":null,"sequence":9}"#, .newer),
        ("<html>", .foreign),
    ])
    func nothingGoesOverWhatIsNewerOrOfOthers(mark: String, code: ObjectStoreError.Code) {
        store.put(.init(body: mark), at: ".gatehouse/mark.json")
        store.put(.init(body: "theirs", sequence: 9), at: "/a.json")
        let publisher = publisher()
        publish(["shop": ["/a.json": "1", "/b.json": "1"]], to: publisher, upTo: 8)
        for _ in 0..<20 {
            settle(publisher)
            clock.advance(seconds: 10)
        }
        #expect(bodies == ["/a.json": "theirs"])
        #expect(publisher.figures.fault?.code == code)
    }

    @Test func aNewerDocumentUnderAnOlderMarkStays() {
        let publisher = publisher()
        store.put(.init(body: "theirs", sequence: 9), at: "/a.json")
        publish(["shop": ["/a.json": "1"]], to: publisher, upTo: 8)
        settle(publisher)
        #expect(bodies == ["/a.json": "theirs"])
        #expect(publisher.figures.fault?.code == .newer)
        // It has come as far itself.
        clock.advance(seconds: 10)
        publish(["shop": ["/a.json": "2"]], to: publisher, upTo: 9)
        settle(publisher)
        #expect(bodies == ["/a.json": "2"])
    }

    @Test func whoeverDecidedSoGoesOverNewerDocumentsAndTheServerOverTheirs() {
        let server = publisher()
        publish(["shop": ["/a.json": "blocked", "/b.json": "1"]], to: server, upTo: 9)
        settle(server)
        let byHand = publisher(goesOverNewer: true)
        publish(["export": ["/a.json": "open"]], to: byHand, of: nil, upTo: 7, isWhole: false)
        settle(byHand)
        #expect(bodies == ["/a.json": "open", "/b.json": "1"])
        // The server is back, and knows better.
        let again = publisher()
        publish(["shop": ["/a.json": "blocked", "/b.json": "1"]], to: again, upTo: 9)
        settle(again)
        #expect(bodies == ["/a.json": "blocked", "/b.json": "1"])
        #expect(again.figures.fault == nil)
    }

    @Test func aKillDoesNotWaitForThousandsThatAreOnlyLookedAt() {
        let publisher = publisher()
        var many: [String: String] = [:]
        for number in 0..<500 { many["/feeds/app/\(number).json"] = "1" }
        publish(["many": many, "shop": ["/shop.json": "open"]], to: publisher, upTo: 1)
        #expect(publisher.keep())
        #expect(publisher.figures.unchecked > 300)
        publish(["shop": ["/shop.json": "blocked"]], to: publisher, upTo: 2)
        store.forgetRequests()
        #expect(publisher.keep())
        #expect(bodies["/shop.json"] == "blocked")
        #expect(store.requests.count < 200)
        settle(publisher)
        #expect(bodies.count == 501)
    }

    /// A slow store takes seconds for the documents of one round alone.
    @Test func nothingIsComparedAnyMoreOnceThereIsAChange() {
        let publisher = publisher()
        let documents = Dictionary(uniqueKeysWithValues: (0..<40).map { ("/\($0).json", "1") })
        publish(["shop": documents], to: publisher, upTo: 1)
        settle(publisher)
        clock.advance(seconds: 60)
        store.forgetRequests()
        let asked = Atomic(0)
        #expect(publisher.keep { asked.wrappingAdd(1, ordering: .relaxed).newValue > 10 }, "The rest is to be compared.")
        #expect(store.requests.filter { $0.hasPrefix("GET /") }.count == 10)
        publish(["bank": ["/kill.json": "kill"]], to: publisher, upTo: 2)
        #expect(publisher.keep { true })
        #expect(bodies["/kill.json"] == "kill")
        #expect(store.requests.filter { $0.hasPrefix("GET /") }.count == 10)
        settle(publisher)
        #expect(Set(store.requests.filter { $0.hasPrefix("GET /") }).isSuperset(of: documents.keys.map { "GET \($0)" }))
    }

    /// Its app waits already, behind thousands that came later.
    @Test func aKillOfWhatIsWaitingGoesFirst() {
        let publisher = publisher()
        var many: [String: String] = [:]
        for number in 0..<200 { many["/feeds/app/\(number).json"] = "1" }
        publish(["many": many, "shop": ["/shop.json": "open"]], to: publisher, upTo: 1)
        settle(publisher)
        store.fail(Array(repeating: 503, count: 1_000))
        publish(["shop": ["/shop.json": "alert"]], to: publisher, upTo: 2)
        publish(["many": many.mapValues { _ in "2" }], to: publisher, upTo: 3)
        settle(publisher)
        publish(["shop": ["/shop.json": "blocked"]], to: publisher, upTo: 4)
        store.fail([])
        #expect(publisher.keep())
        #expect(bodies["/shop.json"] == "blocked")
        settle(publisher)
        #expect(publisher.isPublished)
        #expect(bodies.values.count { $0 == "2" } == 200)
    }

    @Test func aFirstPublicationNotesItsPathsOnce() {
        let publisher = publisher()
        var many: [String: String] = [:]
        for number in 0..<300 { many["/feeds/app/\(number).json"] = "1" }
        publish(["many": many], to: publisher, upTo: 1)
        settle(publisher)
        #expect(bodies.count == 300)
        #expect(store.requests.count { $0 == "PUT .gatehouse/paths.json" } == 1)
        #expect(publisher.figures.mended == 0)
    }

    @Test func whereNotEverythingIsKnownNothingIsTakenAway() {
        let first = publisher()
        publish(["shop": ["/shop.json": "1"], "bank": ["/bank.json": "1"]], to: first, upTo: 2)
        settle(first)
        // A start that could not read the bank's feeds.
        let second = publisher()
        publish(["shop": ["/shop.json": "2"]], to: second, upTo: 3, isWhole: false)
        settle(second)
        #expect(bodies == ["/shop.json": "2", "/bank.json": "1"])
        let third = publisher()
        publish(["shop": ["/shop.json": "2"]], to: third, upTo: 3)
        settle(third)
        #expect(bodies == ["/shop.json": "2"])
    }

    /// What a store does not take of one app is no reason to wait with another's.
    @Test func aDocumentThatIsRefusedKeepsNoOtherWaiting() {
        let publisher = publisher()
        var refused: [String: String] = [:]
        for number in 0..<200 { refused["/refused/\(number).json"] = "1" }
        publish(["shop": ["/shop.json": "open"]], to: publisher, upTo: 1)
        settle(publisher)
        store.refuse("/refused/")
        publish(["other": refused], to: publisher, upTo: 2)
        for _ in 0..<10 {
            settle(publisher)
            clock.advance(seconds: 10)
        }
        #expect(publisher.figures.fault?.status == 403)
        publish(["shop": ["/shop.json": "blocked"]], to: publisher, upTo: 3)
        publisher.keep()
        #expect(bodies["/shop.json"] == "blocked")
    }

    /// Nor a reason not to look at all others.
    @Test func documentsThatAreRefusedKeepNoOtherFromBeingCompared() {
        let publisher = publisher()
        store.refuse("/a/")
        var documents = ["/shop.json": "open"]
        for number in 0..<100 { documents["/a/\(number).json"] = "1" }
        publish(["all": documents], to: publisher, upTo: 1)
        for _ in 0..<5 {
            settle(publisher)
            clock.advance(seconds: 10)
        }
        #expect(bodies == ["/shop.json": "open"])
        #expect(publisher.figures.fault?.status == 403)
        #expect(publisher.figures.unchecked == 100)
        #expect(!publisher.isPublished)
    }

    /// Nor, if it goes on for hours, from being compared again.
    @Test func aDocumentThatIsRefusedForEverKeepsNoLaterComparisonFromBeginning() {
        let publisher = publisher()
        store.refuse("/a/")
        publish(["all": ["/a/1.json": "1", "/shop.json": "blocked"]], to: publisher, upTo: 1)
        passFirstMinute(publisher)
        store.put(.init(body: "open", sequence: nil), at: "/shop.json")
        clock.advance(seconds: 3_600)
        settle(publisher)
        #expect(bodies == ["/shop.json": "blocked"])
        #expect(publisher.figures.unchecked == 1)
    }

    /// It goes away in the midst of a round: what was tried and what was not comes all the same when it is back.
    @Test func aStoreThatGoesAwayHasEverythingWhenItIsBack() throws {
        let publisher = publisher()
        func documents(_ body: String) -> [String: String] {
            Dictionary(uniqueKeysWithValues: (0..<60).map { ("/feeds/app/\($0).json", body) })
        }
        publish(["many": documents("1")], to: publisher, upTo: 1)
        settle(publisher)
        server.stop(grace: .zero)
        // Of the same change, so that nothing has to be asked before.
        publish(["many": documents("2")], to: publisher, upTo: 1)
        #expect(!publisher.keep())
        #expect(publisher.figures.fault?.code == .unreachable)
        #expect(publisher.figures.pending == 60)
        var configuration = HTTPServer.Configuration()
        configuration.port = server.port
        let again = try HTTPServer(configuration: configuration, responder: store) { _, _ in }
        defer { again.stop(grace: .zero) }
        clock.advance(seconds: 10)
        settle(publisher)
        #expect(bodies == documents("2"))
        #expect(publisher.isPublished)
    }

    @Test func beforeTheFirstChangeNothingIsPublished() {
        let publisher = publisher()
        publish(["keys": ["/feeds/keys.json": "{}"]], to: publisher, upTo: 0)
        settle(publisher)
        #expect(store.requests.isEmpty)
    }
}
