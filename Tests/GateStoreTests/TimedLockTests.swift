import Dispatch
import Foundation
import GateTesting
import Synchronization
import Testing

@testable import GateStore

@Suite struct TimedLockTests {
    /// Has the lock until it is told to let go.
    private final class Holder: Sendable {
        private let goes = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        init(_ lock: TimedLock) throws {
            Thread.detachNewThread { [goes, ended] in
                lock.withLock { goes.wait() }
                ended.signal()
            }
            try blockUntil("it has the lock") { lock.heldFor > .zero }
        }

        func end() {
            goes.signal()
            ended.wait()
        }
    }

    @Test func whoeverWaitsTooLongIsTold() throws {
        let lock = TimedLock()
        let holder = try Holder(lock)
        #expect(lock.withLock(patience: .milliseconds(20)) { true } == nil)
        holder.end()
        #expect(lock.heldFor == .zero)
        #expect(lock.withLock(patience: .milliseconds(20)) { true } == true)
        #expect(lock.heldFor == .zero)
    }

    @Test func itIsGivenInTheOrderOfComing() throws {
        let lock = TimedLock()
        let holder = try Holder(lock)
        let order = Mutex<[Int]>([])
        let done = DispatchGroup()
        for number in 0..<5 {
            done.enter()
            Thread.detachNewThread {
                if number.isMultiple(of: 2) {
                    lock.withLock { order.withLock { $0.append(number) } }
                } else {
                    _ = lock.withLock(patience: .seconds(60)) { order.withLock { $0.append(number) } }
                }
                done.leave()
            }
            try blockUntil("\(number) waits") { lock.waiters == number + 1 }
        }
        holder.end()
        done.wait()
        #expect(order.withLock { $0 } == Array(0..<5))
    }

    /// Each of them is a thread that answers requests: with a slow holder two wait, and all others are free soon.
    @Test func onlyAFewWaitForASlowHolder() throws {
        let lock = TimedLock()
        let holder = try Holder(lock)
        let outcomes = Mutex<[Bool]>([])
        let done = DispatchGroup()
        for _ in 0..<6 {
            done.enter()
            Thread.detachNewThread {
                let had = lock.withLock(patience: .seconds(60)) { true } ?? false
                outcomes.withLock { $0.append(had) }
                done.leave()
            }
        }
        try blockUntil("four are sent away") { outcomes.withLock { $0.count } == 4 }
        #expect(outcomes.withLock { $0 } == Array(repeating: false, count: 4))
        holder.end()
        done.wait()
        #expect(outcomes.withLock { $0.count(where: { $0 }) } == 2)
    }

    /// Many short holds are no slow one: nobody is sent away.
    @Test func aBusyLockServesEverybody() {
        let lock = TimedLock()
        let count = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 500) { _ in
            let had: Void? = lock.withLock(patience: .seconds(60)) { count.withLock { $0 += 1 } }
            #expect(had != nil)
        }
        #expect(count.withLock { $0 } == 500)
        #expect(lock.heldFor == .zero)
    }
}
