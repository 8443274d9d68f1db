import GateJSON

/// What a clock on the wall shows: a date and a time of day without a zone, such as `2026-03-30T09:00:00`.
public struct WallTime: Sendable, Hashable, CustomStringConvertible {
    /// Length in ASCII characters, with or without the seconds.
    static let lengths = 16...19
    /// An ECMA 262 expression for the whole text.
    static let pattern = "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}(?::[0-9]{2})?$"

    /// Milliseconds since 1970 as if the wall were in UTC; whole seconds.
    let milliseconds: Int64

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Reads `2026-03-30T09:00` and `2026-03-30T09:00:00`; nil for anything else, such as a time with an offset.
    public init?(_ text: String) {
        guard let start = text.utf8.firstIndex(where: { $0 == UInt8(ascii: "T") || $0 == UInt8(ascii: "t") }) else { return nil }
        let length = text.utf8[start...].count
        guard length == 6 || length == 9, let time = Timestamp(length == 6 ? text + ":00Z" : text + "Z") else { return nil }
        // No wall clock shows a leap second: it would be shown as the next minute and read back as another time.
        guard !text.hasSuffix(":60") else { return nil }
        milliseconds = time.milliseconds
    }

    public var year: Int { Timestamp(milliseconds: milliseconds).year }

    /// The spelling of the instant without its milliseconds and its Z.
    public var description: String { String(Timestamp(milliseconds: milliseconds).description.dropLast(5)) }
}
