import ArgumentParser
import Foundation
import GateModel

/// `shop ios`: the app and the platforms of a write.
struct TargetArguments: ParsableArguments {
    @Argument(help: "The app's key, such as shop.", completion: .custom { _, _, _ async in await LiveNames.apps() })
    var app: String

    @Argument(help: "ios, android, several with commas, or all.", completion: .custom { _, _, _ async in await LiveNames.platforms() })
    var platform: String
}

/// `shop ios`, each of them optional: what a read is narrowed to.
struct TargetFilter: ParsableArguments {
    @Argument(help: "Only this app.", completion: .custom { _, _, _ async in await LiveNames.apps() })
    var app: String?

    @Argument(help: "Only this platform of it.", completion: .custom { _, _, _ async in await LiveNames.platforms() })
    var platform: String?
}

/// A message for phones: given, from a file, or from standard input.
struct MessageOption: ParsableArguments {
    @Option(name: [.short, .long], help: "What users read. @FILE reads a file, - reads standard input.")
    var message: String?
}

extension MessageOption {
    /// The text, or nil when none was given.
    func text() throws(Failure) -> String? {
        guard let message else { return nil }
        if message == "-" { return String(decoding: FileHandle.standardInput.readDataToEndOfFile(), as: UTF8.self) }
        guard message.hasPrefix("@") else { return message }
        return String(decoding: try InputFile.read(String(message.dropFirst())), as: UTF8.self)
    }

    func needed(for command: String) throws(Failure) -> String {
        guard let text = try text() else { throw .usage("\(command) needs a message: -m TEXT") }
        return text
    }

    /// A given text, else the message that is there already, languages and all.
    static func kept(_ text: String?, _ present: Message?, for command: String) throws(Failure) -> JSONValue {
        if let text { return .string(text) }
        guard let present else { throw .usage("\(command) needs a message: -m TEXT") }
        return present.json
    }
}
