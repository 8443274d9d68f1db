import GateAdminClient
import GateJSON
import GateModel

/// The stored tokens, each for one server: `{"tokens":{"https://gate.example.com":"gate_…"}}`, readable by their owner alone.
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

    func store(_ token: BearerToken?, for server: ServerAddress) throws(Failure) {
        try refuseIfOthersCanRead()
        var document = try folder.read(Self.name) ?? [:]
        var tokens = document["tokens"]?.object ?? [:]
        tokens[server.text] = token.map { .string($0.textForSafekeeping) }
        document["tokens"] = .object(tokens)
        try folder.write(Self.name, document)
    }

    private func refuseIfOthersCanRead() throws(Failure) {
        guard let mode = FileSystem.mode(path) else { return }
        guard mode & 0o077 == 0 else {
            throw Failure(
                .notAllowed,
                "credentials_readable",
                "\(path) can be read by others; its tokens may be known to them",
                next: [("next", "chmod 600 \(path), and have the tokens replaced")]
            )
        }
    }
}
