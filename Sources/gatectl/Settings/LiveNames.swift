import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// App and platform names for shell completion: from the server if it answers within a second, else those seen last, else none; never a
/// message.
enum LiveNames {
    static let apps = CompletionKind.custom { words, _, _ async in unique(await targets(words).map { $0.prefix { $0 != "/" } }) }

    static let platforms = CompletionKind.custom { words, _, _ async in
        unique(await targets(words).map { $0.drop { $0 != "/" }.dropFirst() }) + ["all"]
    }

    private static func unique(_ names: [Substring]) -> [String] { Set(names.map(String.init)).sorted() }

    /// The context that the command line names. Some shells split `--context=st` at the equals sign.
    static func context(in words: [String]) -> String? {
        let own = Array(words.prefix { $0 != "--" })
        guard let place = own.lastIndex(where: { $0.prefix { $0 != "=" } == "--context" }) else { return nil }
        if own[place].contains("=") { return String(own[place].drop { $0 != "=" }.dropFirst()) }
        return own[(place + 1)...].first { $0 != "=" }
    }

    /// - Parameter words: the command line so far.
    private static func targets(_ words: [String]) async -> [String] {
        let environment = ProcessEnvironment.variables
        // Completion must never print: without settings or a server there is simply nothing to offer.
        guard
            let settings = try? Settings.resolve(
                context: context(in: words),
                timeout: nil,
                environment: environment,
                workingDirectory: FileSystem.workingFolder
            )
        else { return [] }
        let cache = Cache(environment: environment, server: settings.server)
        if let fresh = cache.read(youngerThan: 30) { return fresh }
        let client = AdminClient(server: settings.server, token: settings.token, timeout: .seconds(1), caFile: settings.caFile)
        guard let targets = try? await client.targets() else { return cache.read(youngerThan: nil) ?? [] }
        let names = targets.map(\.target.key.description)
        cache.write(names)
        return names
    }

    /// The names last seen on a server, so that the Tab key does not wait twice.
    private struct Cache {
        private let file: String

        init(environment: [String: String], server: ServerAddress) {
            let home = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? ".") + "/.cache"
            let name = server.text.map { $0.isLetter || $0.isNumber ? $0 : "_" }
            file = home + "/gatectl/names-\(String(name)).json"
        }

        func read(youngerThan seconds: Int?) -> [String]? {
            // A cache that cannot be read is an empty one.
            guard let bytes = try? FileSystem.read(file), let names = (try? JSONReader.read(bytes, limits: .own))?.array else { return nil }
            if let seconds {
                guard let age = FileSystem.age(file), age < seconds else { return nil }
            }
            return names.compactMap(\.string)
        }

        func write(_ names: [String]) {
            // A cache that cannot be written costs a request the next time.
            try? FileSystem.makeFolder(FileSystem.folder(of: file))
            try? FileSystem.replace(file, with: JSONValue.array(names.map(JSONValue.string)).bytes, mode: 0o600)
        }
    }
}
