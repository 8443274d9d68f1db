import Foundation

/// Files of a house's folder, as a person with a shell would touch them.
enum Files {
    static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    static func write(_ bytes: some Sequence<UInt8>, to path: String) throws { try Data(bytes).write(to: URL(filePath: path)) }

    static func move(_ from: String, to: String) throws { try FileManager.default.moveItem(atPath: from, toPath: to) }

    static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }

    static func names(in folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    static func contains(_ bytes: [UInt8], _ text: String) -> Bool { Data(bytes).range(of: Data(text.utf8)) != nil }
}
