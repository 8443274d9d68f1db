import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

/// App and platform names for shell completion: from the server within a second, else from the last time, else none, and never a word.
enum LiveNames {
    static func apps() async -> [String] { unique(await targets().map { $0.prefix { $0 != "/" } }) }

    static func platforms() async -> [String] { unique(await targets().map { $0.drop { $0 != "/" }.dropFirst() }) + ["all"] }

    private static func unique(_ names: [Substring]) -> [String] { Set(names.map(String.init)).sorted() }

    private static func targets() async -> [String] {
        let environment = ProcessInfo.processInfo.environment
        // Completion must never print: without settings or a server there is simply nothing to offer.
        let folder = FileManager.default.currentDirectoryPath
        guard let settings = try? Settings.resolve(context: nil, timeout: nil, environment: environment, workingDirectory: folder) else {
            return []
        }
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
        private let file: URL

        init(environment: [String: String], server: ServerAddress) {
            let home = environment["XDG_CACHE_HOME"] ?? (environment["HOME"] ?? ".") + "/.cache"
            let name = server.text.map { $0.isLetter || $0.isNumber ? $0 : "_" }
            file = URL(fileURLWithPath: home + "/gatectl/names-\(String(name)).json")
        }

        func read(youngerThan seconds: TimeInterval?) -> [String]? {
            // A cache that cannot be read is an empty one.
            guard let data = try? Data(contentsOf: file), let names = (try? JSONReader.read(Array(data), limits: .own))?.array else {
                return nil
            }
            if let seconds {
                let changed = (try? FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate]) as? Date
                guard let changed, Date().timeIntervalSince(changed) < seconds else { return nil }
            }
            return names.compactMap(\.string)
        }

        func write(_ names: [String]) {
            // A cache that cannot be written costs a request the next time.
            try? FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? Data(JSONValue.array(names.map(JSONValue.string)).bytes).write(to: file, options: .atomic)
        }
    }
}
