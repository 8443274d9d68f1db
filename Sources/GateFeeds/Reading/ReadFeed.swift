import GateModel

/// A feed as one client library has read it; decides for every version without being read again.
enum ReadFeed {
    case bellerophon(ClientDecision)
    case launchGate(LaunchGateClient.Reading)
    case gandalf(GandalfClient.Reading, GandalfRelease)
    case princeOnAndroid(Result<PrinceOfVersionsAndroidClient.Config, PrinceOfVersionsAndroidClient.Failure>)
    case princeOnApple(PrinceOfVersionsAppleClient.Reading)
    /// Gatehouse's own document: its readers show what the gate means.
    case gate(GateMeaning)

    /// - Parameter release: the release of Gandalf.
    init(_ library: ClientLibrary, _ bytes: [UInt8], on platform: PlatformKey, release: GandalfRelease = .usual) {
        switch library {
        case .bellerophon: self = .bellerophon(BellerophonClient.decide(bytes))
        case .launchgate: self = .launchGate(LaunchGateClient.read(bytes, platform: platform))
        case .gandalf: self = .gandalf(GandalfClient.read(bytes, platform: platform), release)
        case .princeOfVersions where platform == .android: self = .princeOnAndroid(PrinceOfVersionsAndroidClient.read(bytes))
        case .princeOfVersions: self = .princeOnApple(PrinceOfVersionsAppleClient.read(bytes, platform: platform))
        case .gatekit, .openFeature: preconditionFailure("what reads the native feed is asked for its gate")
        }
    }

    /// The version code of a phone with this version.
    ///
    /// If a platform's versions are dotted, no version rule is published for a library that compares version codes, so any code will do
    /// that an app can have. There is none below 1, which is what Prince of Versions' list asks for when it has no rule.
    static func code(of version: String) -> Int32 { max(Int32(version) ?? 1, 1) }

    /// What a phone shows that has not been shown anything yet.
    ///
    /// Gandalf and Prince of Versions on Android compare version codes; see ``code(of:)``.
    func shown(to version: String) -> Effect.Shown {
        switch self {
        case .bellerophon(let decision): Effect.Shown(decision)
        case .launchGate(let reading): Effect.Shown(LaunchGateClient.decide(reading, installed: version))
        case .gandalf(let reading, let release):
            Effect.Shown(GandalfClient.decide(reading, installed: Self.code(of: version), release: release))
        case .princeOnAndroid(let reading):
            Effect.Shown(PrinceOfVersionsAndroidClient.decide(reading, installed: Int(Self.code(of: version))))
        case .princeOnApple(let reading): Effect.Shown(PrinceOfVersionsAppleClient.decide(reading, installed: version))
        case .gate(let meaning): meaning.shown(to: version)
        }
    }

    /// The versions named by its rules, as the library read them.
    var versions: [String] {
        switch self {
        case .bellerophon, .gate: []
        case .launchGate(.accepted(let rules)): [rules.requiredUpdate?.version, rules.optionalUpdate?.version].compactMap(\.self)
        case .gandalf(.accepted(let rules), _): [rules.requiredUpdate?.version, rules.optionalUpdate?.version].compactMap(\.self)
        case .princeOnAndroid(.success(let config)): [config.required, config.last].compactMap(\.self).map(String.init)
        case .princeOnApple(.config(let config)): [config.requiredText, config.lastText].filter { !$0.isEmpty }
        case .launchGate, .gandalf, .princeOnAndroid, .princeOnApple: []
        }
    }
}

extension Effect.Shown {
    /// A decision at a cold start, without its texts.
    package init(_ decision: ClientDecision) {
        self =
            switch decision {
            case .proceed: .nothing
            case .killed, .alert(_, blocking: true): .blocked
            case .forced: .forced
            case .requiredUpdate: .required
            case .optionalUpdate: .optional
            case .alert(_, blocking: false): .alert
            case .failed: .rejected
            case .stuck: .stuck
            case .crash: .crash
            }
    }
}
