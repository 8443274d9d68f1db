package import GateAPI
package import GateModel

extension AdminClient {
    /// The rehearsals that the caller may manage, the newest first.
    package func rehearsals() async throws(AdminClientError) -> [Rehearsal] {
        try await call(.listRehearsals, as: PageBody<Rehearsal>.self).items
    }

    package func beginRehearsal(_ body: RehearsalRequest) async throws(AdminClientError) -> Rehearsal {
        try await call(.beginRehearsal, body: body, as: Rehearsal.self)
    }

    package func rehearsal(_ id: String) async throws(AdminClientError) -> Rehearsal {
        try await call(.rehearsal, [id], as: Rehearsal.self)
    }

    package func alterRehearsal(_ id: String, _ body: RehearsalPatch) async throws(AdminClientError) -> Rehearsal {
        try await call(.alterRehearsal, [id], body: body, as: Rehearsal.self)
    }

    package func endRehearsal(_ id: String) async throws(AdminClientError) { _ = try await ask(.delete, Self.path(.endRehearsal, [id])) }
}
