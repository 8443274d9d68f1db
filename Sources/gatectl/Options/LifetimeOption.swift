import ArgumentParser
import GateJSON

/// For how long a new token is good.
struct LifetimeOption: ParsableArguments {
    /// What the server gives a token for which nobody names days.
    private static let standard = 90

    @Option(name: .customLong("days"), help: "For how many days. Default: \(Self.standard).") var asked: Int?

    func validate() throws {
        if let asked, !(1...3_650).contains(asked) { throw ValidationError("--days is a whole number from 1 to 3650.") }
    }

    /// When a token made now ends; nil leaves that to the server.
    func end(from now: Timestamp) -> Timestamp? { asked.map { now.advanced(bySeconds: Int64($0) * 86_400) } }

    var inWords: String { "\(asked ?? Self.standard) day\(asked == 1 ? "" : "s")" }
}
