import ArgumentParser

/// The exit codes of gatectl: one table for the process, for `gatectl --help` and for `gatectl help exit-codes`, and the same as in `ux.md`
/// 2.3. Scripts rely on them; none changes its meaning.
enum Exit: Int32, CaseIterable, Sendable {
    case done = 0
    case other = 1
    case declined = 2
    case confirmationNeeded = 3
    case notAllowed = 4
    case changedMeanwhile = 5
    case notFound = 6
    case noAnswer = 7
    case refused = 8
    case different = 10
    /// EX_USAGE of sysexits.h, which the argument parser uses itself.
    case usage = 64
    /// 128 plus the number of SIGINT, as in shells.
    case interrupted = 130

    /// The exit code for a server's refusal.
    /// - Parameters:
    ///   - status: of the answer; 0 where there was none.
    ///   - code: the problem's code, which says more than the status if it asks for a reason or a confirmation.
    init(status: Int, code: String) {
        self =
            switch (status, code) {
            case (_, "reason_required"), (_, "confirmation_required"): .confirmationNeeded
            case (400, _), (409, _), (413, _), (415, _), (422, _): .refused
            case (401, _), (403, _): .notAllowed
            case (404, _): .notFound
            case (412, _), (428, _): .changedMeanwhile
            default: .other
            }
    }

    /// A few words, for the list in `gatectl --help`.
    var summary: String {
        switch self {
        case .done: "done, or nothing to do"
        case .other: "other failure"
        case .declined: "declined at a prompt"
        case .confirmationNeeded: "confirmation needed"
        case .notAllowed: "not signed in or allowed"
        case .changedMeanwhile: "changed meanwhile"
        case .notFound: "not found"
        case .noAnswer: "no answer from the server"
        case .refused: "input refused"
        case .different: "differences, or somebody is blocked"
        case .usage: "wrong usage"
        case .interrupted: "interrupted"
        }
    }

    /// A line, for `gatectl help exit-codes`.
    var explanation: String {
        switch self {
        case .done: "done, or nothing to do"
        case .other: "another failure; kill --wait: the change is made, but the share was not reached in time"
        case .declined: "declined at a prompt"
        case .confirmationNeeded: "a confirmation or a reason is needed, and nobody could be asked; the whole command is printed"
        case .notAllowed: "not signed in, or not allowed"
        case .changedMeanwhile: "somebody else changed it meanwhile; nothing was written"
        case .notFound: "no such app, platform, revision or window"
        case .noAnswer: "no answer from the server; if a write had been sent, its outcome is unknown, and the message says so"
        case .refused: "input refused: a bad version, a time that is past, a damaged file"
        case .different: "diff: there are differences; status --exit-code: somebody is blocked"
        case .usage: "wrong usage"
        case .interrupted: "interrupted with Ctrl-C"
        }
    }

    /// The summaries in two columns, read downwards.
    static var columns: [String] {
        let half = (allCases.count + 1) / 2
        return zip(allCases.prefix(half), allCases.dropFirst(half)).map { left, right in
            "  " + padded("\(left.rawValue) \(left.summary)", to: 31) + "\(right.rawValue) \(right.summary)"
        }
    }

    /// The explanations, a line each.
    static var lines: [String] { allCases.map { "  " + padded("\($0.rawValue)", to: 5) + $0.explanation } }

    private static func padded(_ text: String, to width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }
}

extension ExitCode {
    /// Ends a command that has printed all it had to say.
    init(_ exit: Exit) { self.init(exit.rawValue) }
}
