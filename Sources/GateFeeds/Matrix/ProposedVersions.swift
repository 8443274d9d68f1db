package import GateModel

/// The versions to show if nobody names any: as few as possible that still show every point at which something changes.
///
/// A plan examines hundreds and reports them in groups; here each is a row that somebody reads.
package enum ProposedVersions {
    /// As many rows as one can take in at a glance.
    package static let most = 24
    /// The most of the versions blocked one by one, and the most of those named by polls.
    private static let mostNamed = 6

    /// The oldest first; at least one.
    /// - Parameters:
    ///   - platform: where LaunchGate reads it, as on `ios`, versions are compared as text even if they are codes.
    ///   - polled: versions named by polls, the most polled first; those that the platform cannot have are left out.
    package static func of(_ gate: Gate, _ settings: PlatformSettings, on platform: PlatformKey, polled: [String]) -> [String] {
        let scheme = settings.versionScheme
        let blocked = gate.requiredUpdate?.blockedVersions ?? []
        let looksAtText = scheme == .dotted || ObjectDialect(platform: platform, scheme: scheme) == .launchGate
        let limits = gate.versions(settings: settings)
        let releases = settings.releases.filter(scheme.accepts).sorted { scheme.isOlder($1, than: $0) }
        var chosen: [String] = []
        var room = most
        func choose(_ versions: some Sequence<String>) {
            for version in versions where room > 0 && scheme.accepts(version) && !chosen.contains(version) {
                chosen.append(version)
                room -= 1
            }
        }
        choose(limits)
        for limit in limits {
            choose(justBelow(limit, scheme))
            if looksAtText { choose(misplaced(around: limit, scheme, besides: blocked)) }
        }
        choose(blocked.prefix(mostNamed))
        choose(polled.prefix(mostNamed))
        // The newest and the oldest release always come before the others.
        choose([releases.first, releases.last].compactMap(\.self))
        choose(releases)
        choose(polled)
        if chosen.isEmpty { chosen = [scheme == .code ? "1" : "1.0.0"] }
        return chosen.sorted { scheme.isOlder($0, than: $1) || !scheme.isOlder($1, than: $0) && $0 < $1 }
    }

    /// The version just below a limit, if there is one.
    private static func justBelow(_ limit: String, _ scheme: VersionScheme) -> [String] {
        let below = near(limit, scheme).filter { $0.utf8.count <= limit.utf8.count && scheme.isOlder($0, than: limit) }
        return below.max { scheme.isOlder($0, than: $1) }.map { [$0] } ?? []
    }

    /// On either side of a limit, the likeliest version that the text order misplaces.
    /// - Parameter blocked: versions that must update wherever they are, so the text order does them no wrong.
    private static func misplaced(around limit: String, _ scheme: VersionScheme, besides blocked: [String]) -> [String] {
        let near = near(limit, scheme)
        let below = near.first { scheme.isOlder($0, than: limit) && $0 >= limit }
        let above = near.first { version in
            scheme.isOlder(limit, than: version) && version < limit
                && blocked.allSatisfy { scheme.isOlder($0, than: version) || scheme.isOlder(version, than: $0) }
        }
        return [below, above].compactMap(\.self)
    }

    /// Versions around a limit, the likeliest first: with as many numbers as the limit, and as much as possible of its beginning in common,
    /// as the versions of one app have.
    private static func near(_ limit: String, _ scheme: VersionScheme) -> [String] {
        let numbers = limit.split(separator: ".")
        return VersionsThatMatter.neighbours(of: limit, scheme).map { ($0, $0.split(separator: ".")) }
            .filter { $0.0 != limit && $0.1.count == numbers.count }
            .map { (text: $0.0, shared: zip($0.1, numbers).prefix { $0 == $1 }.count) }
            .sorted { ($1.shared, $0.text.utf8.count, $0.text) < ($0.shared, $1.text.utf8.count, $1.text) }
            .map(\.text)
    }
}
