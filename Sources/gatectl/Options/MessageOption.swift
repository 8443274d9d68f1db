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
    /// - Throws: input refused (8) for a file that cannot be read, and for text that is not UTF-8: phones would show its remains.
    func text() throws(Failure) -> String? {
        guard let message else { return nil }
        guard message == "-" || message.hasPrefix("@") else {
            // What the arguments held in another encoding has become this character.
            guard !message.unicodeScalars.contains("\u{FFFD}") else {
                throw Failure(.refused, "not_utf8", "the message is not UTF-8 text: \(Style.safe(message))")
            }
            return message
        }
        return try InputFile.text(message == "-" ? message : String(message.dropFirst()))
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
