import CurlHTTP
import GateAPI
import GateAdminClient
import GateModel

/// Why a command did not do what was asked: what a person reads, and what a script reads.
struct Failure: Error {
    var exit: Exit
    /// Stable, for programs; the server's own code where it refused.
    var code: String
    /// What stood in the way of an answer, stable as ``code`` is: `unknown_host`, `certificate_expired`.
    var cause: String?
    /// One sentence without its full stop.
    var message: String
    /// What to do now, a line each: a label and a command or a sentence.
    var next: [(label: String, text: String)] = []
    var field: String?
    var requestId: String?
    var outcomeUnknown = false
    var refused: [RefusedValue] = []
    var plan: Plan?
    /// The whole command to run instead, for a script, where a reason or a confirmation was missing.
    var command: String?

    init(_ exit: Exit, _ code: String, _ message: String, next: [(label: String, text: String)] = []) {
        self.exit = exit
        self.code = code
        self.message = message
        self.next = next
    }

    /// Whatever a command threw.
    static func of(_ error: any Error) -> Failure {
        error as? Failure ?? (error as? AdminClientError).map { inOptions($0) } ?? Failure(.other, "unexpected", "\(error)")
    }

    /// The server's word for a token that a first attempt made, and whose answer was lost: nobody has it.
    static let tokenMade = "token_made"

    /// For a text that is no server address: nearly always only the scheme is missing.
    static func noAddress(_ text: String, from origin: String) -> Failure {
        let meant = ServerAddress.meant(by: text).map { ". Did you mean \($0)?" } ?? " such as https://gate.example.com"
        return usage("\(origin) is not a server address\(meant)")
    }

    /// For a secret that was made and could not be printed: nobody has it.
    /// - Parameters:
    ///   - what: "the new token ci (k7Fq2Zx1)".
    ///   - next: what to do about it.
    static func lost(_ what: String, _ fault: FileSystem.Fault, next: [(label: String, text: String)]) -> Failure {
        Failure(.other, "output_lost", "\(what) could not be written to standard output, so nobody has it: \(fault.words)", next: next)
    }

    /// Wrong usage that the argument parser cannot see.
    static func usage(_ message: String) -> Failure { Failure(.usage, "usage", message, next: [("help", "add --help to the command")]) }
}

extension Failure {
    init(_ error: AdminClientError) {
        let exit: Exit =
            switch error.code {
            case .unreachable, .noAnswer, .wrongPath: .noAnswer
            case .tokenWithheld: .notAllowed
            // The API itself is not there, so nothing is known about what was asked for.
            case .badAnswer where [404, 405].contains(error.status): .noAnswer
            case .problem, .badAnswer: Exit(status: error.status ?? 0, code: error.problem?.code ?? "")
            }
        self.init(
            exit,
            error.problem.map { $0.code.isEmpty ? "status_\($0.status)" : $0.code } ?? Self.code(error.code),
            Self.sentence(error.detail)
        )
        requestId = error.problem.flatMap { $0.requestId.isEmpty ? nil : $0.requestId }
        // The whole document has no place to name.
        field = error.problem?.field.flatMap { $0.isEmpty ? nil : $0 }
        refused = error.problem?.refused ?? []
        plan = error.problem?.plan
        outcomeUnknown = error.outcomeUnknown
        cause = error.underlying?.code.rawValue
        if outcomeUnknown {
            self.exit = .noAnswer
            message += " – the change may or may not have been made"
        }
        if next.isEmpty { next = advice(error) }
    }

