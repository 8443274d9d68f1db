import GateJSON
import GateModel

/// One phone with one client library, one version of an app, and what the library remembers on it.
struct SimulatedPhone {
    /// What each library keeps, in its own form.
    private enum Memory {
        /// Nothing is ever kept.
        case none
        case launchGate(LaunchGateClient.Memory)
        case gandalf(GandalfClient.Memory)
        case princeOnAndroid(PrinceOfVersionsAndroidClient.Memory)
        case princeOnApple(PrinceOfVersionsAppleClient.Memory)
    }

    let library: ClientLibrary
    let platform: PlatformKey
    let version: String
    /// The version as Android counts it; 0 where nobody asks for it.
    private let code: Int32
    private var memory: Memory

    /// Of Gandalf. What Gatehouse publishes all of them read alike, but that up to 1.3.1 an optional update is offered before an alert.
    private let release: GandalfRelease

    /// A phone that was shown nothing yet.
    /// - Throws: `invalid_version` (422) at `/version` for one that no app of that platform can have.
    init(_ library: ClientLibrary, _ release: GandalfRelease = .usual, on platform: PlatformKey, version: String) throws(ModelError) {
        self.release = release
        self.library = library
        self.platform = platform
        self.version = version
        let isCode = library == .gandalf || library == .princeOfVersions && platform == .android
        if isCode {
            try VersionScheme.code.validate(version, field: "/version")
        } else if !Self.isVersionName(version) {
            throw .invalid(
                "invalid_version",
                "\(JSONValue.string(String(version.prefix(80))).text) is no version of an app: use 1 to 32 letters, digits, dots, hyphens or pluses, such as \"4.2.0\".",
                field: "/version"
            )
        }
        code = isCode ? Int32(version) ?? 0 : 0
        memory =
            switch library {
            case .bellerophon, .gatekit, .openFeature: .none
            case .launchgate: .launchGate(LaunchGateClient.Memory())
            case .gandalf: .gandalf(GandalfClient.Memory())
            case .princeOfVersions where platform == .android: .princeOnAndroid(PrinceOfVersionsAndroidClient.Memory())
            case .princeOfVersions: .princeOnApple(PrinceOfVersionsAppleClient.Memory())
            }
    }

    /// What is taken for a version when an app sends its own (wire formats section 6).
    private static func isVersionName(_ text: String) -> Bool {
        Simulation.versionLengths.contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || [UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-")].contains(byte)
            }
    }

    /// What the library makes of its feed's bytes.
    func decide(_ bytes: [UInt8]) -> ClientDecision {
        switch memory {
        case .none: BellerophonClient.decide(bytes)
        case .launchGate(let memory): LaunchGateClient.decide(bytes, installed: version, platform: platform, memory: memory)
        case .gandalf(let memory): GandalfClient.decide(bytes, installed: code, platform: platform, memory: memory, release: release)
        case .princeOnAndroid(let memory): PrinceOfVersionsAndroidClient.decide(bytes, installed: Int(code), memory: memory)
        case .princeOnApple(let memory): PrinceOfVersionsAppleClient.decide(bytes, installed: version, platform: platform, memory: memory)
        }
    }

    /// The person has seen it, and put off what can be put off.
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

    /// The phone after it was shown all that it remembers of a feed. A library shows one thing at a time, and there are two that it remembers.
    func shown(_ bytes: [UInt8]) -> SimulatedPhone {
        var phone = self
        for _ in 0..<3 { phone.remember(phone.decide(bytes)) }
        return phone
    }
}
