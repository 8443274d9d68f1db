import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    /// Answers once the file is on the disk and has been checked: this takes as long as reading the database twice, and occupies one of
    /// four workers.
    func createBackup(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        _ = try exchange.body(EmptyRequest.self, emptyAllowed: true)
        guard let backups else { throw .noBackups(of: ledger) }
        let kept = try backups.create(by: try exchange.requireCaller(), idempotency: try exchange.idempotency()) { backup in
            Answer(status: 201, body: backup.json.bytes)
        }
        return Self.response(kept)
    }

    func listBackups(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        guard let backups else { throw .noBackups(of: ledger) }
        let entries = try backups.list(by: try exchange.requireCaller())
        return .page(entries, hasMore: false, cursor: \.name, bytes: \.json.bytes)
    }
}
