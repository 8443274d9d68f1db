package import GateJSON

/// A time as a server sends it; read back exactly as it was meant when it was made.
extension ZonedTime: TabledDocument {
    package static let table = FieldTable<ZonedTime>(
        answer: "ZonedTime",
        "A time",
        .needed("at", .toldTime, \.at),
        .needed("wallTime", .wallTime, \.wallTime),
        .needed("zone", .string, \.zone),
        .told("offset", .string(pattern: "^[+-][0-9]{2}:[0-9]{2}$"), \.offset)
    ) { at, wallTime, zone, _ in
        ZonedTime(at: at, wallTime: wallTime, zone: zone)
    }
}

extension JSONCodec where Value == WallTime {
    fileprivate static var wallTime: JSONCodec {
        JSONCodec(.text) { value, name throws(ModelError) in
            guard let time = WallTime(try JSONCodec<String>.string.read(value, name)) else {
                throw .malformed("\(name) is a time without a zone.")
            }
            return time
        } write: {
            .string($0.description)
        }
    }
}
