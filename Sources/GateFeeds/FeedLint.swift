package import GateModel

/// Compares two gates of a target and says what the client libraries will make of the difference.
package enum FeedLint {
    /// What is to be known about turning `before` into `after`, in a fixed order: refusals first.
    ///
    /// Only a rule that the change itself touches can refuse it: an old rule must never keep anybody from an unrelated act, least of all
    /// from opening an app. Warnings also repeat what stays true of the rules that are in force afterwards.
    /// - Parameters:
    ///   - settings: the platform's settings as they will be after the change.
    ///   - heard: the libraries of which warnings are wanted, where not those of the settings; refusals come of all of these.
    ///   - previous: the last notices that are no longer in `before`: phones still remember them.
    ///   - beside: the app's other targets as they will be, which stand in the same documents.
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
        // Of a library that no app uses nobody wants to know.
        let clients = settings.clients.map(Set.init) ?? Set(ClientLibrary.allCases)
        let parts: [(readers: Set<ClientLibrary>, findings: (GateChange) -> [Finding])] = [
            (Set(ClientLibrary.allCases), VersionLint.findings), ([.launchgate], LaunchGateLint.findings),
            // What is not published for the one is not published for the other either.
            ([.gandalf, .princeOfVersions], GandalfLint.notPublished),
            (GandalfLint.readersOfDocument(change), { GandalfLint.cache($0, PlatformObjects.members) }),
            ([.bellerophon], BellerophonLint.findings),
            ([.princeOfVersions], PrinceOfVersionsLint.findings), ([.launchgate, .gandalf], MemoryLint.findings),
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
