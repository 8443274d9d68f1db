import GateJSON
import GateModel

/// A time that was read is written and read again as the same time; in a zone, its wall time leads back to it.
enum TimeCheck {
    private static let zones = [
        "UTC", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia",
        "Africa/Monrovia",
    ]

    static func look(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let text = String(decoding: input.dropFirst().prefix(64), as: UTF8.self)
        let zone = zones[Int(first) % zones.count]
        if let time = Timestamp(text) {
            hold(Timestamp(time.description) == time, "\(text) is written as \(time) and read as another time")
            // A zone may refuse a time whose wall time is outside the accepted years.
            if let zoned = try? ZonedTime(at: time, zone: zone) { isItself(zoned) }
        }
        if let wall = WallTime(text) {
            hold(WallTime(wall.description) == wall, "\(text) is written as \(wall)")
            for fold in [nil, ZonedTime.Fold.earlier, .later] {
                // A skipped or doubled time is refused, and the refusal names the times that could be meant.
                if let zoned = try? ZonedTime(wallTime: wall, zone: zone, fold: fold) {
                    hold(zoned.wallTime == wall, "\(wall) in \(zone) is shown as \(zoned.wallTime)")
                    isItself(zoned)
                }
            }
        }
        // Any text as a zone, and any document as a time: refused, or accepted and read back as the same.
        if let zoned = try? ZonedTime(at: Timestamp(milliseconds: 1_775_122_334_000), zone: text) { isItself(zoned) }
        if let json = try? JSONReader.read(text), let zoned = try? ZonedTime(request: json) { isItself(zoned) }
    }

    private static func isItself(_ time: ZonedTime) {
        do { hold(try ZonedTime(json: time.json) == time, "\(time) is read as another time") } catch {
            fatalError("\(time) is not read back: \(error)")
        }
    }
}
