import ArgumentParser
import GateJSON

/// `-n` of a write for which the server makes no plan: what becomes of people, tokens, backups and rehearsals.
struct TrialOption: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Show what would be done and write nothing.")
    var dryRun = false

    /// Says what would be done, if this is a dry run.
    /// - Parameters:
    ///   - what: as the end of a sentence: "revoke ci of ann".
    ///   - changes: false for what is as it should be already; `what` is then what is said of that.
    ///   - members: what it would be done to, for who reads JSON.
    /// - Returns: whether it is one, which ends the command.
    func says(_ what: String, changes: Bool = true, naming members: KeyValuePairs<String, String> = [:], _ console: Console) -> Bool {
        guard dryRun else { return false }
        if console.isJSON {
            var document: JSONObject = ["dryRun": .bool(true), "changed": .bool(changes)]
            for (name, value) in members { document[name] = .string(value) }
            console.json(Document.of(document))
        } else {
            console.data(changes ? "Dry run: nothing was written. Would \(what)" : "Dry run: nothing would change: \(what)")
        }
        return true
    }
}
