import GateJSON
import GateStore

/// What to do about a database that is not what it was, in words that fit where it is: the commands for a folder's own database would make
/// one beside PostgreSQL's, and give the folder other keys.
struct DatabaseRemedy {
    /// The data folder.
    let data: String
    /// Nil for the folder's own database.
    let server: DatabaseServer?

    /// The options of a command that looks at it.
    var place: String { server == nil ? "--data \(data.asShellWord)" : "--data \(data.asShellWord) --database URL" }

    /// For a database that is older than what is known about it, as sentences.
    var older: String {
        let right =
            server == nil
            ? "Put the right one back, or a backup: gatehouse restore --data \(data.asShellWord) --from FILE."
            : "Put the right one back, or its newest dump, in an empty database."
        return "\(right) To go on with this older one, \(goOn)."
    }

    /// How to go on with an older one, with sequences above those that phones have seen; the end of a sentence.
    var goOn: String {
        guard server != nil else {
            return
                "make it a backup and restore that: gatehouse backup --data \(data.asShellWord) --out FILE, gatehouse restore --data \(data.asShellWord) --from FILE"
        }
        return
            "take it through a new folder: gatehouse copy --from URL --data NEW, copies of \(data)/keys and \(data)/anchor.json in NEW, gatehouse backup --data NEW --out FILE, gatehouse restore --data NEW --from FILE, gatehouse copy --data NEW --to an empty database, which is served with NEW; start every other server of it with an empty --data, or with the keys/ of NEW and without its anchor.json"
    }

    /// For rows that nobody can read, as a sentence.
    var unreadable: String {
        server == nil
            ? "Run gatehouse repair --data \(data.asShellWord) --dry-run to see what can be done."
            : "Restore a dump that was made before the damage into an empty database, and check it with gatehouse verify \(place)."
    }
}
