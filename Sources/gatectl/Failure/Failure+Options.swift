import GateAPI
import GateAdminClient
import GateModel

extension Failure {
    /// A refusal in the words of the command line: the API names members of a body, which nobody typed.
    /// - Parameter arguments: as they were typed.
    static func inOptions(_ error: AdminClientError, _ arguments: [String] = CommandLine.arguments) -> Failure {
        var failure = Failure(error)
        guard !failure.outcomeUnknown else { return failure }
        switch failure.code {
        case "reason_required":
            // The whole command at once: after adding the reason, nobody should be sent away again for the confirmation.
            failure.needs("this environment is protected: a reason is needed", ["-r", "REASON"] + failure.confirmation, arguments)
        case "confirmation_required":
            if let phrase = failure.plan?.confirm { failure.needs("this wants \(phrase) typed", ["--confirm", phrase], arguments) }
        case "nothing_to_open":
            failure.leaveOutAdvice()
            failure.next = [("run", Invocation.command(adding: [], without: ["--over"], to: arguments))]
        case "invalid_window" where failure.field == "/then":
            failure.leaveOutAdvice()
            failure.next = [("next", "leave --until out, or say --then restore")]
        // gatectl writes bodies and addresses itself, so a server that does not know them is of another version.
        case "not_found": failure.next = otherVersion
        case "malformed" where error.problem?.refusesMember == true: failure.next = otherVersion
        default: break
        }
        return failure
    }

    private static var otherVersion: [(label: String, text: String)] {
        [
            ("next", "the server is of another version than this gatectl: use the gatectl of its version, or upgrade it"),
            ("", "gatectl api sends what you write yourself; \(Invocation.sameServer("api GET /openapi.json")) says what the server takes"),
        ]
    }

    /// The option for the phrase that the plan asks for.
    private var confirmation: [String] { plan?.confirm.map { ["--confirm", $0] } ?? [] }

    /// The API's own advice follows a semicolon.
    private mutating func leaveOutAdvice() { message = String(message.prefix { $0 != ";" }) }

    private mutating func needs(_ what: String, _ addition: [String], _ arguments: [String]) {
        let command = Invocation.command(adding: addition, to: arguments)
        message = "\(what): nothing was changed"
        next = [("run", command)]
        self.command = command
    }
}

extension ProblemBody {
    /// Whether a member of the body is refused, or missed, by its name. What stands in a document that somebody wrote is their own affair.
    fileprivate var refusesMember: Bool {
        guard let field, !field.hasPrefix("/document/"), let name = field.split(separator: "/").last else { return false }
        return detail.contains("\"\(name)\"")
    }
}
