import GateModel

/// The versions that a plan looks at: known releases, and those on which a rule's version, or the order in which a library puts it, turns.
enum VersionsThatMatter {
    /// Sorted by age, the oldest first; at least one.
    /// - Parameters:
    ///   - rules: versions that rules name, before and after.
    ///   - exact: versions that rules name one by one, which concern no other.
    static func all(_ settings: PlatformSettings, rules: Set<String>, exact: Set<String>) -> [String] {
        let scheme = settings.versionScheme
        var versions = Set(settings.releases).union(exact.filter(scheme.accepts))
        for version in rules { versions.formUnion(neighbours(of: version, scheme)) }
        if versions.isEmpty { versions = [scheme == .code ? "1" : "1.0.0"] }
        return versions.sorted { scheme.isOlder($0, than: $1) || !scheme.isOlder($1, than: $0) && $0 < $1 }
    }

    /// The version itself, the next ones to either side of it, and those that stand on another side of it by the order of their texts: for
    /// `10.0.0` among others `2.0.0`, `9.0.0` and `9.10.0`.
    static func neighbours(of version: String, _ scheme: VersionScheme) -> Set<String> {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        // Of components beyond the reach of numbers only the version itself is looked at.
        guard parts.allSatisfy({ $0 != nil && $0! < Int.max / 100 }), !parts.isEmpty else { return scheme.accepts(version) ? [version] : [] }
        let numbers = parts.map { $0! }
        var found: Set<String> = [version]
        func add(_ numbers: [Int]) { found.insert(numbers.map(String.init).joined(separator: ".")) }
        for index in numbers.indices {
            let number = numbers[index]
            var others = [number + 1, number * 10, number * 10 + 1, 10, 100]
            if number > 0 { others.append(number - 1) }
            // One digit, and greater as a text than a number of more digits.
            others += [1, 2, 9].filter { $0 < number }
            for other in others where other != number {
                let head = Array(numbers[..<index]) + [other]
                let rest = numbers.count - index - 1
                add(head + Array(numbers[(index + 1)...]))
                if rest > 0 {
                    add(head + Array(repeating: 0, count: rest))
                    add(head + [10] + Array(repeating: 0, count: rest - 1))
                    add(head + [9] + Array(repeating: 0, count: rest - 1))
                }
            }
        }
        if scheme == .dotted {
            if numbers.count > 1 { add(Array(numbers.dropLast())) }
            if numbers.count < 4 {
                add(numbers + [0])
                add(numbers + [1])
            }
        }
        return found.filter(scheme.accepts)
    }
}
