import Foundation

/// A moment in UTC, in whole milliseconds since 1970.
///
/// An integer and not a `Date`, so that what is stored, hashed and shown is the same to the last digit.
public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Reads RFC 3339 with 0 to 3 decimals and any offset; nil for anything else.
    public init?(_ text: String) {
        guard let match = text.wholeMatch(of: #/\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.(\d{1,3}))?(?:[Zz]|[+-]\d\d:\d\d)/#) else { return nil }
        let decimals = match.1.map(String.init) ?? ""
        let whole = decimals.isEmpty ? text : text.replacingOccurrences(of: "." + decimals, with: "")
        guard let date = try? Date(whole.uppercased(), strategy: .iso8601) else { return nil }  // nil is the answer for what is no time, such as a 31 June
        self.milliseconds = Int64(date.timeIntervalSince1970.rounded()) * 1_000 + (Int64(decimals.padding(toLength: 3, withPad: "0", startingAt: 0)) ?? 0)
    }

    /// RFC 3339 in UTC with milliseconds: `2026-04-02T09:32:14.000Z`.
    public var description: String {
        // The decimals are written here: a Date holds a binary fraction, and Foundation cuts it, so that .123 would come out as .122.
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        let decimals = rest < 0 ? rest + 1_000 : rest
        let whole = Date(timeIntervalSince1970: Double(rest < 0 ? seconds - 1 : seconds)).formatted(Date.ISO8601FormatStyle())
        return whole.dropLast() + "." + String(decimals + 1_000).dropFirst() + "Z"
    }

    public static func < (one: Timestamp, other: Timestamp) -> Bool { one.milliseconds < other.milliseconds }

    public func advanced(bySeconds seconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + seconds * 1_000) }

    /// The machine's clock; handed in wherever time is needed, so that tests need not wait.
    public static var now: Timestamp { Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down))) }
}
