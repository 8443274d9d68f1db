import GateJSON
import GateModel

/// Reads a row of which something may be lost: what can be read is taken, what cannot has a substitute, and the first fault is remembered.
///
/// Of one row that cannot be read, a list says so and goes on with the next; it does not go away as a whole.
struct Salvage {
    /// Why something could not be read, as the end of a sentence; nil when all could.
    private(set) var fault: String?

    mutating func take<Value>(_ name: String, or substitute: @autoclosure () -> Value, _ read: () throws -> Value) -> Value {
        do { return try read() } catch {
            if fault == nil { fault = Self.fault(error, name) }
            return substitute()
        }
    }

    /// What a reader of a row made of it, or what `salvage` can save when it could not.
    /// - Throws: SQLite's own errors, which say nothing about the row.
    static func read<Value>(_ read: () throws -> Value, or salvage: (any Error) throws -> Value) throws -> Value {
        do { return try read() } catch let error as SQLError { throw error } catch { return try salvage(error) }
    }

    /// - Parameter name: of the column or member.
    static func fault(_ error: any Error, _ name: String) -> String {
        switch error {
        case let error as ModelError: "\(name)\(error.field) cannot be read: \(error.detail)"
        case let error as JSONError: "\(name) is not JSON: \(error)"
        case is SQLDecodingError: "\(name) is missing or not of its column's type"
        case let error as StoreError: error.detail
        default: "\(name) cannot be read"
        }
    }
}

extension Actor {
    /// Stands where it cannot be read who it was.
    static let unreadable = Actor(kind: .system, name: "unreadable")
}

extension Timestamp {
    /// Stands where it cannot be read when it was.
    static let unreadable = Timestamp(milliseconds: 0)
}
