import Dispatch
import Foundation
import GateThreads
import Synchronization
import Testing

@Suite struct WorkerThreadTests {
    @Test func whoWaitsSeesWhatWasDone() {
        let thread = WorkerThread("a test")
        let done = Atomic(0)
        thread.start {
            for _ in 0..<1_000 { done.add(1, ordering: .relaxed) }
        }
        // Anybody, and as often as they like.
        DispatchQueue.concurrentPerform(iterations: 4) { _ in #expect(thread.join()) }
        #expect(done.load(ordering: .relaxed) == 1_000)
        #expect(thread.join(patience: .milliseconds(0)))
    }

    @Test func patienceEndsBeforeTheWork() {
        let (thread, end) = (WorkerThread("a test"), Alarm())
        thread.start { _ = end.wait(for: .never) }
        #expect(!thread.join(patience: .milliseconds(20)))
        end.ring()
        #expect(thread.join())
    }

    @Test func nobodyWaitsForWhatNeverBegan() {
        #expect(WorkerThread("a test").join())
    }

    @Test func theWorkGoesOnWithoutWhoeverBeganIt() {
        let (end, over) = (Alarm(), Alarm())
        do {
            WorkerThread("a test").start {
                _ = end.wait(for: .never)
                over.ring()
            }
        }
        end.ring()
        #expect(over.wait(for: .never))
    }

    @Test(arguments: [("schedule", "schedule"), ("a name that is longer", "a name that is ")])
    func theSystemCallsItByItsName(name: String, called: String) {
        let thread = WorkerThread(name)
        let read = Mutex("")
        thread.start {
            let own = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "no file"
            read.withLock { $0 = own }
        }
        thread.join()
        #expect(read.withLock { $0 } == called + "\n")
    }
}
