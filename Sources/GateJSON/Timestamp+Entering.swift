/// Times that somebody gives: in a body, a query or a command.
extension Timestamp {
    /// The years in which such a time lies, in UTC and on the walls of the place that it is given for.
    ///
    /// Every such time can then be shown in any zone with a year of four digits, and what is shown can be read back: in the last hours of
    /// 9999 the year is 10000 elsewhere, and no form that people and programs use has five digits for it.
    public static let years = 1970...9998

    /// The first moment of ``years`` in UTC.
    public static let earliest = Timestamp(milliseconds: 0)

    /// Reads a time that somebody gives: as ``init(_:)``, and within ``years`` in UTC and at its own offset.
    public init(entering text: String) throws(TimeFault) {
        guard let time = Timestamp(text) else { throw .form }
        // The year that is written is that of the walls at its offset.
        guard let year = Int(text.prefix { $0 != "-" }), Self.years.contains(year), Self.years.contains(time.year) else { throw .years }
        self = time
    }
}

/// Why a text is no time that somebody may give.
public enum TimeFault: Error, Sendable {
    /// It has not the form of a time.
    case form
    /// It lies outside of ``Timestamp/years``.
    case years

    /// One sentence about a time outside of the years, which names it and the remedy.
    /// - Parameter name: what the time is called where it stands: `until`.
    public static func outside(_ name: String) -> String {
        "\(name) lies outside the years \(Timestamp.years.lowerBound) to \(Timestamp.years.upperBound), in UTC or where it was given; name a time between them."
    }
}
