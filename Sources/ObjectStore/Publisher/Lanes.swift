import Dispatch
import Synchronization

/// Requests to a store, several at once.
enum Lanes {
    /// Requests under way at once.
    private static let count = 8

    /// The result of each item, in the items' order. Each lane has its own thread, since it waits for the network.
    static func map<Item: Sendable, Answer: Sendable>(
        _ items: [Item],
        _ work: @Sendable @escaping (Item) -> Answer?
    ) -> [Answer?] {
        let answers = Mutex<[Answer?]>(Array(repeating: nil, count: items.count))
        let next = Atomic<Int>(0)
        let group = DispatchGroup()
        for lane in 0..<min(count, items.count) {
            DispatchQueue(label: "bucket \(lane)").async(group: group) {
                while true {
                    let place = next.wrappingAdd(1, ordering: .relaxed).oldValue
                    guard place < items.count else { return }
                    let answer = work(items[place])
                    answers.withLock { $0[place] = answer }
                }
            }
        }
        group.wait()
        return answers.withLock { $0 }
    }
}
