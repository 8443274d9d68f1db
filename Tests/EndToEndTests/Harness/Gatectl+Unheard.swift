import Foundation
import GateTesting

/// How a shell starts gatectl so that its answer goes nowhere.
enum Deafness: String, CaseIterable, Sendable {
    case closed = #""$0" "$@" >&-"#
    case allClosed = #""$0" "$@" <&- >&-"#
    case full = #""$0" "$@" > /dev/full"#
    /// A pipe whose reader has gone.
    case gone = #"mkfifo gone; true < gone & exec 3> gone; wait $!; perl -e '$SIG{PIPE} = "DEFAULT"; exec @ARGV' "$0" "$@" >&3 3>&-"#
    /// The same where whoever started gatectl ignores the signal for that, as systemd does.
    case goneAndIgnored = #"trap '' PIPE; mkfifo gone; true < gone & exec 3> gone; wait $!; "$0" "$@" >&3 3>&-"#

    /// Whether a reader left, as `head` does when it has enough.
    var isOfReader: Bool { self == .gone || self == .goneAndIgnored }
}

extension Gatectl {
    func unheard(_ how: Deafness, _ arguments: [String]) async throws -> Outcome {
        try? FileManager.default.removeItem(atPath: home.path + "/gone")
        return try await run("/bin/sh", ["-c", how.rawValue, Programs.gatectl] + arguments, environment: environment, in: home.path)
    }
}
