import ArgumentParser

/// `--tz`, of every command that takes a wall time.
enum ZoneArgument {
    static func validate(_ name: String?) throws {
        if let name, Zone(named: name) == nil { throw ValidationError("There is no time zone \(name); name one such as Europe/Berlin.") }
    }

    /// The zone with a name, or this process's if none was given.
    static func zone(_ name: String?) -> Zone {
        guard let name else { return .current }
        return Zone(named: name) ?? .unknown("this machine does not know the time zone \(Style.safe(name))")
    }
}
