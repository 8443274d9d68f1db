import GateFeeds
import GateJSON
import GateModel
import Testing

/// What phones do with the published bytes, against the one precedence that the design has for everything.
@Suite struct ClientObedienceTests {
    /// What the precedence would have a phone of this version do.
    enum Verdict: Equatable {
        case killed, forced, required, blocked
        /// Gets in, with these notices at most.
        case open(optional: Bool, alert: Bool)

        var letsIn: Bool { if case .open = self { true } else { false } }
    }

    private func verdict(_ target: Target, _ installed: String) -> Verdict {
        let gate = target.gate
        let scheme = target.settings.versionScheme
        if gate.killSwitch != nil { return .killed }
        // In a feed for everybody a forced update concerns those who are below the newest release.
        if gate.forceUpdate != nil, let newest = target.settings.newestRelease, scheme.isOlder(installed, than: newest) { return .forced }
        let isForced = gate.forceUpdate != nil && target.settings.newestRelease != nil
        if !isForced, let rule = gate.requiredUpdate, scheme.isOlder(installed, than: rule.minimumVersion) { return .required }
        if gate.blockingAlert != nil { return .blocked }
        return .open(
            optional: gate.optionalUpdate.map { scheme.isOlder(installed, than: $0.optionalVersion) } ?? false,
            alert: gate.alert != nil
        )
    }

    private func forEach(_ platform: PlatformKey, _ scheme: VersionScheme, _ body: (Target, [RenderedFeed], String, Verdict) throws -> Void)
        throws
    {
        var gates = GeneratedGates(seed: 4711)
        var seen: [Bool: Int] = [:]
        for _ in 0..<500 {
            var settings = PlatformSettings(versionScheme: scheme)
            if gates.chance(3, of: 4) { settings.releases = (0..<4).map { _ in gates.version(scheme) } }
            let target = SampleApp.target(platform, gates.gate(settings), settings: settings)
            let feeds = try FeedRenderer.render(SampleApp.app(target))
            for _ in 0..<4 {
                let installed = gates.version(scheme)
                let verdict = verdict(target, installed)
                seen[verdict.letsIn, default: 0] += 1
                try body(target, feeds, installed, verdict)
            }
        }
        #expect(seen[true, default: 0] > 300 && seen[false, default: 0] > 300, "both answers come up often")
    }

    @Test func launchGateLetsInWhomThePrecedenceLetsIn() throws {
        try forEach(.ios, .dotted) { target, feeds, installed, verdict in
            let decision = LaunchGateClient.decide(try feeds.feed(.launchgate).bytes, installed: installed)
            #expect(decision.letsIn == verdict.letsIn, "\(installed) on \(target.gate.json.text)")
            switch (decision, verdict) {
            case (.alert(let text, true), .killed): #expect(text == target.gate.killSwitch?.message.defaultText)
            case (.alert(let text, true), _): #expect(text == target.gate.alert?.message.defaultText)
            case (.requiredUpdate(_, let text), .forced): #expect(text == target.gate.forceUpdate?.message.defaultText)
            case (.requiredUpdate(_, let text), .required): #expect(text == target.gate.requiredUpdate?.message.defaultText)
            case (.optionalUpdate, .open(optional: true, alert: _)): break
            case (.alert(_, false), .open(optional: _, alert: true)): break
            case (.proceed, .open): break
            default: Issue.record("\(decision) instead of \(verdict) for \(installed) on \(target.gate.json.text)")
            }
        }
    }

    @Test(arguments: GandalfRelease.allCases)
    func gandalfLetsInWhomThePrecedenceLetsIn(release: GandalfRelease) throws {
        try forEach(.android, .code) { target, feeds, installed, verdict in
            let decision = GandalfClient.decide(
                try feeds.feed(.launchgate).bytes,
                installed: try #require(Int32(installed)),
                release: release
            )
            #expect(decision.letsIn == verdict.letsIn, "\(installed) on \(target.gate.json.text)")
            switch (decision, verdict) {
            case (.alert(let text, true), .killed): #expect(text == target.gate.killSwitch?.message.defaultText)
            case (.alert(let text, true), .blocked): #expect(text == target.gate.alert?.message.defaultText)
            case (.requiredUpdate(_, let text), .forced): #expect(text == target.gate.forceUpdate?.message.defaultText)
            case (.requiredUpdate(_, let text), .required): #expect(text == target.gate.requiredUpdate?.message.defaultText)
            case (.optionalUpdate, .open(optional: true, alert: _)), (.alert(_, false), .open(optional: _, alert: true)), (.proceed, .open):
                break
            default: Issue.record("\(decision) instead of \(verdict) for \(installed) on \(target.gate.json.text)")
            }
        }
    }

    @Test func bellerophonBlocksWhileKilledOrForcedAndShowsTheKillsText() throws {
        try forEach(.ios, .dotted) { target, feeds, _, _ in
            let decision = BellerophonClient.decide(try feeds.feed(.bellerophon).bytes)
            let gate = target.gate
            if let kill = gate.killSwitch {
                #expect(decision == .killed(text: kill.message.defaultText, retryInterval: Double(kill.retryInterval)))
            } else if let force = gate.forceUpdate {
                #expect(decision == .forced(text: force.message.defaultText, retryInterval: Double(target.settings.defaultRetryInterval)))
            } else {
                #expect(decision == .proceed)
            }
        }
    }

    @Test(arguments: [PlatformKey.ios, .macos])
    func princeOfVersionsOnAppleObeysItsTwoRules(platform: PlatformKey) throws {
        try forEach(platform, .dotted) { target, feeds, installed, _ in
            let decision = PrinceOfVersionsAppleClient.decide(
                try feeds.feed(.princeOfVersions).bytes,
                installed: installed,
                platform: platform
            )
            check(decision, target, installed)
        }
    }

    @Test func princeOfVersionsOnAndroidObeysItsTwoRules() throws {
        try forEach(.android, .code) { target, feeds, installed, _ in
            check(
                PrinceOfVersionsAndroidClient.decide(try feeds.feed(.princeOfVersions).bytes, installed: try #require(Int(installed))),
                target,
                installed
            )
        }
    }

    /// It knows no kill and no alert; required and optional are as the precedence has them without those.
    private func check(_ decision: ClientDecision, _ target: Target, _ installed: String) {
        var target = target
        (target.gate.killSwitch, target.gate.alert) = (nil, nil)
        switch (decision, verdict(target, installed)) {
        case (.requiredUpdate, .forced), (.requiredUpdate, .required), (.optionalUpdate, .open(optional: true, alert: _)),
            (.proceed, .open(optional: false, alert: _)):
            break
        default: Issue.record("\(decision) for \(installed) on \(target.gate.json.text)")
        }
    }
}
