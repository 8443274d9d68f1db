import ArgumentParser
import GateJSON
import GateModel

/// `-n` of a write for which the server makes no plan: of people, tokens, backups and rehearsals.
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

extension DryRunOption {
    /// What the server would refuse of the write itself, for a dry run.
    /// - Parameters:
    ///   - role: the least that the write needs; nil if the server has been asked for something that needs as much.
    ///   - fault: why the values that were typed are refused: the code and a sentence without its full stop; nil if they are not.
    /// - Throws: not allowed (4), input refused (8); nothing unless a dry run is asked for.
    func check(_ session: Session, needs role: Role? = nil, fault: (code: String, sentence: String)? = nil) async throws {
        guard isAsked else { return }
        if let role { try await session.require(role) }
        if let fault { throw Failure(.refused, fault.code, fault.sentence) }
    }
}
