package import GateModel

/// Finds out what a change of one target does on its phones, by running every client library's model over the bytes before and after.
///
/// The work grows with the versions that rules name and with the known releases; both are limited.
package enum EffectFinder {
    /// A target's gate together with what is known about its platform.
    package struct Side: Sendable, Hashable {
        package let gate: Gate
        package let settings: PlatformSettings

        package init(_ gate: Gate, _ settings: PlatformSettings) {
            self.gate = gate
            self.settings = settings
        }
    }

    /// - Parameters:
    ///   - room: how many pairs of library and version may still be examined; reduced by the number examined. The last target may exceed
    ///     it.
    ///   - before: nil for a target that is being added: nobody polls it yet, so it counts as an open gate.
    ///   - after: nil for a target that is being removed: its phones get an error.
    ///   - hosted: what apps have polled until now instead of the target's own feeds, by library: the file being imported.
    ///   - polled: versions named by polls; examined only if a rule names a version, because otherwise all versions behave alike.
    /// - Returns: a row for each library and each kind of behaviour that changes or is not as meant; the worst first. Empty if one side
    ///   cannot be published at all.
    package static func effects(
        of target: TargetKey,
        before: Side?,
        after: Side?,
        hosted: [ClientLibrary: [UInt8]] = [:],
        polled: [String] = [],
        room: inout Int
    ) -> [Effect] {
        guard let settings = (after ?? before)?.settings else { return [] }
        let platform = target.platform
        let sides = [before ?? Side(.open, settings), after].map { side in side.flatMap { Feeds($0, platform) } }
        guard let feedsBefore = sides[0], after == nil || sides[1] != nil else { return [] }
        var passes: [Pass] = []
        for library in ClientLibrary.told(of: platform, settings) {
            for release in library == .gandalf ? GandalfRelease.usualFirst : [.usual] {
                let file = hosted[library].map { ReadFeed(library, $0, on: platform, release: release) }
                passes.append(
                    Pass(
                        library: library,
                        release: release,
                        before: file ?? feedsBefore.read(library, release),
                        after: sides[1]?.read(library, release),
                        isTakenOver: file != nil
                    )
                )
            }
        }
        let files = passes.filter { hosted[$0.library] != nil }.map(\.before)
        let versions = versions(before, after, settings, files: files, polled: polled)
        room -= passes.count * versions.count
        let rows = rows(passes, versions, on: platform, meant: GateMeaning(after?.gate ?? .open, scheme: settings.versionScheme))
        let ranks = ExampleRanks(releases: Set(settings.releases), versions: versions)
        return rows.map { row, versions in
            let examples = ranks.examples(of: versions)
            return Effect(
                target: target,
                client: row.library,
                versions: examples,
                before: row.before,
                after: row.after,
                meant: row.meant,
                detail: EffectWords(row: row, version: examples[0], gate: after?.gate, settings: settings, platform: platform).sentence
            )
        }.inOrder
    }

    /// What each library shows to each version, where that changes or is not as meant.
    static func rows(_ passes: [Pass], _ versions: [VersionsThatMatter.Version], on platform: PlatformKey, meant meaning: GateMeaning)
        -> [Row: [String]]
    {
        let versions = versions.map { (text: $0.text, meant: meaning.shown(to: $0.order), isForText: $0.isForText) }
        var rows: [Row: [String]] = [:]
        var usual: [String: Row] = [:]
        for pass in passes {
            for (version, meant, isForText) in versions where !isForText || pass.library == .launchgate {
                let row = Row(
                    library: pass.library,
                    release: pass.release,
                    before: pass.before.shown(to: version),
                    after: pass.after?.shown(to: version) ?? .rejected,
                    meant: meant
                )
                if pass.release == .usual {
                    usual[version] = row
                } else if let usual = usual[version], (usual.before, usual.after) == (row.before, row.after) {
                    // Already reported for the release that most phones have.
                    continue
                }
                if row.after != row.before || row.after != row.meant { rows[row, default: []].append(version) }
                guard pass.isTakenOver, pass.release == .usual, row.before == row.after, let after = pass.after else { continue }
                // People who dismissed what the file shows: if the feed spells it differently, a library shows it again.
                let phone = SimulatedPhone(pass.library, on: platform, checked: version).shown(pass.before)
                let (file, feed) = (Effect.Shown(phone.decide(pass.before)), Effect.Shown(phone.decide(after)))
                guard file != feed else { continue }
                let again = Row(
                    library: pass.library,
                    release: pass.release,
                    before: file,
                    after: feed,
                    meant: meant,
                    isAgain: true
                )
                rows[again, default: []].append(version)
            }
        }
        return rows
    }

    /// The versions named by rules on either side, and by the imported files.
    /// - Parameter files: documents that did not come of the target's gate.
    static func versions(
        _ before: Side?,
        _ after: Side?,
        _ settings: PlatformSettings,
        files: [ReadFeed],
        polled: [String] = []
    ) -> [VersionsThatMatter.Version] {
        var (rules, exact): (Set<String>, Set<String>) = ([], [])
        for side in [before, after].compactMap(\.self) {
            rules.formUnion(side.gate.versions(settings: side.settings))
            exact.formUnion(side.gate.requiredUpdate?.blockedVersions ?? [])
        }
        for file in files { rules.formUnion(file.versions) }
        return VersionsThatMatter.all(settings, rules: rules, exact: exact, polled: polled)
    }

    /// Whether polled versions could make a difference between these two sides.
    package static func looksAtPolls(_ before: Side?, _ after: Side?) -> Bool {
        [before, after].compactMap(\.self).contains { side in
            side.gate.requiredUpdate != nil || side.gate.optionalUpdate != nil || side.gate.forceUpdate != nil
        }
    }

    /// Picks the examples that people know: releases, newest first, then versions that rules name, then those around them.
    struct ExampleRanks {
        private let ranks: [String: (kind: Int, length: Int, age: Int)]

        init(releases: Set<String>, versions: [VersionsThatMatter.Version]) {
            var ranks: [String: (kind: Int, length: Int, age: Int)] = [:]
            for (place, version) in versions.enumerated() {
                let kind = releases.contains(version.text) ? 0 : version.isNamed ? 1 : version.isForText ? 3 : 2
                // Of versions that nobody named, the shortest look most like real ones.
                ranks[version.text] = (kind, kind < 2 ? 0 : version.text.utf8.count, -place)
            }
            self.ranks = ranks
        }

        func examples(of versions: [String]) -> [String] {
            let ranked = versions.map { (rank: ranks[$0] ?? (4, 0, 0), text: $0) }.sorted { $0.rank < $1.rank }
            return ranked.prefix(Effect.mostVersions).map(\.text)
        }
    }

    /// One library in one of its releases, with what it polls before and after.
    struct Pass {
        let library: ClientLibrary
        let release: GandalfRelease
        let before: ReadFeed
        /// Nil for feeds that are removed: an error that no library can read.
        let after: ReadFeed?
        /// Whether what it polls before is a file that is being taken over.
        var isTakenOver = false
    }

    /// What rows that are reported as one have in common.
    struct Row: Hashable {
        let library: ClientLibrary
        let release: GandalfRelease
        let before: Effect.Shown
        let after: Effect.Shown
        let meant: Effect.Shown
        /// About people who had dismissed what the file shows.
        var isAgain = false
    }

    /// The bytes of the feeds that a target's phones poll.
    ///
    /// Documents of a whole app are rendered with only this platform: no library looks at the others beside it.
    struct Feeds {
        private let bytes: [FeedName: [UInt8]]
        private let side: Side
        private let platform: PlatformKey

        /// Nil if the side cannot be published.
        init?(_ side: Side, _ platform: PlatformKey) {
            self.side = side
            self.platform = platform
            // The commit reports the reason.
            guard let bytes = try? FeedRenderer.documents(of: side.gate, side.settings, platform) else { return nil }
            self.bytes = bytes
        }

        func read(_ library: ClientLibrary, _ release: GandalfRelease) -> ReadFeed {
            if library == .gatekit || library == .openFeature { return .gate(GateMeaning(side.gate, scheme: side.settings.versionScheme)) }
            return ReadFeed(library, bytes[library.feed] ?? [], on: platform, release: release)
        }
    }
}

