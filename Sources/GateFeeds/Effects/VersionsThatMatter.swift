import GateModel

/// The versions that a plan examines: known releases, versions named by polls, and those around the limits set by rules, both in version
/// order and in text order.
enum VersionsThatMatter {
    /// One of them, with its place in the order of versions.
    struct Version {
        let text: String
        /// Nil for a stored release that is not valid in the current scheme.
        let order: OrderedVersion?
        /// Examined only because of the text order, which only LaunchGate uses.
        let isForText: Bool
        /// Whether a rule names it.
        let isNamed: Bool
    }

    /// Sorted by age, the oldest first; at least one.
    /// - Parameters:
    ///   - rules: versions that rules name, before and after. In an imported file they may have any form and length.
    ///   - exact: versions that rules name one by one, which affect no other version.
    ///   - polled: versions named by phones, as they spell them; those that no rule can name are left out.
    static func all(_ settings: PlatformSettings, rules: Set<String>, exact: Set<String>, polled: [String] = []) -> [Version] {
        let scheme = settings.versionScheme
        let rules = Set(rules.map(shortened))
        var versions = Set(settings.releases).union(exact.filter(scheme.accepts))
        let limits = rules.union(rules.compactMap { release(of: $0, scheme) })
        for version in limits { versions.formUnion(neighbours(of: version, scheme)) }
        if !rules.isEmpty || !exact.isEmpty { versions.formUnion(polled.filter(scheme.accepts)) }
        if versions.isEmpty { versions = [scheme == .code ? "1" : "1.0.0"] }
        var forText: Set<String> = []
        if !rules.isEmpty { forText = heads(limits, besides: exact, scheme).subtracting(versions) }
        let all =
            versions.map {
                Version(text: $0, order: OrderedVersion($0, scheme), isForText: false, isNamed: rules.contains($0) || exact.contains($0))
            }
            + forText.map { Version(text: $0, order: OrderedVersion($0, scheme), isForText: true, isNamed: false) }
        return all.sorted { one, other in
            guard let left = one.order, let right = other.order, left != right else { return one.text < other.text }
            return left < right
        }
    }

    /// A version without the components that no version of an app has.
    ///
    /// Each component adds as many versions as there are digits, which are as long as the rule's; and the versions of apps lie around the
    /// first components.
    private static func shortened(_ version: String) -> String {
        let most = VersionScheme.mostComponents
        return version.split(separator: ".", maxSplits: most, omittingEmptySubsequences: false).prefix(most).joined(separator: ".")
    }

    /// The version of an app beside which a version of another form lies; nil if there is none.
    ///
    /// An imported file may name a version that its library reads but no rule of ours can name: below `1.1-5`, a build of 1.1, are the
    /// phones of 1.1.0, and above it those of 1.1.1.
    private static func release(of version: String, _ scheme: VersionScheme) -> String? {
        guard !scheme.accepts(version), let release = PrinceOfVersionsAppleClient.Version(version)?.text else { return nil }
        return scheme == .code ? String(release.prefix { $0 != "." }) : release
    }

    /// Numbers of one to three digits that start with each digit: at least one of them lies between any two rules' versions of so few
    /// digits, both as numbers and as texts.
    private static let beginnings: [Int] = Array(0...9) + (1...9).flatMap { [$0 * 10, $0 * 10 + 9, $0 * 100] }

    /// Versions that share the first components of a rule's version and continue with a number that starts with any digit.
    /// - Parameter exact: versions named one by one, which say nothing about those beside them: another version is used in their place.
    private static func heads(_ rules: Set<String>, besides exact: Set<String>, _ scheme: VersionScheme) -> Set<String> {
        var heads: Set<[Int]> = []
        // As numbers without trailing zeros, which do not change a version.
        func bare(_ numbers: [Int]) -> [Int] { Array(numbers.reversed().drop { $0 == 0 }.reversed()) }
        let named = Set(exact.map { bare($0.split(separator: ".").compactMap { Int($0) }) })
        for rule in rules {
            let numbers = rule.split(separator: ".").compactMap { Int($0) }
            for index in numbers.indices {
                let rest = Array(repeating: 0, count: numbers.count - index - 1)
                for number in beginnings {
                    // A hundred three-digit numbers begin with the same digit, and a list has at most that many versions.
                    let last = number < 100 ? number : number + 99
                    let other = (number...last).first { !named.contains(bare(numbers[..<index] + [$0])) } ?? number
                    heads.insert(numbers[..<index] + [other] + rest)
                }
                // The least one with more digits than those: as a number it is greater than the rule's, as a text mostly less.
                if (100...Int.max / 100).contains(numbers[index]) {
                    heads.insert(numbers[..<index] + [Self.leastLonger(than: numbers[index])] + rest)
                }
                // The shortest possible one, which as a text is less than all that begin with it.
                if scheme == .dotted { heads.insert(numbers[..<index] + [numbers[index] / 10]) }
            }
        }
        return Set(heads.map { $0.map(String.init).joined(separator: ".") }.filter(scheme.accepts))
    }

    /// The least number with one more digit.
    private static func leastLonger(than number: Int) -> Int {
        var longer = 1
        while longer <= number { longer *= 10 }
        return longer
    }

    /// The version itself, its next neighbours on either side, and versions that the text order places on the other side of it: for
    /// `10.0.0`, for example, `2.0.0`, `9.0.0` and `9.10.0`.
    static func neighbours(of version: String, _ scheme: VersionScheme) -> Set<String> {
        let parts = version.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        // If a component is too large for an integer, only the version itself is examined.
        guard parts.allSatisfy({ $0 != nil && $0! < Int.max / 100 }), !parts.isEmpty else {
            return scheme.accepts(version) ? [version] : []
        }
        let numbers = parts.map { $0! }
        var found: Set<String> = [version]
        func add(_ numbers: [Int]) { found.insert(numbers.map(String.init).joined(separator: ".")) }
        for index in numbers.indices {
            let number = numbers[index]
            var others = [number + 1, 10, 100]
            if number > 0 { others.append(number - 1) }
            // One digit, but greater as a text than numbers with more digits.
            others += [2, 9].filter { $0 < number }
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
            if numbers.count < VersionScheme.mostComponents {
                add(numbers + [0])
                add(numbers + [1])
            }
        }
        return found.filter(scheme.accepts)
    }
}
