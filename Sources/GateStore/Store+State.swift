import GRDB
import GateJSON
import GateModel

extension Store {
    /// Everything that is in force. An app that cannot be read is sealed: it is told apart and keeps the others from nothing.
    /// - Throws: ``StoreError/Code/corrupt`` when a gate is not the one that the history says: what is read here is what phones obey.
    package func loadState() throws(StoreError) -> StoredState {
        try read("Reading the apps") { db in
            if let fault = try StateCheck.firstDoubt(in: db) { throw StoreError(.corrupt, "\(fault)") }
            return try StateLoader.load(from: db)
        }
    }
}