extension [Effect] {
    /// The worst first; equally bad ones are grouped by target.
    package var inOrder: [Effect] {
        map { (grade: $0.grade.rawValue, target: $0.target.description, place: $0.place, effect: $0) }
            .sorted { one, other in
                if one.grade != other.grade { return one.grade < other.grade }
                if one.target != other.target { return one.target < other.target }
                return one.place != other.place ? one.place < other.place : one.effect.detail < other.effect.detail
            }
            .map(\.effect)
    }
}

extension Effect {
    /// Its order among equally bad rows of one target.
    fileprivate var place: Int {
        func place<Word: CaseIterable & Equatable>(_ word: Word) -> Int { Array(Word.allCases).firstIndex(of: word) ?? 0 }
        return ((place(meant) * 10 + place(client)) * 10 + place(after)) * 10 + place(before)
    }
}

extension GandalfRelease {
    /// The release that most phones have comes first.
    fileprivate static let usualFirst = [usual] + allCases.filter { $0 != usual }
}

extension ClientLibrary {
    /// The libraries whose effects on a platform are reported, the likeliest first: those that its apps use, as far as they read its feeds.
    static func told(of platform: PlatformKey, _ settings: PlatformSettings) -> [ClientLibrary] {
        let reading = reading(platform, scheme: settings.versionScheme)
        guard let clients = settings.clients else { return reading }
        return (reading + [.gatekit, .openFeature]).filter(clients.contains)
    }
}
