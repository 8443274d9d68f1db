import GateModel
import GateStore

extension Health {
    /// What a database failure means, for anyone who may ask for the health. The error's own text may name files, so only its kind is
    /// given.
    static func reason(_ error: StoreError) -> String {
        switch error.code {
        case .full: "database: the disk is full; changes are refused"
        case .readOnly: "database: it cannot be written; changes are refused"
        case .busy: "database: another program holds it; changes are refused"
        case .io: "database: the disk answers with errors; changes are refused"
        case .corrupt: "database: corrupt; changes are refused"
        default: "database: it cannot be read; changes are refused"
        }
    }
}
