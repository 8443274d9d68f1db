public import GateJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A moment as somebody meant it: the instant, and what the wall clock of a named zone shows then.
///
/// The instant decides when something happens. It is fixed when the time is made; later changes to a zone's rules do not move it.
public struct ZonedTime: Sendable, Hashable {
    public let at: Timestamp
    public let wallTime: WallTime
    /// An IANA name such as `Europe/Berlin`, or `UTC`.
    public let zone: String

    init(at: Timestamp, wallTime: WallTime, zone: String) {
        self.at = at
        self.wallTime = wallTime
        self.zone = zone
    }

    /// An instant as the wall clocks of a zone show it.
    /// - Throws: `invalid_zone`.
    public init(at: Timestamp, zone: String = "UTC") throws(ModelError) {
        let rules = try ZoneRules(zone)
        self.init(at: at, wallTime: rules.wallTime(at: at), zone: zone)
    }

    /// Which of two instants is meant if clocks show a time twice.
    public enum Fold: String, Sendable, CaseIterable {
        case earlier, later
    }

    /// The instant at which the wall clocks of a zone show a time.
    ///
    /// - Parameter fold: needed only for a time in the hour that comes twice, when clocks are put back.
    /// - Throws: `invalid_zone`; `skipped_time` for a time in the hour that is left out, with the nearest existing times as
    ///   ``ModelError/choices``; `ambiguous_time`, with both instants, for a time that comes twice if there is no `fold`.
    public init(wallTime: WallTime, zone: String, fold: Fold? = nil) throws(ModelError) {
        let rules = try ZoneRules(zone)
        func zoned(_ at: Timestamp) -> ZonedTime { ZonedTime(at: at, wallTime: rules.wallTime(at: at), zone: zone) }
        switch (rules.instants(showing: wallTime), fold) {
        case (.once(let at), _): self = zoned(at)
        case (.twice(let earlier, let later), let fold?): self = zoned(fold == .earlier ? earlier : later)
        case (.twice(let earlier, let later), nil):
            let (one, two) = (zoned(earlier), zoned(later))
            var error = ModelError.invalid(
                "ambiguous_time",
                "In \(zone) clocks show \(wallTime) twice: \(one.offset) (\(one.at)) and \(two.offset) (\(two.at)). Say which with \"fold\": \"earlier\" or \"later\".",
                field: "/wallTime"
            )
            error.choices = [one.json, two.json]
            throw error
        case (.never(let change), _):
            // The last whole minute before clocks are put forward, and the first one after.
            let (one, two) = (zoned(change.advanced(bySeconds: -60)), zoned(change))
            var error = ModelError.invalid(
                "skipped_time",
                "In \(zone) clocks never show \(wallTime): they are put forward. The nearest times are \(one.wallTime) and \(two.wallTime).",
                field: "/wallTime"
            )
            error.choices = [one.json, two.json]
            throw error
        }
    }

    /// How far the wall clock is ahead of UTC, in seconds.
    public var secondsFromUTC: Int64 { (wallTime.milliseconds - at.milliseconds + at.milliseconds % 1_000) / 1_000 }

    /// `+02:00`
    public var offset: String {
        let seconds = abs(secondsFromUTC)
        func digits(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
        return (secondsFromUTC < 0 ? "-" : "+") + digits(seconds / 3_600) + ":" + digits(seconds / 60 % 60)
    }
}

/// When the clocks of a zone are changed, from Foundation's copy of the IANA database. On Linux that copy comes only with the complete
/// Foundation, which the server links. gatectl does not link it, so that this knows no zone there, not even UTC; it reads the system's copy
/// itself.
private struct ZoneRules {
    private let zone: TimeZone

    init(_ name: String) throws(ModelError) {
        // A region name of the database, or UTC: abbreviations such as CET and EST do not say which country's rules they mean. Foundation
        // reads a name only up to its first NUL, and would keep what follows as part of the name.
        guard name == "UTC" || name.contains("/"), name.utf8.count <= 64, name.utf8.allSatisfy(Self.isNameByte),
            let zone = TimeZone(identifier: name)
        else {
            throw .invalid(
                "invalid_zone",
                "\(JSONValue.quoted(name, most: 64)) is no time zone; name one as Europe/Berlin, or UTC.",
                field: "/zone"
            )
        }
        self.zone = zone
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit || "/_+-".utf8.contains(byte) }

    enum Instants {
        case once(Timestamp)
        case twice(Timestamp, Timestamp)
        /// The moment at which clocks jump over the time.
        case never(Timestamp)
    }

    func wallTime(at time: Timestamp) -> WallTime {
        let local = time.advanced(bySeconds: offset(at: time)).milliseconds
        return WallTime(milliseconds: local - ((local % 1_000) + 1_000) % 1_000)
    }

    /// Every instant with that wall time has one of the offsets in force a day earlier, at that time in UTC, or a day later: no place is
    /// more than 14 hours from UTC, and no two clock changes are that close together.
    func instants(showing wallTime: WallTime) -> Instants {
        let asUTC = Timestamp(milliseconds: wallTime.milliseconds)
        let offsets = Set([-86_400, 0, 86_400].map { offset(at: asUTC.advanced(bySeconds: $0)) }).sorted()
        let instants = offsets.map { asUTC.advanced(bySeconds: -$0) }.filter { self.wallTime(at: $0) == wallTime }.sorted()
        switch instants.count {
        case 1: return .once(instants[0])
        case 2...: return .twice(instants[0], instants[instants.count - 1])
        default:
            return .never(
                change(between: asUTC.advanced(bySeconds: -offsets[offsets.count - 1]), and: asUTC.advanced(bySeconds: -offsets[0]))
            )
        }
    }

    /// The first second with the later offset, by bisection.
    private func change(between early: Timestamp, and late: Timestamp) -> Timestamp {
        var (low, high) = (early.milliseconds / 1_000, late.milliseconds / 1_000)
        let before = offset(at: early)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if offset(at: Timestamp(milliseconds: middle * 1_000)) == before { low = middle } else { high = middle }
        }
        return Timestamp(milliseconds: high * 1_000)
    }

    private func offset(at time: Timestamp) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000)))
    }
}
