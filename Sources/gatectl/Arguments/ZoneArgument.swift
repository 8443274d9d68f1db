import ArgumentParser

/// `--tz`, of every command that takes a wall time.
enum ZoneArgument {
    static func validate(_ name: String?) throws {
        if let name, Zone(named: name) == nil { throw ValidationError("There is no time zone \(name); name one such as Europe/Berlin.") }
    }

    /// The zone with an already validated name, or this process's if none was given.
    static func zone(_ name: String?) -> Zone { name.flatMap { Zone(named: $0) } ?? .current }
}
