import GateJSON

/// A dotted version as people mean it: `1.9` is older than `1.10`.
///
/// Missing components are zero, leading zeros do not matter, a component may have any number of digits, `-pre` sorts before its release by
/// the rules of semver.org section 11, `+build` is ignored, one leading `v` is tolerated. Anything else is not a version: `nil`, never zero
/// (wire formats 6.2 item 1; table 5.1 is its test).
public struct AppVersion: Sendable, Hashable, Comparable {
    /// Each component's digits without leading zeros, and no trailing zero components, so equal versions are equal values.
    private let components: [String]
    private let prerelease: [String]?

    public init?(_ text: String) {
        var rest = Substring(text)
        if rest.first == "v" || rest.first == "V" { rest = rest.dropFirst() }
        if let plus = rest.firstIndex(of: "+") {
            guard Self.identifiers(rest[rest.index(after: plus)...]) != nil else { return nil }
            rest = rest[..<plus]
        }
        var prerelease: [String]?
        if let hyphen = rest.firstIndex(of: "-") {
            guard let identifiers = Self.identifiers(rest[rest.index(after: hyphen)...]) else { return nil }
            prerelease = identifiers
            rest = rest[..<hyphen]
        }
        var components: [String] = []
        for part in rest.split(separator: ".", omittingEmptySubsequences: false) {
            guard !part.isEmpty, part.utf8.allSatisfy({ $0.isASCIIDigit }) else { return nil }
            components.append(String(part.drop { $0 == "0" }))
        }
        while components.last == "" { components.removeLast() }
        self.components = components
        self.prerelease = prerelease
    }

    public static func < (one: AppVersion, other: AppVersion) -> Bool {
        for index in 0..<max(one.components.count, other.components.count) {
            let left = index < one.components.count ? one.components[index] : ""
            let right = index < other.components.count ? other.components[index] : ""
            if left != right { return isSmaller(left, right) }
        }
        switch (one.prerelease, other.prerelease) {
        case (nil, nil), (nil, .some): return false
        case (.some, nil): return true
        case (let left?, let right?): return isEarlier(left, right)
        }
    }

    private static func identifiers(_ text: Substring) -> [String]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let valid = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "-") || $0.isASCIILetter }
        }
        return valid ? parts.map { $0.utf8.allSatisfy({ $0.isASCIIDigit }) ? String($0.drop { $0 == "0" }) : $0 } : nil
    }

    private static func isEarlier(_ left: [String], _ right: [String]) -> Bool {
        for (one, other) in zip(left, right) where one != other {
            switch (one.utf8.allSatisfy({ $0.isASCIIDigit }), other.utf8.allSatisfy({ $0.isASCIIDigit })) {
            case (true, true): return isSmaller(one, other)
            case (true, false): return true
            case (false, true): return false
            case (false, false): return one.utf8.lexicographicallyPrecedes(other.utf8)
            }
        }
        return left.count < right.count
    }

    /// Compares two whole numbers given as digits without leading zeros, so numbers of any length cannot overflow.
    private static func isSmaller(_ left: String, _ right: String) -> Bool {
        left.utf8.count != right.utf8.count ? left.utf8.count < right.utf8.count : left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}
