import Foundation
import GRDB
import GateCrypto

/// A row of a signed table with what its signature is made of.
struct SignedRow {
    let table: SignedTable
    /// In the order of ``SignedTable/keyColumns``.
    let key: [DatabaseValue]
    /// In the order of ``SignedTable/columns``.
    let values: [DatabaseValue]
    /// Nil for a row that was never signed.
    let generation: Int?
    let signature: [UInt8]?

    var name: String { table.name(ofKey: key) }
    var isLive: Bool { table.isLive(values) }

    /// - Parameters:
    ///   - row: with all columns of the table.
    ///   - keyPrefix: what stands before the names of the key's columns.
    /// - Throws: GRDB's decoding error for a row that lacks one.
    init(_ row: Row, of table: SignedTable, keyPrefix: String = "") throws {
        func value(_ column: String) throws -> DatabaseValue { try row.decode(DatabaseValue.self, forColumn: column) }
        self.table = table
        key = try table.keyColumns.map { try value(keyPrefix + $0) }
        values = try table.columns.map(value)
        generation = Int.fromDatabaseValue(try value("generation"))
        signature = Data.fromDatabaseValue(try value("signature")).map(Array.init)
    }

    /// As ``SignatureTriggers`` hand it over.
    init(table: SignedTable, key: [DatabaseValue], values: [DatabaseValue], generation: DatabaseValue, signature: DatabaseValue) {
        self.table = table
        self.key = key
        self.values = values
        self.generation = Int.fromDatabaseValue(generation)
        self.signature = Data.fromDatabaseValue(signature).map(Array.init)
    }

    /// The signature that the row has under a key when it is of that generation.
    func signature(_ hash: KeyedHash, generation: Int) -> [UInt8] { hash.hash(of: bytes(generation: generation)) }

    func isSigned(_ hash: KeyedHash) -> Bool {
        guard let generation, let signature else { return false }
        return hash.matches(signature, bytes(generation: generation))
    }

    /// Every part of variable length with its length before it, and NULL columns left out, as in ``ChainLink``.
    private func bytes(generation: Int) -> [UInt8] {
        var bytes = PrefixedBytes(domain: "gatehouse row 1")
        bytes.append(Array(table.rawValue.utf8))
        bytes.append(generation)
        bytes.append(values.count { !$0.isNull })
        for (name, value) in zip(table.columns, values) {
            guard let value = Self.bytes(of: value) else { continue }
            bytes.append(Array(name.utf8))
            bytes.append(value)
        }
        return bytes.bytes
    }

    /// What `CAST(column AS BLOB)` gives; nil for NULL.
    private static func bytes(of value: DatabaseValue) -> [UInt8]? {
        switch value.storage {
        case .null: nil
        case .int64(let number): Array(String(number).utf8)
        case .double(let number): Array("\(number)".utf8)
        case .string(let text): Array(text.utf8)
        case .blob(let data): Array(data)
        }
    }
}
