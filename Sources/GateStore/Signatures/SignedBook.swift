import Foundation
import GateCrypto
import GateJSON

/// Which rows exist, by the generations in which they were written, and how far the chains go: what a row cannot tell about itself.
///
/// In the table `signatures` each list is a signed row; the row `heads` binds the lists to each other and to the chains, so no older state
/// can be put back unless everything is.
struct SignedBook: Sendable, Equatable {
    /// The generation of the last write to a signed table.
    var generation = 0
    /// By table; nil for a list that is missing or not the last one signed: then nothing is known about that table's rows.
    var lists: [SignedTable: SignedList] = [:]
    /// The last links of the chains; nil when they are unknown.
    var chains: ChainAnchor?

    /// Reads the book of a database from one state: another server may be writing.
    /// - Returns: the book, and what is wrong with it.
    static func read(from db: SQLConnection, _ hash: KeyedHash) throws -> (book: SignedBook, faults: [StoreFault]) {
        try db.isInsideTransaction ? readOneState(from: db, hash) : db.transaction(.reading) { try readOneState(from: db, hash) }
    }

    private static func readOneState(from db: SQLConnection, _ hash: KeyedHash) throws -> (book: SignedBook, faults: [StoreFault]) {
        func fault(_ name: String, _ problem: String) -> StoreFault { StoreFault(place: "signatures", row: name, problem: problem) }
        let records = try records(in: db, hash)
        guard let heads = records["heads"] else { return (SignedBook(), [fault("heads", "is missing")]) }
        guard heads.isRight, let json = try? JSONReader.read(heads.content, limits: .own),
            let generation = json.object?["generation"]?.integer,
            let lists = json.object?["lists"]?.object, let chains = try? ChainAnchor(json: json)
        else { return (SignedBook(), [fault("heads", "was not written by gatehouse with this key")]) }
        var book = SignedBook(generation: generation, chains: chains)
        var faults: [StoreFault] = []
        for table in SignedTable.allCases {
            guard let record = records[table.rawValue] else {
                faults.append(fault(table.rawValue, "is missing"))
                continue
            }
            guard record.isRight, let list = SignedList(record.content) else {
                faults.append(fault(table.rawValue, "was not written by gatehouse with this key"))
                continue
            }
            guard list.generation == lists[table.rawValue]?.integer else {
                faults.append(fault(table.rawValue, "is an older state that was put back"))
                continue
            }
            book.lists[table] = list
        }
        // A book that is behind the chains may be an older one that was put back with all its rows.
        if try isBehind(db, chains) {
            book.lists = [:]
            faults.append(fault("heads", "is older than the history, so no row can be told from an older state"))
        }
        return (book, faults)
    }

    /// Whether this book was written with the key, as far as anything of it is left: altering only the heads does not make it another
    /// key's.
    static func isWritten(with hash: KeyedHash, in db: SQLConnection) throws -> Bool {
        try records(in: db, hash).values.contains(where: \.isRight)
    }

    private static func records(in db: SQLConnection, _ hash: KeyedHash) throws -> [String: (content: String, isRight: Bool)] {
        var records: [String: (content: String, isRight: Bool)] = [:]
        for row in try db.rows(sql: "SELECT name, content, signature FROM signatures") {
            let (name, content): (String, String) = (try row.stored("name"), try row.stored("content"))
            let signature: [UInt8] = try row.stored("signature")
            records[name] = (content, hash.matches(signature, bytes(name, content)))
        }
        return records
    }

    private static func isBehind(_ db: SQLConnection, _ chains: ChainAnchor) throws -> Bool {
        let found = try ChainStore.anchor(in: db)
        return found.changes.sequence > chains.changes.sequence || (found.audit?.sequence ?? 0) > (chains.audit?.sequence ?? 0)
    }

    /// Whether its chains go at least as far as those of another book.
    func isAsFar(as other: SignedBook) -> Bool {
        guard let chains else { return other.chains == nil }
        guard let known = other.chains else { return true }
        return chains.changes.sequence >= known.changes.sequence && (chains.audit?.sequence ?? 0) >= (known.audit?.sequence ?? 0)
    }

    /// The content of the row `heads`: the generations, and the last links of both chains.
    var heads: String {
        var generations = JSONObject()
        for table in SignedTable.allCases { generations[table.rawValue] = lists[table].map { .integer($0.generation) } }
        var heads: JSONObject = ["generation": .integer(generation), "lists": .object(generations)]
        for (name, head) in chains?.json.object?.members ?? [] { heads[name] = head }
        return JSONValue.object(heads).text
    }

    /// Writes what differs from the previous book.
    func write(over before: SignedBook?, to db: SQLConnection, _ hash: KeyedHash) throws {
        guard self != before else { return }
        for table in SignedTable.allCases {
            if let list = lists[table], list != before?.lists[table] { try Self.write(table.rawValue, list.text, to: db, hash) }
        }
        try Self.write("heads", heads, to: db, hash)
    }

    private static func write(_ name: String, _ content: String, to db: SQLConnection, _ hash: KeyedHash) throws {
        try db.cachedStatement(
            sql:
                "INSERT INTO signatures (name, content, signature) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET content = excluded.content, signature = excluded.signature"
        ).execute(arguments: [name, content, hash.hash(of: bytes(name, content))])
    }

    private static func bytes(_ name: String, _ content: String) -> [UInt8] {
        var bytes = PrefixedBytes(domain: "gatehouse list 1")
        bytes.append(Array(name.utf8))
        bytes.append(Array(content.utf8))
        return bytes.bytes
    }
}

/// The live rows of one table, each with its generation.
struct SignedList: Sendable, Equatable {
    /// The generation of the last write to the table.
    var generation: Int
    /// The generations, by row name.
    var rows: [String: Int] = [:]

    init(generation: Int) { self.generation = generation }

    /// A line for the list, then one for each row: name and generation.
    var text: String {
        var text = "\(generation)\n"
        for (name, generation) in rows.sorted(by: { $0.key < $1.key }) { text += "\(name) \(generation)\n" }
        return text
    }

    /// Nil for a text that is not a list.
    init?(_ text: String) {
        let lines = text.split(separator: "\n")
        guard let generation = lines.first.flatMap({ Int($0) }) else { return nil }
        self.init(generation: generation)
        for line in lines.dropFirst() {
            let words = line.split(separator: " ")
            guard words.count == 2, let generation = Int(words[1]) else { return nil }
            rows[String(words[0])] = generation
        }
    }
}
