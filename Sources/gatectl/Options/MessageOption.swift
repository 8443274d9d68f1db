import ArgumentParser
import GateJSON
import GateModel

/// A message for phones: given, from a file, or from standard input.
struct MessageOption: ParsableArguments {
    @Option(name: [.short, .long], help: "What users read. @FILE reads a file, - reads standard input.")
    var message: String?
}

extension MessageOption {
    /// The text, or nil when none was given.
    func text() throws(Failure) -> String? {
        guard let message else { return nil }
        guard message == "-" || message.hasPrefix("@") else { return message }
        return String(decoding: try InputFile.read(message == "-" ? message : String(message.dropFirst())), as: UTF8.self)
    }

    func needed(for command: String) throws(Failure) -> String {
        guard let text = try text() else { throw .usage("\(command) needs a message: -m TEXT") }
        return text
    }

    /// The given text, else the present message in all its languages.
    static func kept(_ text: String?, _ present: Message?, for command: String) throws(Failure) -> JSONValue {
        if let text { return .string(text) }
        guard let present else { throw .usage("\(command) needs a message: -m TEXT") }
        return present.json
    }
}
