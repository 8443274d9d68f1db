import GateJSON

/// Options that people expect a command to have although it has none of that name.
enum MistakenOption {
    /// What people type before a version.
    static let ofVersion: Set = ["--version", "--min"]

    /// The one command that has an option `--version` of its own.
    static let hasVersion = "simulate"

    /// What people type instead of an option's name.
    private static let meant = [
        "--msg": "--message", "--text": "--message", "--why": "--reason", "--because": "--reason", "--dry": "--dry-run", "--force": "--yes",
        "--until-time": "--until",
    ]

    /// What to type instead, as one sentence without its full stop; nil if there is nothing better to say than the complaint.
    /// - Parameters:
    ///   - words: as they were typed, the command first.
    ///   - complaint: the argument parser's.
    static func explained(_ words: [String], _ complaint: String) -> String? {
        version(words)
            ?? meant.first { complaint.hasPrefix("Unknown option '\($0.key)'") }.map {
                "there is no option \($0.key). Did you mean \($0.value)?"
            }
    }

    /// A required version is typed after the platform. Printing gatectl's own version is no answer to somebody who wants to change
    /// something.
    private static func version(_ words: [String]) -> String? {
        let own = words.prefix { $0 != "--" }
        guard let command = own.first, command != hasVersion, let place = own.firstIndex(where: { ofVersion.contains(name(of: $0)) }) else {
            return nil
        }
        guard command == "require" || command == "suggest" else {
            return name(of: own[place]) == "--version" ? "--version stands alone: gatectl --version shows the version of gatectl" : nil
        }
        // Its value is the next word, or follows the equals sign.
        let value = own[place].contains("=") ? [String(own[place].drop { $0 != "=" }.dropFirst())] : []
        let right = ["gatectl"] + own[..<place] + value + own[(place + 1)...]
        return "the version comes after the platform: " + right.map(\.asShellWord).joined(separator: " ")
    }

    private static func name(of option: String) -> String { String(option.prefix { $0 != "=" }) }
}
