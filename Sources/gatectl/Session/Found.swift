import GateAdminClient

/// The result of a read, or nil when the server says that there is no such thing.
func found<Answer>(_ read: () async throws -> Answer) async throws -> Answer? {
    do {
        return try await read()
    } catch let error as AdminClientError {
        if error.status == 404 { return nil }
        throw error
    }
}
