package import GateModel

extension EffectFinder {
    /// What an address has served.
    package enum Lost: Sendable, Hashable {
        /// The target's document, or its app's.
        case own(FeedName)
        /// Another platform's document that holds the whole app's objects and lists beside its own status: the combined one.
        case shared(FeedName)

        /// Whether phones of the target's platform could read it with the library.
        func isRead(by library: ClientLibrary) -> Bool {
            switch self {
            case .own(let feed): library.reads(feed)
            case .shared(let feed): library.reads(feed) && !library.feed.isPerPlatform
            }
        }
    }

    /// What an address serves in place of a target's document.
    package enum Successor: Sendable, Hashable {
        /// An error: the address is removed.
        case nothing
        /// Another document of the same target.
        case feed(FeedName)
        /// A document that does not come of the target's gate alone: of an own shape, or another target's.
        case document([UInt8])
    }

    /// What happens to the phones that poll a target's document at an alias when the alias stops serving it, while the gate still means the
    /// same for them.
    ///
    /// Where they get a document of another making, all libraries that could read the old one are asked, and not only those that the apps
    /// are said to use: what is lost otherwise is an address, but such a document can shut them out.
    /// - Parameter room: as for a change.
    package static func effects(of target: TargetKey, _ side: Side, losing lost: Lost, to next: Successor, room: inout Int) -> [Effect] {
        guard let feeds = Feeds(side, target.platform) else { return [] }
        let settings = side.settings
        let libraries: [ClientLibrary]
        if case .document = next {
            libraries = ClientLibrary.reading(target.platform, scheme: settings.versionScheme)
        } else {
            libraries = ClientLibrary.told(of: target.platform, settings)
        }
        var passes: [Pass] = []
        for library in libraries where lost.isRead(by: library) {
            let after: ReadFeed?
            switch next {
            case .nothing: after = nil
            case .feed(let moved):
                // It reads what it has read so far.
                if library.reads(moved) { continue }
                after = nil
            case .document(let bytes): after = ReadFeed(library, bytes, on: target.platform)
            }
            passes.append(Pass(library: library, release: .usual, before: feeds.read(library, .usual), after: after))
        }
        let looked = versions(side, side, settings, files: passes.compactMap(\.after))
        room -= passes.count * looked.count
        let ranks = ExampleRanks(releases: Set(settings.releases), versions: looked)
        return rows(passes, looked, on: target.platform, meant: GateMeaning(side.gate, scheme: settings.versionScheme)).map {
            row,
            versions in
            let gets =
                next == .nothing
                ? row.withoutFeed
                : row.after == .rejected
                    ? "gets what it cannot read, and lets everybody in" : "gets another document, and does what that says"
            return Effect(
                target: target,
                client: row.library,
                versions: ranks.examples(of: versions),
                before: row.before,
                after: row.after,
                meant: row.meant,
                detail: "At the old address \(row.library.title) \(gets)."
            )
        }.inOrder
    }

    /// Whether a document shuts out phones of a platform, if any library that reads the platform's feeds is given it.
    package static func shutsOut(_ document: [UInt8], _ platform: PlatformKey, _ settings: PlatformSettings, room: inout Int) -> Bool {
        let read = ClientLibrary.reading(platform, scheme: settings.versionScheme).map { ReadFeed($0, document, on: platform) }
        let looked = versions(nil, nil, settings, files: read)
        room -= read.count * looked.count
        return read.contains { feed in looked.contains { feed.shown(to: $0.text).shutsOut } }
    }
}
