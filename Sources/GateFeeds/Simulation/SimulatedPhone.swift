import GateJSON
import GateModel

/// One phone with one client library, one version of an app, and what the library remembers on it.
struct SimulatedPhone {
    /// What each library stores, in its own form.
    private enum Memory {
        /// Nothing is ever stored.
        case none
        case launchGate(LaunchGateClient.Memory)
        case gandalf(GandalfClient.Memory)
        case princeOnAndroid(PrinceOfVersionsAndroidClient.Memory)
        case princeOnApple(PrinceOfVersionsAppleClient.Memory)
    }

    let library: ClientLibrary
    let platform: PlatformKey
    let version: String
    /// The version as a version code; 0 if it is not used.
    private let code: Int32
    private var memory: Memory

    /// A phone that has not been shown anything yet.
    /// - Throws: `invalid_version` (422) at `/version` for a version that no app of that platform can have.
    init(_ library: ClientLibrary, on platform: PlatformKey, version: String) throws(ModelError) {
        let isCode = Self.countsCodes(library, on: platform)
        if isCode {
            try VersionScheme.code.validate(version, field: "/version")
        } else {
            try Self.checkName(version, field: "/version")
        }
        self.init(library, on: platform, checked: version)
    }

    /// Like ``init(_:on:version:)``, for a version that was already checked.
    init(_ library: ClientLibrary, on platform: PlatformKey, checked version: String) {
        self.library = library
        self.platform = platform
        self.version = version
        code = Self.countsCodes(library, on: platform) ? ReadFeed.code(of: version) : 0
        memory =
            switch library {
            case .bellerophon, .gatekit, .openFeature: .none
            case .launchgate: .launchGate(LaunchGateClient.Memory())
            case .gandalf: .gandalf(GandalfClient.Memory())
            case .princeOfVersions where platform == .android: .princeOnAndroid(PrinceOfVersionsAndroidClient.Memory())
            case .princeOfVersions: .princeOnApple(PrinceOfVersionsAppleClient.Memory())
            }
    }

    /// Whether the library compares Android's version codes.
    static func countsCodes(_ library: ClientLibrary, on platform: PlatformKey) -> Bool {
        library == .gandalf || library == .princeOfVersions && platform == .android
    }

    /// - Throws: `invalid_version` (422) for a text that no app on any platform can have as its version.
    static func checkName(_ version: String, field: String) throws(ModelError) {
        guard !Phone.maySend(version) else { return }
        throw .invalid(
            "invalid_version",
            "\(JSONValue.quoted(version)) is no version of an app: use 1 to 32 letters, digits, dots, hyphens or pluses, such as \"4.2.0\".",
            field: field
        )
    }

    /// What the library does with its feed.
    /// - Precondition: the feed was read for the same library and platform.
    func decide(_ feed: ReadFeed) -> ClientDecision {
        switch (feed, memory) {
        case (.bellerophon(let decision), _): decision
        case (.launchGate(let reading), .launchGate(let memory)): LaunchGateClient.decide(reading, installed: version, memory: memory)
        case (.gandalf(let reading, let release), .gandalf(let memory)):
            GandalfClient.decide(reading, installed: code, memory: memory, release: release)
        case (.princeOnAndroid(let reading), .princeOnAndroid(let memory)):
            PrinceOfVersionsAndroidClient.decide(reading, installed: Int(code), memory: memory)
        case (.princeOnApple(let reading), .princeOnApple(let memory)):
            PrinceOfVersionsAppleClient.decide(reading, installed: version, memory: memory)
        default: preconditionFailure("a phone reads the feed of its own library")
        }
    }

    /// The person has seen it, and dismissed it if it can be dismissed.
    mutating func remember(_ shown: ClientDecision) {
        switch memory {
        case .none: break
        case .launchGate(var kept):
            kept.remember(shown)
            memory = .launchGate(kept)
        case .gandalf(var kept):
            kept.acknowledge(shown)
            memory = .gandalf(kept)
        case .princeOnAndroid(var kept):
            kept.remember(shown)
            memory = .princeOnAndroid(kept)
        case .princeOnApple(var kept):
            kept.remember(shown)
            memory = .princeOnApple(kept)
        }
    }

    /// The phone after it has shown everything in a feed that its library remembers. A library shows one thing at a time, and remembers two
    /// kinds of thing.
    func shown(_ feed: ReadFeed) -> SimulatedPhone {
        var phone = self
        for _ in 0..<3 { phone.remember(phone.decide(feed)) }
        return phone
    }
}
