import Foundation

/// A file named on the command line; `-` is standard input.
enum InputFile {
    /// - Throws: input refused (8) when it cannot be read.
    static func read(_ path: String) throws(Failure) -> [UInt8] {
        if path == "-" { return Array(FileHandle.standardInput.readDataToEndOfFile()) }
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            let why = FileManager.default.fileExists(atPath: path) ? "cannot be read" : "is not there"
            throw Failure(.refused, "unreadable_file", "the file \(Style.safe(path)) \(why)")
        }
    }

    /// The text of a file that must be UTF-8.
    static func text(_ path: String) throws(Failure) -> String {
        let bytes = try read(path)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.refused, "not_utf8", "the file \(Style.safe(path)) is not UTF-8 text")
        }
        return text
    }
}
