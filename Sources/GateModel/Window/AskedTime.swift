package import GateJSON

/// A time as a request gives it in an object: `at`, optionally with the `zone` in which it is shown; or `wallTime` and `zone`, with `fold`
/// or `offset` if clocks show that time twice.
///
/// The object that a server sends for a ``ZonedTime`` is accepted too, so a client can send back what it read.
struct AskedTime: TabledDocument {
    /// RFC 3339 text, not parsed yet.
    let at: String?
    let wallTime: WallTime?
    let zone: String?
    let fold: ZonedTime.Fold?
    /// As in ``ZonedTime/offset``. It follows from the others, except for a time that clocks show twice, and must not contradict them.
    let offset: String?

    static let table = FieldTable<AskedTime>(
        request: "AskedTime",
        "A time",
        .optional("at", JSONCodec.string.described(as: .time), \.at),
        .optional("wallTime", .wallTime, \.wallTime),
        .optional("zone", .string(1...64), \.zone),
        .optional("fold", .fold, \.fold),
        .optional("offset", .offset, \.offset),
        make: AskedTime.init
    )

    /// - Throws: malformed for an object that names no time; `invalid_time`, and what ``ZonedTime/init(wallTime:zone:fold:)`` throws.
    func zoned() throws(ModelError) -> ZonedTime {
        guard let at else {
            guard let wallTime else { throw .malformed("A time has \"at\", or \"wallTime\" and \"zone\".") }
            guard let zone else { throw .malformed("A wallTime needs its \"zone\", such as Europe/Berlin.", field: "/zone") }
            try Self.check(wallTime.year, "/wallTime")
            let time = try self.time(showing: wallTime, in: zone)
            try Self.check(time.at.year, "/wallTime")
            return time
        }
        let instant: Timestamp
        do throws(ModelError) {
            instant = try Self.instant(at, form: "at is an RFC 3339 time with its offset, such as 2026-03-30T09:00:00+02:00.")
        } catch {
            throw error.within("/at")
        }
        let time = try ZonedTime(at: instant, zone: zone ?? "UTC")
        try Self.check(time.wallTime.year, "/at")
        if let wallTime, wallTime != time.wallTime {
            throw .invalid(
                "invalid_time",
                "at is \(time.wallTime) in \(time.zone), not \(wallTime); send one of the two.",
                field: "/wallTime"
            )
        }
        if let offset, offset != time.offset {
            throw .invalid(
                "invalid_time",
                "At that time clocks in \(time.zone) are at \(time.offset), not \(offset); leave \"offset\" out.",
                field: "/offset"
            )
        }
        return time
    }

    /// The time at which clocks show this; of two, the one that the offset means.
    private func time(showing wallTime: WallTime, in zone: String) throws(ModelError) -> ZonedTime {
        guard let offset else { return try ZonedTime(wallTime: wallTime, zone: zone, fold: fold) }
        var offsets: [String] = []
        for fold in fold.map({ [$0] }) ?? ZonedTime.Fold.allCases {
            let time = try ZonedTime(wallTime: wallTime, zone: zone, fold: fold)
            if time.offset == offset { return time }
            if !offsets.contains(time.offset) { offsets.append(time.offset) }
        }
        throw .invalid(
            "invalid_time",
            "In \(zone) clocks show \(wallTime) at \(offsets.joined(separator: " and ")), not at \(offset); leave \"offset\" out.",
            field: "/offset"
        )
    }

    /// - Parameter form: the error sentence for a text that is not a time.
    static func instant(_ text: String, form: String) throws(ModelError) -> Timestamp {
        do throws(TimeFault) { return try Timestamp(entering: text) } catch {
            throw .invalid("invalid_time", error == .form ? form : TimeFault.outside("The time"))
        }
    }

    private static func check(_ year: Int, _ field: String) throws(ModelError) {
        guard Timestamp.years.contains(year) else { throw .invalid("invalid_time", TimeFault.outside("The time"), field: field) }
    }
}

extension ZonedTime {
    /// Reads a time from a request: RFC 3339 text, or an ``AskedTime``.
    /// - Throws: malformed for another form; `invalid_time`, and what ``init(wallTime:zone:fold:)`` throws.
    package init(request json: JSONValue) throws(ModelError) {
        guard let text = json.string else {
            self = try AskedTime(json: json).zoned()
            return
        }
        let form =
            "A time as text is RFC 3339 with its offset, such as 2026-03-30T09:00:00+02:00; for a time of a zone send {\"wallTime\":\"2026-03-30T09:00\",\"zone\":\"Europe/Berlin\"}."
        try self.init(at: AskedTime.instant(text, form: form))
    }
}

extension JSONCodec where Value == ZonedTime {
    /// A time as requests give it.
    package static var askedTime: JSONCodec {
        JSONCodec(.either(.time, AskedTime.schema)) { value, _ throws(ModelError) in
            try ZonedTime(request: value)
        } write: {
            $0.json
        }
    }
}

extension JSONCodec where Value == WallTime {
    fileprivate static var wallTime: JSONCodec {
        JSONCodec(.string(WallTime.lengths, pattern: WallTime.pattern)) { value, name throws(ModelError) in
            guard let time = WallTime(try JSONCodec<String>.string.read(value, name)) else {
                throw .invalid("invalid_time", "\(name) is a date and a time of day without an offset, such as 2026-03-30T09:00.")
            }
            return time
        } write: {
            .string($0.description)
        }
    }
}

extension JSONCodec where Value == ZonedTime.Fold {
    fileprivate static var fold: JSONCodec {
        JSONCodec(.word(ZonedTime.Fold.allCases.map(\.rawValue))) { value, name throws(ModelError) in
            guard let fold = ZonedTime.Fold(rawValue: try JSONCodec<String>.string.read(value, name)) else {
                throw .malformed("\(name) is earlier or later.")
            }
            return fold
        } write: {
            .string($0.rawValue)
        }
    }
}

extension JSONCodec where Value == String {
    /// How far a wall clock is ahead of UTC.
    fileprivate static var offset: JSONCodec {
        JSONCodec(.string(6...6, pattern: "^[+-][0-9]{2}:[0-9]{2}$")) { value, name throws(ModelError) in
            let text = try JSONCodec<String>.string.read(value, name)
            let isOffset =
                text.utf8.count == 6
                && zip("+00:00".utf8, text.utf8).allSatisfy { form, byte in
                    switch form {
                    case UInt8(ascii: "+"): byte == form || byte == UInt8(ascii: "-")
                    case UInt8(ascii: "0"): byte.isASCIIDigit
                    default: byte == form
                    }
                }
            guard isOffset else {
                throw .invalid("invalid_time", "\(name) is how far the clocks are ahead of UTC, such as +02:00.")
            }
            return text
        } write: {
            .string($0)
        }
    }
}
