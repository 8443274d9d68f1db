package import GateModel

extension ClientLibrary {
    /// The libraries that can read the feeds of a platform, the likeliest first.
    ///
    /// Bellerophon's status exists for every platform. The objects of platforms for which neither LaunchGate nor Gandalf was written are
    /// for apps that made one of the two read another name.
    package static func reading(_ platform: PlatformKey, scheme: VersionScheme) -> [ClientLibrary] {
        let dialect: ClientLibrary =
            switch ObjectDialect(platform: platform, scheme: scheme) {
            case .launchGate: .launchgate
            case .gandalf: .gandalf
            }
        let prince: [ClientLibrary] = PrinceOfVersionsFeed.listName(of: platform) == nil ? [] : [.princeOfVersions]
        // Bellerophon was written for iOS, so on Android it comes last.
        return platform == .android ? [dialect] + prince + [.bellerophon] : [.bellerophon, dialect] + prince
    }

    /// Whether a document has the part that the library reads: its own feed, or the combined one, which lacks only the native feed.
    func reads(_ document: FeedName) -> Bool { document == feed || document == .combined && feed != .gate }

    /// Whether the library's feed can express the rule.
    func knows(_ rule: Rule) -> Bool {
        switch (self, rule) {
        case (.bellerophon, .killSwitch), (.bellerophon, .forceUpdate): true
        case (.bellerophon, _): false
        case (.princeOfVersions, .killSwitch), (.princeOfVersions, .alert): false
        case (.princeOfVersions, _), (.launchgate, _), (.gandalf, _), (.gatekit, _), (.openFeature, _): true
        }
    }
}
