import GateAPI
import GateAdminClient
import GateModel

extension DryRunOption {
    /// What the server would refuse of the write itself, for a dry run, and what is wrong with the server, which may refuse it all.
    /// - Parameters:
    ///   - role: the least that the write needs; nil if the server has been asked for something that needs as much.
    ///   - fault: why the values that were typed are refused: the code and a sentence without its full stop; nil if they are not.
    /// - Throws: not allowed (4), input refused (8); nothing unless a dry run is asked for.
    func check(_ session: Session, needs role: Role? = nil, fault: (code: String, sentence: String)? = nil) async throws {
        guard isAsked else { return }
        session.warn(of: try await session.client.status().health)
        if let role { try await session.require(role) }
        if let fault { throw Failure(.refused, fault.code, fault.sentence) }
    }
}
