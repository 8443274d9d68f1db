import GateAdminClient
import GateJSON
import GateModel

/// The servers a person works with, by name: `config.json`.
struct Contexts: Sendable {
    struct Context: Sendable {
        var name: String
        var server: ServerAddress
        /// As the server reported it at the last sign-in, to recognise production before asking it anything; what counts is what the server
        /// says now.
        var isProtected: Bool?
        /// The environment's name.
        var label: String?
        var colour: String?
        /// A PEM file with the authorities to trust for this server in place of the system's; nil for those.
        var ca: String?
    }

    private let folder: SettingsFolder
    private static let name = "config.json"
    private(set) var all: [Context] = []
    private(set) var current: String?

    /// Those of nobody yet.
    init(noneIn folder: SettingsFolder) { self.folder = folder }

    init(_ folder: SettingsFolder) throws(Failure) {
        self.folder = folder
        guard let document = try folder.read(Self.name) else { return }
        current = document["current"]?.string
        for (name, value) in document["contexts"]?.object?.members ?? [] {
            guard let server = value.object?["server"]?.string.flatMap(ServerAddress.init) else {
                throw Failure(.other, "unreadable_settings", "the context \(name) in \(folder.path)/\(Self.name) has no server address")
            }
            all.append(
                Context(
                    name: name,
                    server: server,
                    isProtected: value.object?["protected"]?.bool,
                    label: value.object?["label"]?.string,
                    colour: value.object?["colour"]?.string,
                    ca: value.object?["ca"]?.string
                )
            )
        }
    }

    subscript(name: String) -> Context? { all.first { $0.name == name } }

    /// What the contexts of an address trust; nil where there is none, and where they differ.
    func authorities(of server: ServerAddress) -> String? {
        let named = Set(all.filter { $0.server == server }.map(\.ca))
        return named.count == 1 ? named.first ?? nil : nil
    }

    /// - Throws: not found, with the names there are.
    func named(_ name: String) throws(Failure) -> Context {
        if let context = self[name] { return context }
        throw Failure(
            .notFound,
            "unknown_context",
            "there is no context \(name)" + Suggestion.question(about: name, among: all.map(\.name)),
            next: [("next", "gatectl context list")]
        )
    }

    mutating func set(_ context: Context) {
        all.removeAll { $0.name == context.name }
        all.append(context)
    }

    mutating func remove(_ name: String) {
        all.removeAll { $0.name == name }
        if current == name { current = nil }
    }

    mutating func use(_ name: String) { current = name }

    func save() throws(Failure) {
        var contexts = JSONObject()
        for context in all.sorted(by: { $0.name < $1.name }) {
            var object: JSONObject = ["server": .string(context.server.text)]
            object["label"] = context.label.map(JSONValue.string)
            object["colour"] = context.colour.map(JSONValue.string)
            object["protected"] = context.isProtected.map(JSONValue.bool)
            object["ca"] = context.ca.map(JSONValue.string)
            contexts[context.name] = .object(object)
        }
        var document = try folder.read(Self.name) ?? [:]
        document["current"] = current.map(JSONValue.string)
        document["contexts"] = .object(contexts)
        try folder.write(Self.name, document)
    }
}
