import GateJSON

/// All paths that were published there and not removed since (`paths.json`). It finds the feeds of an app that was deleted while the server
/// was down.
enum BucketPaths {
    static let path = BucketNote.path("paths.json")

    /// Nil for bytes that are not such a list.
    static func read(_ bytes: [UInt8]) -> Set<String>? {
        // What cannot be read is not a list: the caller reports that.
        guard let paths = (try? JSONReader.read(bytes, limits: .own))?.object?["paths"]?.array else { return nil }
        return Set(paths.compactMap(\.string).filter { $0.hasPrefix("/") })
    }

    static func object(_ paths: Set<String>) -> BucketObject {
        .note(["format": .integer(1), "paths": .array(paths.sorted().map { .string($0) })])
    }
}
