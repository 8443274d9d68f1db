/// The version of a gatehouse release, such as 1.4.2.
///
/// Releases that differ only in the third number read and write the same data; the first two decide what a data folder may hold.
package struct Release: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let major: Int
    package let minor: Int
    package let patch: Int

    /// The version of this source: programs, package and API report it, and `deploy/CHANGELOG.md` begins with it.
    package static let current = Release(major: 0, minor: 1, patch: 0)

    package init(major: Int, minor: Int, patch: Int) {
        (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    /// Reads three numbers separated by dots; anything that a build appends after `-`, `+` or `~` is ignored.
    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        let numbers = text.prefix { !"-+~".contains($0) }
        guard numbers.utf8.count <= 32 else { return nil }
        let parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let major = Int(parts[0]), let minor = Int(parts[1]), let patch = Int(parts[2])
        else { return nil }
        self.init(major: major, minor: minor, patch: patch)
    }

    package var description: String { "\(major).\(minor).\(patch)" }

    package static func < (left: Release, right: Release) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    /// Whether this release may have written data that `other` cannot read.
    package func mayExceed(_ other: Release) -> Bool { (major, minor) > (other.major, other.minor) }
}
