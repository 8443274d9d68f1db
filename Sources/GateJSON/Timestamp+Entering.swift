/// Times given by people or programs: in a body, a query or a command.
extension Timestamp {
    /// The years in which such a time must lie, both in UTC and at the place for which it is given.
    ///
    /// Every such time can then be shown in any zone with a four-digit year, and what is shown can be read back: in the last hours of 9999
    /// it is already the year 10000 elsewhere, and no form that people and programs use has five digits for the year.
    public static let years = 1970...9998

    /// The first moment of ``years`` in UTC.
    public static let earliest = Timestamp(milliseconds: 0)

    /// Reads a given time: like ``init(_:)``, but it must lie within ``years``, both in UTC and at its own offset.
    public init(entering text: String) throws(TimeFault) {
        guard let time = Timestamp(text) else { throw .form }
        // The year in the text is the one at its offset.
        guard let year = Int(text.prefix { $0 != "-" }), Self.years.contains(year), Self.years.contains(time.year) else { throw .years }
        self = time
    }
}

/// Why a text is not accepted as a time.
public enum TimeFault: Error, Sendable {
    /// It does not have the form of a time.
    case form
    /// It lies outside of ``Timestamp/years``.
    case years

    /// One sentence about a time outside ``years``, which names the time and the remedy.
    /// - Parameter name: what the time is called in its document: `until`.
    public static func outside(_ name: String) -> String {
        "\(name) lies outside the years \(Timestamp.years.lowerBound) to \(Timestamp.years.upperBound), in UTC or where it was given; name a time between them."
    }
}
