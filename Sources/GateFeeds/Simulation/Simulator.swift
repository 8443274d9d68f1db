package import GateJSON
package import GateModel

/// Says what a phone shows, by running the bytes that it would poll through the model of its client library.
package enum Simulator {
    /// What is asked about a phone.
    package struct Question: Sendable {
        /// Nil for the likeliest library of the platform.
        package let client: ClientLibrary?
        /// Nil for the usual one; only Gandalf may have a release.
        package let release: GandalfRelease?
        /// The installed version.
        package let version: String
        /// Whether the phone has already shown everything in this gate that its library remembers.
        package let seen: Bool
        /// The person's language; nil for none in particular.
        package let locale: String?

        package init(client: ClientLibrary?, release: GandalfRelease? = nil, version: String, seen: Bool, locale: String?) {
            self.client = client
            self.release = release
            self.version = version
            self.seen = seen
            self.locale = locale
        }
    }

    /// - Parameters:
    ///   - app: as it stands at the simulated moment, including drafts.
    ///   - platform: one of the app's.
    ///   - at: the simulated moment, for the answer.
    ///   - revision: the live revision, for the answer.
    ///   - polled: the libraries that seem to be in use, if the platform's settings do not name them.
    /// - Throws: `invalid_client`, `invalid_release` and `invalid_version` (422); `unpublishable_feed` if a feed must not reach phones at
    ///   all.
    package static func simulate(
        _ app: App,
        _ platform: PlatformKey,
        _ question: Question,
        at: Timestamp,
        revision: Int,
        polled: [ClientLibrary]? = nil
    ) throws(ModelError) -> Simulation {
        guard let target = app.platforms[platform] else {
            throw .invalid("invalid_platform", "\(app.key) has no platform \(platform).", field: "/platform")
        }
        let libraries = likeliest(
            ClientLibrary.reading(platform, scheme: target.settings.versionScheme),
            of: target,
            used: target.settings.clients ?? polled
        )
        let library = question.client ?? libraries[0]
        guard libraries.contains(library) else {
            throw .otherClient(library, than: libraries, of: target.key)
        }
        guard question.release == nil || library == .gandalf else { throw .otherRelease }
        let fresh = try SimulatedPhone(library, on: platform, version: question.version)
        var feed = SimulatedFeed(library, question.release ?? .usual, of: target, try feed(library, of: app, platform))
        let look = try feed.look(fresh, seen: question.seen, locale: question.locale)
        return Simulation(
            target: target.key,
            revision: revision,
            client: library,
            release: question.release,
            clients: libraries,
            version: question.version,
            at: at,
            seen: question.seen,
            shown: look.view,
            hidden: look.hidden,
            feed: library.feed.path(for: target.key)
        )
    }

    /// Libraries that the app uses, if known, come first, and among them those that can show the worst rule that is on.
    static func likeliest(_ libraries: [ClientLibrary], of target: Target, used: [ClientLibrary]?) -> [ClientLibrary] {
        let worst = Rule.allCases.first(where: target.gate.isOn)
        let ranks = libraries.enumerated().map { place, library in
            (isUsed: used?.contains(library) ?? true, shows: worst.map(library.knows) ?? true, place: place, library: library)
        }
        return ranks.sorted { one, other in
            if one.isUsed != other.isUsed { return one.isUsed }
            return one.shows != other.shows ? one.shows : one.place < other.place
        }.map(\.library)
    }

    /// The bytes that the library polls.
    private static func feed(_ library: ClientLibrary, of app: App, _ platform: PlatformKey) throws(ModelError) -> [UInt8] {
        let feeds: [RenderedFeed]
        do { feeds = try FeedRenderer.render(app) } catch { throw .unpublishable(error) }
        let feed = feeds.first { $0.name == library.feed && ($0.platform == nil || $0.platform == platform) }
        guard let feed else { throw .invalid("invalid_client", "\(app.key) has no feed for \(library.title).", field: "/client") }
        return feed.bytes
    }
}

extension ModelError {
    /// A library was named that reads no feed of a target.
    static func otherClient(_ library: ClientLibrary, than readers: [ClientLibrary], of target: TargetKey) -> ModelError {
        let names = readers.map(\.rawValue).joined(separator: ", ")
        return .invalid("invalid_client", "\(library.title) reads no feed of \(target): use \(names).", field: "/client")
    }

    /// A release of Gandalf was given with another library, or without one.
    static var otherRelease: ModelError {
        .invalid("invalid_release", "Only Gandalf's releases differ: name one with the client \"gandalf\", or none.", field: "/release")
    }
}

extension Rule {
    /// The rule's name inside a sentence.
    var inWords: String {
        switch self {
        case .killSwitch: "the kill switch"
        case .forceUpdate: "the forced update"
        case .requiredUpdate: "the minimum version"
        case .optionalUpdate: "the optional update"
        case .alert: "the alert"
        }
    }
}
