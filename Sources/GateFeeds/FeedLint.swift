package import GateModel

/// Compares two gates of a target and says what the client libraries will do with the difference.
package enum FeedLint {
    /// What people should know about turning `before` into `after`, in a fixed order: refusals first.
    ///
    /// Only a rule that the change itself touches can cause a refusal: an old rule must never stop anybody from an unrelated change, least
    /// of all from opening an app. Warnings also repeat what remains true of the rules in force afterwards.
    /// - Parameters:
    ///   - settings: the platform's settings as they will be after the change.
    ///   - heard: the libraries to warn about, if not those in the settings; refusals consider all libraries in the settings.
    ///   - previous: the last notices that are no longer in `before`, but that phones still remember.
    ///   - beside: the app's other targets as they will be; they are part of the same documents.
    package static func findings(
        before: Gate,
        after: Gate,
        target: TargetKey,
        settings: PlatformSettings,
        heard: [ClientLibrary]? = nil,
        previous: PreviousNotices = PreviousNotices(),
        beside: [Target] = []
    ) -> [Finding] {
        let change = GateChange(before: before, after: after, target: target, settings: settings, previous: previous, beside: beside)
        // Nobody needs findings about a library that no app uses.
        let clients = settings.clients.map(Set.init) ?? Set(ClientLibrary.allCases)
        let parts: [(readers: Set<ClientLibrary>, findings: (GateChange) -> [Finding])] = [
            (Set(ClientLibrary.allCases), VersionLint.findings), ([.launchgate], LaunchGateLint.findings),
            // What is not published for one of them is not published for the other either.
            ([.gandalf, .princeOfVersions], GandalfLint.notPublished),
            (GandalfLint.readersOfDocument(change), { GandalfLint.cache($0, PlatformObjects.members) }),
            ([.bellerophon], BellerophonLint.findings),
            ([.princeOfVersions], PrinceOfVersionsLint.findings), (ShownVersionLint.readers(change), ShownVersionLint.findings),
            ([.launchgate, .gandalf], MemoryLint.findings),
        ]
        let heard = heard.map(Set.init) ?? clients
        let findings = parts.filter { !$0.readers.isDisjoint(with: clients) }.flatMap { part in
            part.findings(change).filter { $0.isRefusal || !part.readers.isDisjoint(with: heard) }
        }
        let reading = ClientLibrary.reading(target.platform, scheme: settings.versionScheme)
        let libraries = (reading + [.gatekit, .openFeature]).filter(heard.contains)
        return findings.filter(\.isRefusal) + OpeningLint.findings(change, libraries) + findings.filter { !$0.isRefusal }
    }
}
