import Dispatch
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// A server that starts while another one of its database writes.
@Suite(.timeLimit(.minutes(2))) struct SharedStartTests {
    private func start(_ house: House) throws {
        try house.close()
        var configuration = house.configuration()
        configuration.busyTimeout = 20
        try house.ledger.start(with: Store(configuration))
        house.ledger.historyChecked(fault: nil)
    }

    /// What was committed between two reads of the start is not told twice to those who poll for news.
    @Test func eachChangeIsToldOnce() throws {
        let writing = try House(server: PostgresCluster.shared().database())
        try writing.add("shop", "ios")
        let starting = try writing.killed()
        for house in [writing, starting] { try start(house) }
        let isOver = Mutex(false)
        let results = Mutex<[Result<Void, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            let result = Result {
                if index == 0 {
                    var round = 0
                    while !isOver.withLock({ $0 }) {
                        round += 1
                        try writing.set("shop/ios", to: #"{"alert":{"message":"\#(round)","blocking":false}}"#)
                    }
                } else {
                    defer { isOver.withLock { $0 = true } }
                    for _ in 0..<25 { try restartAndCompare(starting) }
                }
            }
            results.withLock { $0.append(result) }
        }
        for result in results.withLock(\.self) { try result.get() }
    }

    private func restartAndCompare(_ house: House) throws {
        try start(house)
        // All of these are among what the start keeps.
        let after = max(0, house.ledger.sequence - 100)
        house.ledger.lookForNews()
        let told = house.ledger.events(after: after, for: .admin)
        #expect(told.items?.map(\.sequence) == Array(after + 1...told.sequence))
    }
}
