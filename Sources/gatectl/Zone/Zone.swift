import GateJSON
import GateModel

/// By how much the clocks of a place are ahead of UTC, and when that changes: from the system's copy of the IANA database.
///
/// Foundation has a copy of its own, which is not used: loading it takes longer than everything else that gatectl does, and the system's
/// copy is updated with the system.
struct Zone: Sendable {
    /// The name in the database, such as `Europe/Berlin`; `UTC`. Nil where the machine follows rules without a name.
    let name: String?
    /// Why wall times mean nothing in it, one sentence without its full stop; nil for a zone that is known. One that is not has the clocks
    /// of UTC, as in the C library.
    let fault: String?
    private let rules: Rules

    private enum Rules: Sendable {
        case utc
        case file(ZoneFile)
        case rule(ZoneRule)
    }

    static let utc = Zone(name: "UTC", rules: .utc)

    /// The zone of this process.
    static let current = Zone.local(environment: ProcessEnvironment.variables)

    private init(name: String?, rules: Rules, fault: String? = nil) {
        self.name = name
        self.fault = fault
        self.rules = rules
    }

    /// Where the database is.
    static let database = "/usr/share/zoneinfo"

    /// The zone of that name, or nil when the database has none.
    init?(named name: String) {
        if name == "UTC" {
            self = .utc
            return
        }
        // "right" and "posix" hold the whole database again, the first with leap seconds, which no clock here counts.
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(Self.isNameByte) }), parts[0] != "right", parts[0] != "posix",
            let file = ZoneFile(path: "\(Self.database)/\(name)")
        else { return nil }
        self.init(name: name, rules: .file(file))
    }

    private static func isNameByte(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte.isASCIIDigit || "_+-".utf8.contains(byte) }

    /// A zone with a name that this machine does not know.
    static func unknown(_ fault: String) -> Zone { Zone(name: "UTC", rules: .utc, fault: fault) }

    /// The zone that `TZ` names, else the machine's; UTC where neither can be read, as in the C library.
    static func local(environment: [String: String]) -> Zone {
        guard let text = environment["TZ"] else { return machine ?? .utc }
        let name = text.hasPrefix(":") ? String(text.dropFirst()) : text
        let named =
            name.hasPrefix("/")
            ? ZoneFile(path: name).map { Zone(name: Self.name(ofFile: name), rules: .file($0)) }
            : Zone(named: name) ?? ZoneRule(name).map { Zone(name: nil, rules: .rule($0)) }
        return named ?? (name.isEmpty ? .utc : unknown("TZ is \(Style.safe(text)), which is no time zone here"))
    }

    /// `/etc/localtime` is a link into the database; the path that it names ends with the zone's name.
    private static var machine: Zone? {
        let named = FileSystem.destination(of: "/etc/localtime").flatMap(name(ofFile:))
        return ZoneFile(path: "/etc/localtime").map { Zone(name: named, rules: .file($0)) }
    }

    /// `../usr/share/zoneinfo/Europe/Berlin` is Europe/Berlin.
    private static func name(ofFile path: String) -> String? {
        guard let range = path.firstRange(of: "/zoneinfo/") else { return nil }
        let name = String(path[range.upperBound...])
        return Zone(named: name) == nil ? nil : name
    }

    /// How far clocks are ahead of UTC at a moment, in seconds.
    func offset(at time: Timestamp) -> Int64 {
        switch rules {
        case .utc: 0
        case .file(let file): file.offset(at: time)
        case .rule(let rule): rule.offset(at: time)
        }
    }

    /// What clocks show at a moment, as the moment at which clocks in UTC show the same.
    func wall(at time: Timestamp) -> Timestamp { time.advanced(bySeconds: offset(at: time)) }

    /// A moment with what clocks show then, for the server.
    /// - Parameter name: the zone's, as the server knows it.
    func zoned(_ time: Timestamp, as name: String) throws(Failure) -> ZonedTime {
        let wall = wall(at: time)
        // Written as the server writes it: without milliseconds and Z.
        let text = String(wall.description.dropLast(5))
        do { return try ZonedTime(json: ["at": .string(time.description), "wallTime": .string(text), "zone": .string(name)]) } catch {
            throw Failure(.refused, error.code, error.detail)
        }
    }

    /// The moments at which clocks show a time, the earliest first: one, two where they are put back, none where they are put forward.
    ///
    /// Each has one of the offsets in force a day before, then, or a day after: no place is further than 14 hours from UTC, and no two
    /// changes are that close together.
    func moments(showing wall: Timestamp) -> [Timestamp] {
        let offsets = Set([-86_400, 0, 86_400].map { offset(at: wall.advanced(bySeconds: $0)) })
        return offsets.map { wall.advanced(bySeconds: -$0) }.filter { self.wall(at: $0) == wall }.sorted()
    }
}
