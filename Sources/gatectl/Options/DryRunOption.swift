import ArgumentParser
import GateJSON

/// `-n` of a write for which the server makes no plan: of people, tokens, sign-outs, backups and rehearsals.
struct DryRunOption: ParsableArguments {
    @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Show what would be done and write nothing.")
    var isAsked = false

    /// Reports what would be done, if a dry run is asked for.
    /// - Parameters:
    ///   - what: the end of a sentence: "revoke ci of ann".
    ///   - changes: false if there is nothing to do; then `what` says why.
    ///   - members: names what would be written to, in the answer of `--json`.
    /// - Returns: whether a dry run is asked for; then the command ends here.
    func reports(_ what: String, changes: Bool = true, naming members: KeyValuePairs<String, String> = [:], _ console: Console) -> Bool {
        guard isAsked else { return false }
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
