import GateStore
import Logging
import Synchronization

/// Says once if another server of the same database goes by this one's name.
final class SharedName: Sendable {
    private let name: String
    private let log: Logger
    private let wasTold = Atomic<Bool>(false)

    init(_ name: String, log: Logger) { (self.name, self.log) = (name, log) }

    func look(at watch: StoreWatch?) {
        guard watch?.isNameShared == true, !wasTold.exchange(true, ordering: .relaxed) else { return }
        log.warning(
            "another server of this database has the same name, so that people see one of them at a time",
            metadata: ["name": "\(name)", "remedy": "Give each its own with --server-name."]
        )
    }
}
