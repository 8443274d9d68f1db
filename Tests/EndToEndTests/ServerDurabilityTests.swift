import Foundation
import GateAPI
import GateAdminClient
import GateModel
import GateTesting
import Synchronization
import Testing

/// What was acknowledged stays, and what was tampered with is found.
struct ServerDurabilityTests {
    @Test func whatWasAcknowledgedIsThereAfterKill9() async throws {
        let server = try await Server.withShop()
        for revision in 1...6 {
            let text = revision.isMultiple(of: 2) ? nil : "Text \(revision)"
            _ = try await server.client().kill(text, at: revision)
            await server.kill()
            try await server.start()
            let feed = try await server.feedText("/feeds/shop/ios/bellerophon.json")
            #expect(feed == #"{"apiInactive":\#(text != nil),"forceUpdate":false,"retryInterval":15,"userMessage":"\#(text ?? "")"}"#)
            #expect(try await server.client().target("shop", "ios").target.revision == revision + 1)
        }
        await server.kill()
        let verify = try await server.gatehouse("verify")
        #expect(verify.status == 0, "\(verify)")
    }

    @Test func oneChangedByteOfTheHistoryIsFoundAndItsRowNamed() async throws {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Back.", at: 1, reason: "INC-123")
        let sequence = try await server.client().status().sequence
        #expect(await server.stop() == 0)
        #expect(try await server.gatehouse("verify").status == 0)
        let file = server.data + "/gatehouse.sqlite"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        var found = 0
        while let range = bytes.range(of: Data("INC-123".utf8)) {
            bytes[range.upperBound - 1] = UInt8(ascii: "4")
            found += 1
        }
        try #require(found > 0)
        try bytes.write(to: URL(fileURLWithPath: file))
        let verify = try await server.gatehouse("verify")
        #expect(verify.status == 1)
        #expect(verify.err.contains("\(sequence)"), "\(verify)")
    }

    @Test func aSecondServerOnTheSameDataSaysSoAndLeaves() async throws {
        let server = try await Server.withShop()
        let second = try await server.gatehouse("serve", "--listen", "127.0.0.1:0", "--feeds", "127.0.0.1:0")
        #expect(second.status != 0)
        #expect(second.out == "")
        #expect(second.err.contains("in use"), "\(second)")
        #expect(try await server.feed("/feeds/shop/launchgate.json").status == 200)
    }

    /// R17: nobody who polls keeps the server from its end (that no answer is cut is StopTests' part); and, as R1 asks after a kill, what
    /// was acknowledged until then is there at the next start.
    @Test func aStopUnderLoadIsAnOrderlyEnd() async throws {
        let server = try await Server.withShop()
        for _ in 1...10 {
            let revision = try await server.client().target("shop", "ios").target.revision
            let acknowledged = Mutex<[(sequence: Int, revision: Int)]>([])
            let writer = Task {
                let client = try server.client()
                // Until the server is gone.
                for next in (revision + 1)... {
                    guard let change = try? await client.kill("Text \(next)", at: next - 1).change else { return }
                    acknowledged.withLock { $0.append((change.sequence, next)) }
                }
            }
            let load = Task {
                await withTaskGroup(of: Void.self) { group in
                    for _ in 1...8 {
                        group.addTask { while !Task.isCancelled, (try? await server.feed("/feeds/shop/launchgate.json")) != nil {} }
                    }
                }
            }
            #expect(try await server.feed("/feeds/shop/launchgate.json").status == 200)
            try await waitUntil("three changes are acknowledged") { acknowledged.withLock { $0.count >= 3 } }
            let begun = ContinuousClock.now
            #expect(await server.stop() == 0)
            #expect(ContinuousClock.now - begun < .seconds(10), "five, where nobody else uses the machine")
            load.cancel()
            await load.value
            try await writer.value
            try await server.start()
            let client = try server.client()
            for (sequence, revision) in acknowledged.withLock({ $0 }) {
                let change = try await client.change(sequence)
                #expect(change.targets.map(\.revision) == [revision])
            }
            // One whose answer was lost with the server may be there too.
            let kept = try await client.target("shop", "ios").target.revision
            let last = acknowledged.withLock { $0.last?.revision ?? 0 }
            #expect((last...last + 1).contains(kept))
        }
        #expect(await server.stop() == 0)
        #expect(try await server.gatehouse("verify").status == 0)
    }

    @Test func theFeedsOfARestartedServerAreTheSameBytes() async throws {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Zurück um 9 – versprochen.", at: 1)
        let paths = [
            "/feeds/shop/launchgate.json", "/feeds/shop/prince-of-versions.json", "/feeds/shop/ios/bellerophon.json",
            "/feeds/shop/ios/combined.json", "/feeds/shop/ios/gate.json",
        ]
        var before: [[UInt8]] = []
        for path in paths { before.append(try await server.feed(path).body) }
        #expect(await server.stop() == 0)
        try await server.start()
        for (path, bytes) in zip(paths, before) { #expect(try await server.feed(path).body == bytes, "\(path)") }
    }
}
