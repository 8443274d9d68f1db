import GateAPI
import GateAdminClient
import GateModel

extension Server {
    /// A backup made by request, which is refused while the clock's own first one is not over, though it is listed already.
    func createBackup() async throws -> ListedBackup {
        while true {
            do {
                return try await client().createBackup()
            } catch let error as AdminClientError {
                guard error.problem?.code == "backup_running" else { throw error }
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
