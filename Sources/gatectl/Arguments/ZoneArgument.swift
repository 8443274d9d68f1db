import ArgumentParser

/// `--tz`, of every command that takes a wall time.
enum ZoneArgument {
    static func validate(_ name: String?) throws {
        if let name, Zone(named: name) == nil { throw ValidationError("There is no time zone \(name); a zone is such as Europe/Berlin.") }
    }

    /// The zone of a name that was found good, or this process's where none was given.
    static func zone(_ name: String?) -> Zone { name.flatMap { Zone(named: $0) } ?? .current }
}
