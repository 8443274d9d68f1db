import GateAdminClient
import GateJSON
import GateModel

/// The stored tokens, each for one server: `{"tokens":{"https://gate.example.com":"gate_…"}}`, readable by their owner alone. Beside them
/// is `about`, also by server: what the server said about the token when it was stored, for the day when it no longer takes it.
struct Credentials: Sendable {
    private let folder: SettingsFolder
    private static let name = "credentials.json"

    init(_ folder: SettingsFolder) { self.folder = folder }

    var path: String { folder.path + "/" + Self.name }

    /// The token that was stored for this very server, or nil.
    func token(for server: ServerAddress) throws(Failure) -> BearerToken? {
        try refuseIfOthersCanRead()
        return try folder.read(Self.name)?["tokens"]?.object?[server.text]?.string.flatMap(BearerToken.init)
    }

    /// - Parameter listed: whose the token is and until when, as the server says it; nil with no token.
    func store(_ token: BearerToken?, for server: ServerAddress, as listed: ListedToken? = nil) throws(Failure) {
        try refuseIfOthersCanRead()
        var document = try folder.read(Self.name) ?? [:]
        var tokens = document["tokens"]?.object ?? [:]
        tokens[server.text] = token.map { .string($0.textForSafekeeping) }
        document["tokens"] = .object(tokens)
        var notes = document["about"]?.object ?? [:]
        notes[server.text] = listed.map { listed in
            var note: JSONObject = ["name": .string(listed.name)]
            note["owner"] = listed.owner.map(JSONValue.string)
            note["expiresAt"] = listed.expiresAt.map { .string($0.description) }
            return .object(note)
        }
        document["about"] = notes.isEmpty ? nil : .object(notes)
        try folder.write(Self.name, document)
    }

    /// What is known about a server's token since it was stored: its name, its owner (nil for the server's own) and its end. Nil for
    /// another token, and for one that an older gatectl stored.
    func note(of token: BearerToken, for server: ServerAddress) throws(Failure) -> (name: String, owner: String?, until: Timestamp?)? {
        guard try self.token(for: server)?.textForSafekeeping == token.textForSafekeeping else { return nil }
        let note = try folder.read(Self.name)?["about"]?.object?[server.text]?.object
        return note?["name"]?.string.map { ($0, note?["owner"]?.string, note?["expiresAt"]?.string.flatMap { Timestamp($0) }) }
    }

    private func refuseIfOthersCanRead() throws(Failure) {
        guard let mode = FileSystem.mode(path) else { return }
        guard mode & 0o077 == 0 else {
            throw Failure(
                .notAllowed,
                "credentials_readable",
                "\(path) can be read by others; its tokens may be known to them",
                next: [("next", "chmod 600 \(path.asShellWord), and have the tokens replaced")]
            )
        }
    }
}
