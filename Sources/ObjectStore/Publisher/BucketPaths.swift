import GateJSON

/// Which paths were ever published there and not removed since, `paths.json`: what finds the feeds of an app that went while the server was down.
enum BucketPaths {
    static let path = BucketNote.path("paths.json")

    /// Nil for what is no such list.
    static func read(_ bytes: [UInt8]) -> Set<String>? {
        // What cannot be read is no list: the caller says so.
        guard let paths = (try? JSONReader.read(bytes, limits: .own))?.object?["paths"]?.array else { return nil }
        return Set(paths.compactMap(\.string).filter { $0.hasPrefix("/") })
    }

    static func object(_ paths: Set<String>) -> BucketObject {
        .note(["format": .integer(1), "paths": .array(paths.sorted().map { .string($0) })])
    }
}
