@testable import GateService

extension Ledger {
    /// Looks once whether another server has written anything, and takes it over; see ``learn(from:)``.
    @discardableResult
    func learn() throws(ServiceError) -> Bool {
        guard let store = reachableStore else { throw unavailable() }
        return try learn(from: store)
    }
}
