import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct RehearseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Try a gate on a real phone, at addresses of its own, while everybody else gets what is in force.",
        discussion: """
            Build the app with one of the printed addresses instead of its feed's. Whoever knows an address can read it: it is in no log, \
            answers 404 after its end, and ends with the server. Feeds of a rehearsal are not signed.

            EXAMPLES
              gatectl rehearse shop ios -f gate.json --for 2h
              gatectl rehearse list
              gatectl rehearse show k3_x9AbZ --watch
              gatectl rehearse change k3_x9AbZ -f gate.json
              gatectl rehearse end k3_x9AbZ
            """,
        subcommands: [
            RehearseStartCommand.self, RehearseListCommand.self, RehearseShowCommand.self, RehearseChangeCommand.self,
            RehearseEndCommand.self,
        ],
        defaultSubcommand: RehearseStartCommand.self
    )

    /// Why the server would refuse to rehearse for this long; nil if it would not.
    static func fault(of span: Span?) -> (code: String, sentence: String)? {
        guard let span, !Rehearsal.spans.contains(Int64(span.seconds)) else { return nil }
        return ("invalid_span", "a rehearsal lasts from 1m to 24h")
    }
}