    private func advice(_ error: AdminClientError) -> [(label: String, text: String)] {
        switch exit {
        case .noAnswer where outcomeUnknown:
            [
                ("next", UnknownOutcome.advice(about: error.request)),
                ("", Self.signIn(error) ?? "\(Invocation.sameServer("doctor")); if the server stays down: gatectl help break-glass"),
            ]
        case .noAnswer where error.code == .wrongPath:
            [
                (
                    "next",
                    Invocation.sameServer("doctor")
                        + " shows where the address is from; it has a path only if a proxy puts the server below one"
                )
            ]
        case .noAnswer where error.code == .badAnswer:
            [
                (
                    "next",
                    "is it the port of the feeds? The API has its own, 8080 unless another was chosen; "
                        + "\(Invocation.sameServer("doctor")) shows the address"
                )
            ]
        case .noAnswer:
            [
                (
                    "next",
                    error.underlying.flatMap { Self.advice($0.code) }
                        ?? "\(Invocation.sameServer("doctor")); if the server stays down: gatectl help break-glass"
                )
            ]
        case .notAllowed where error.code == .tokenWithheld:
            [("next", "use https, or run gatectl on the server's machine with http://127.0.0.1:8080")]
        case .notAllowed: [("next", Self.signIn(error) ?? "\(Invocation.sameServer("auth status")) shows who you are and what you may do")]
        // The server's own refusal has a problem document.
        case .refused where error.status == 413 && error.problem == nil:
            [("next", "a proxy in front of the server refuses a request of this size: raise its limit to 9 MiB, as deploy/edge shows")]
        // The sentence names it, with its id.
        case .refused where code == Self.tokenMade:
            [("next", "revoke it by that id with \(Invocation.sameServer("tokens revoke")), then repeat the command")]
        // The server is there and cannot do it: its disk, its database, or a proxy that does not reach it.
        case .other where (500...599).contains(error.status ?? 0):
            [
                (
                    "next",
                    "\(Invocation.sameServer("doctor")) shows what is wrong; if phones must be told something now: gatectl help break-glass"
                )
            ]
        case .refused where error.problem?.overridable == true: [("next", "repeat the command with --accept \(code)")]
        default: []
        }
    }

    /// What to do about a token that the server did not take, or that may not do this; nil for another refusal.
    private static func signIn(_ error: AdminClientError) -> String? {
        switch error.status {
        case 401:
            Invocation.sameServer("auth status") + " shows which token was sent; "
                + Invocation.sameServer("auth login") + " makes a new one"
        case 403: "\(Invocation.sameServer("auth status")) shows who you are and what you may do"
        default: nil
        }
    }

    /// What to look at first, where the obstacle says more than that there was no answer.
    private static func advice(_ obstacle: TransportError.Obstacle) -> String? {
        switch obstacle {
        case .unknownHost: "is the name right? \(Invocation.sameServer("doctor")) and gatectl context list show it"
        case .refused: "is the port right, and does the server run? If it stays down: gatectl help break-glass"
        case .certificateUnknown:
            "for an authority of your own set GATECTL_CA_FILE to the file with its certificate, or name it with gatectl context add --ca"
        case .certificateExpired: "have it renewed, or set this machine's clock"
        case .certificateOfAnotherHost: "use the name that the certificate is for"
        case .notTLS: "is it another port? http:// works only to this machine"
        case .notHTTP, .hungUp:
            "is it https://, or another port? \(Invocation.sameServer("doctor")); if the server stays down: gatectl help break-glass"
        case .trustFile: "look at GATECTL_CA_FILE, the context's ca and SSL_CERT_FILE"
        case .proxy: "look at https_proxy, all_proxy and no_proxy"
        case .certificateRefused, .handshakeFailed, .unreachable, .timedOut, .lost, .tooLong: nil
        }
    }

    private static func code(_ code: AdminClientError.Code) -> String {
        switch code {
        case .unreachable: "unreachable"
        case .noAnswer: "no_answer"
        case .badAnswer: "bad_answer"
        case .wrongPath: "wrong_path"
        case .tokenWithheld: "token_withheld"
        case .problem: "problem"
        }
    }

    /// The server's sentence without its full stop, so that more can follow.
    private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? String(text.dropLast()) : text }
}
