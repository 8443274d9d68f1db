import GateAdminClient

/// What a read brought, or nil when the server says that it is not there.
func found<Answer>(_ read: () async throws -> Answer) async throws -> Answer? {
    do {
        return try await read()
    } catch let error as AdminClientError {
        if error.status == 404 { return nil }
        throw error
    }
}
