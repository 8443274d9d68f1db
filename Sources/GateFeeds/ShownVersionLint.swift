import GateModel

/// What becomes of version codes on Apple's systems, where LaunchGate and Prince of Versions know only the version that people see
/// (wire formats 1.2, 4.2): a minimum of 41 shuts out version 4.1.0, also if its build is 42.
///
/// The rules are published all the same. An app whose two numbers are the same obeys them as they are meant, and a rule that was left out
/// of a feed would let in everybody whom it shuts out today.
enum ShownVersionLint {
    /// The libraries that compare the versions of a target's rules with another number than the server does.
    static func readers(_ change: GateChange) -> Set<ClientLibrary> {
        guard change.settings.versionScheme == .code else { return [] }
        var readers: Set<ClientLibrary> = change.objectDialect == .launchGate ? [.launchgate] : []
        let isListed = PrinceOfVersionsFeed.listName(of: change.target.platform) != nil
        if isListed, change.target.platform != .android { readers.insert(.princeOfVersions) }
        return readers
    }

    static func findings(_ change: GateChange) -> [Finding] {
        let readers = readers(change)
        guard !readers.isEmpty else { return [] }
        let names = [(ClientLibrary.launchgate, "LaunchGate"), (.princeOfVersions, "Prince of Versions")]
            .filter { readers.contains($0.0) }.map(\.1)
        return [Rule.forceUpdate, .requiredUpdate, .optionalUpdate].compactMap { rule in
            guard let version = change.after.version(of: rule, settings: change.settings) else { return nil }
            // Below every other code, as a number and as a text.
            let example = version == "1" ? "0.9.0" : "1.0.0"
            return Finding(
                code: "compared_with_shown_version",
                detail:
                    "In the feeds for everybody \(names.joined(separator: " and ")) \(names.count == 1 ? "compares" : "compare") \(version) on \(change.target) with the version that people see and not with the build, so version \(example), for example, is told to update whatever its build; name the versions that people see (versionScheme \"dotted\"), or have these apps ask with their version and build.",
                field: "/\(rule.rawValue)"
            )
        }
    }
}
