public import GateJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A moment as somebody meant it: the instant, and the wall clock in a named zone that shows it.
///
/// The instant decides when something happens. It is fixed when the time is made; rules that a zone gets later do not move it.
public struct ZonedTime: Sendable, Hashable {
    public let at: Timestamp
    public let wallTime: WallTime
    /// IANA name, such as `Europe/Berlin`; `UTC`.
    public let zone: String

    private init(at: Timestamp, wallTime: WallTime, zone: String) {
        self.at = at
        self.wallTime = wallTime
        self.zone = zone
    }

    /// An instant as the walls of a zone show it.
    /// - Throws: `invalid_zone`.
    public init(at: Timestamp, zone: String = "UTC") throws(ModelError) {
        let rules = try ZoneRules(zone)
        self.init(at: at, wallTime: rules.wallTime(at: at), zone: zone)
    }

    /// Which of two instants is meant when clocks show a time twice.
    public enum Fold: String, Sendable, CaseIterable {
        case earlier, later
    }

    /// The instant at which the walls of a zone show a time.
    ///
    /// - Parameter fold: needed only for a time in the doubled hour, when clocks are put back.
    /// - Throws: `invalid_zone`; `skipped_time` for one in the hour that is left out, with the nearest times that there are as
    ///   ``ModelError/choices``; `ambiguous_time` for one that comes twice when there is no `fold`, with both.
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

    /// What the wall clock is ahead of UTC, in seconds.
    public var secondsFromUTC: Int64 { (wallTime.milliseconds - at.milliseconds + at.milliseconds % 1_000) / 1_000 }

    /// `+02:00`
    public var offset: String {
        let seconds = abs(secondsFromUTC)
        func digits(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
        return (secondsFromUTC < 0 ? "-" : "+") + digits(seconds / 3_600) + ":" + digits(seconds / 60 % 60)
    }

    public var json: JSONValue {
        ["at": .string(at.description), "wallTime": .string(wallTime.description), "zone": .string(zone), "offset": .string(offset)]
    }

    /// Reads a time that was written by ``json``, as it was meant then.
    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A time")
        guard let at = Timestamp(try reader.string("at")) else { throw .malformed("at is an RFC 3339 time.", field: "/at") }
        guard let wallTime = WallTime(try reader.string("wallTime")) else {
            throw .malformed("wallTime is a time without a zone.", field: "/wallTime")
        }
        self.init(at: at, wallTime: wallTime, zone: try reader.string("zone"))
    }

    /// Reads a time that somebody asks for: RFC 3339 text, or an object with `at` and perhaps `zone`, or with `wallTime`, `zone` and perhaps `fold`.
    ///
    /// An object as ``json`` writes it is taken too, so that what a client read it can send.
    /// - Throws: malformed for another form; `invalid_time`, and what ``init(wallTime:zone:fold:)`` throws.
    public init(request json: JSONValue) throws(ModelError) {
        if let text = json.string {
            let form =
                "A time as text is RFC 3339 with its offset, such as 2026-03-30T09:00:00+02:00; for a time of a zone send {\"wallTime\":\"2026-03-30T09:00\",\"zone\":\"Europe/Berlin\"}."
            try self.init(at: Self.at(text, form: form))
            return
        }
        var reader = try ObjectReader(json, "A time")
        let atText = try reader.optionalString("at")
        let wallText = try reader.optionalString("wallTime")
        let zone = try reader.optionalString("zone")
        let foldText = try reader.optionalString("fold")
        _ = reader.optional("offset")
        try reader.refuseOthers()
        let fold = foldText.flatMap(Fold.init(rawValue:))
        guard foldText == nil || fold != nil else { throw .malformed("fold is earlier or later.", field: "/fold") }
        let wallTime = wallText.flatMap(WallTime.init(_:))
        guard wallText == nil || wallTime != nil else {
            throw .invalid(
                "invalid_time",
                "wallTime is a date and a time of day without an offset, such as 2026-03-30T09:00.",
                field: "/wallTime"
            )
        }
        guard let atText else {
            guard let wallTime else { throw .malformed("A time has \"at\", or \"wallTime\" and \"zone\".") }
            guard let zone else { throw .malformed("A wallTime needs its \"zone\", such as Europe/Berlin.", field: "/zone") }
            guard Timestamp.years.contains(wallTime.year) else {
                throw .invalid("invalid_time", TimeFault.outside("The time"), field: "/wallTime")
            }
            try self.init(wallTime: wallTime, zone: zone, fold: fold)
            guard Timestamp.years.contains(at.year) else {
                throw .invalid("invalid_time", TimeFault.outside("The time"), field: "/wallTime")
            }
            return
        }
        let at: Timestamp
        do { at = try Self.at(atText, form: "at is an RFC 3339 time with its offset, such as 2026-03-30T09:00:00+02:00.") } catch {
            throw error.within("/at")
        }
        try self.init(at: at, zone: zone ?? "UTC")
        guard Timestamp.years.contains(self.wallTime.year) else {
            throw .invalid("invalid_time", TimeFault.outside("The time"), field: "/at")
        }
        if let wallTime, wallTime != self.wallTime {
            throw .invalid(
                "invalid_time",
                "at is \(self.wallTime) in \(self.zone), not \(wallTime); send one of the two.",
                field: "/wallTime"
            )
        }
    }

    private static func at(_ text: String, form: String) throws(ModelError) -> Timestamp {
        do throws(TimeFault) { return try Timestamp(entering: text) } catch {
            throw .invalid("invalid_time", error == .form ? form : TimeFault.outside("The time"))
        }
    }
}

/// When the clocks of a zone are changed, from Foundation's copy of the IANA database. On Linux that copy comes with Foundation as a whole,
/// which the server links; gatectl does not, knows no zone here but UTC, and asks the system's copy by itself.
private struct ZoneRules {
    private let zone: TimeZone

    init(_ name: String) throws(ModelError) {
        // A name of the database's regions, or UTC: abbreviations such as CET and EST do not say which country's rules they mean.
        // Foundation reads a name up to its first NUL, and would keep what comes after as a part of it.
        guard name == "UTC" || name.contains("/"), name.utf8.count <= 64, name.utf8.allSatisfy(Self.isNameByte),
            let zone = TimeZone(identifier: name)
        else {
            throw .invalid(
                "invalid_zone",
                "\(JSONValue.string(String(name.prefix(64))).text) is no time zone; name one as Europe/Berlin, or UTC.",
                field: "/zone"
            )
        }
        self.zone = zone
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "/_+-".utf8.contains(byte)
        }
    }

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

    /// Every instant whose wall time is that one has one of the offsets in force a day before, then, or a day after: no place is further than
    /// 14 hours from UTC, and no two changes are that near to each other.
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

    /// The first second with the later offset, by halving.
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
