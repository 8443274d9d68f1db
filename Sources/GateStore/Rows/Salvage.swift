import GateJSON
import GateModel

/// Reads a row that may be partly unreadable: what can be read is taken, the rest gets a substitute, and the first fault is remembered.
///
/// So a list with one unreadable row reports that row and goes on, instead of failing as a whole.
struct Salvage {
    /// Why something could not be read, as the end of a sentence; nil when everything could.
    private(set) var fault: String?

    mutating func take<Value>(_ name: String, or substitute: @autoclosure () -> Value, _ read: () throws -> Value) -> Value {
        do { return try read() } catch {
            if fault == nil { fault = Self.fault(error, name) }
            return substitute()
        }
    }

    /// The result of reading a row, or what `salvage` can save when that failed.
    /// - Throws: the engine's own errors, which say nothing about the row.
    static func read<Value>(_ read: () throws -> Value, or salvage: (any Error) throws -> Value) throws -> Value {
        do { return try read() } catch let error as SQLError { throw error } catch { return try salvage(error) }
    }

    /// - Parameter name: the name of the column or member.
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
    /// Stands for an actor that cannot be read.
    static let unreadable = Actor(kind: .system, name: "unreadable")
}

extension Timestamp {
    /// Stands for a time that cannot be read.
    static let unreadable = Timestamp(milliseconds: 0)
}
