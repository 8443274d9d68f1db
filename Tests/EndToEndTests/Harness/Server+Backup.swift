import GateAPI
import GateAdminClient
import GateModel
import GateTesting
import Testing

extension Server {
    /// A backup made by request, which is refused while the clock's own first one is not over, though it is listed already.
    func createBackup() async throws -> ListedBackup {
        var made: ListedBackup?
        try await waitUntil("no other backup is made") {
            do {
                made = try await client().createBackup()
                return true
            } catch let error as AdminClientError {
                guard error.problem?.code == "backup_running" else { throw error }
                return false
            }
        }
        return try #require(made)
    }
}
