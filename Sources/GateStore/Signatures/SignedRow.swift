import Foundation
import GateCrypto

/// A row of a signed table, with everything that its signature covers.
struct SignedRow {
    let table: SignedTable
    /// In the order of ``SignedTable/keyColumns``.
    let key: [SQLValue]
    /// In the order of ``SignedTable/columns``.
    let values: [SQLValue]
    /// Nil for a row that was never signed.
    let generation: Int?
    let signature: [UInt8]?

    var name: String { table.name(ofKey: key) }
    var isLive: Bool { table.isLive(values) }

    /// - Parameters:
    ///   - row: with all columns of the table.
    ///   - keyPrefix: a prefix before the names of the key's columns.
    /// - Throws: ``SQLDecodingError`` for a row that lacks a column.
    init(_ row: SQLRow, of table: SignedTable, keyPrefix: String = "") throws {
        func value(_ column: String) throws -> SQLValue { try row.stored(column) }
        self.table = table
        key = try table.keyColumns.map { try value(keyPrefix + $0) }
        values = try table.columns.map(value)
        generation = try value("generation").integer
        signature = try value("signature").blob
    }

    /// A row as ``SignatureTriggers`` report it.
    init(table: SignedTable, key: [SQLValue], values: [SQLValue], generation: SQLValue, signature: SQLValue) {
        self.table = table
        self.key = key
        self.values = values
        self.generation = generation.integer
        self.signature = signature.blob
    }

    /// The row's signature under a key, for that generation.
    func signature(_ hash: KeyedHash, generation: Int) -> [UInt8] { hash.hash(of: bytes(generation: generation)) }

    func isSigned(_ hash: KeyedHash) -> Bool {
        guard let generation, let signature else { return false }
        return hash.matches(signature, bytes(generation: generation))
    }

    /// Every part of variable length is preceded by its length, and NULL columns are left out, as in ``ChainLink``.
    private func bytes(generation: Int) -> [UInt8] {
        var bytes = PrefixedBytes(domain: "gatehouse row 1")
        bytes.append(Array(table.rawValue.utf8))
        bytes.append(generation)
        bytes.append(values.count { !$0.isNull })
        for (name, value) in zip(table.columns, values) {
            guard let value = value.bytes else { continue }
            bytes.append(Array(name.utf8))
            bytes.append(value)
        }
        return bytes.bytes
    }
}
