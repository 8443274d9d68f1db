import GateJSON

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file named on the command line; `-` is standard input.
enum InputFile {
    /// - Throws: input refused (8) when it cannot be read.
    static func read(_ path: String) throws(Failure) -> [UInt8] {
        do {
            return path == "-" ? try FileSystem.read(STDIN_FILENO) : try FileSystem.read(path)
        } catch {
            let why = error.number == ENOENT ? "is not there" : "cannot be read: \(error.words)"
            throw Failure(.refused, "unreadable_file", "the file \(Style.safe(path)) \(why)")
        }
    }

    /// What a file is called in a sentence.
    static func name(_ path: String) -> String { path == "-" ? "standard input" : Style.safe(path) }

    /// The bytes of a text, without the mark (U+FEFF) with which some editors begin one: it is no part of a message, and every client
    /// library reads past it.
    static func unmarked(_ path: String) throws(Failure) -> [UInt8] {
        let bytes = try read(path)
        return bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// The text of a file that must be UTF-8, ``unmarked(_:)``.
    static func text(_ path: String) throws(Failure) -> String {
        guard let text = String(validating: try unmarked(path), as: UTF8.self) else {
            throw Failure(.refused, "not_utf8", "\(path == "-" ? "" : "the file ")\(name(path)) is not UTF-8 text")
        }
        return text
    }
}

extension Failure {
    /// For what a file says and the model refuses.
    init(_ error: ModelError, in path: String) {
        self.init(.refused, error.code, "\(InputFile.name(path)): \(error.detail)")
        // The whole document has no place to name.
        field = error.field.isEmpty ? nil : error.field
    }
}
