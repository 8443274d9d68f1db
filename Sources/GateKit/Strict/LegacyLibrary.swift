public import Foundation
import GateFeeds
import GateModel

/// The libraries that GateKit replaces, as they read a document: what they accept, reject, and break on. For the tests of an app that moves
/// from one of them; the server's simulator runs the same models.
public enum LegacyLibrary: String, Sendable, Hashable, CaseIterable {
    /// Bellerophon 1.2.2 with the status model of its example app.
    case bellerophon
    /// LaunchGate 1.1.0 to 2.0.0: versions are compared as texts, and one malformed rule discards everything.
    case launchGate
    /// Gandalf up to 1.3.1.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case gandalfUpTo1_3_1
    /// Gandalf 1.3.2 to 1.4.0: a version that is not an integer crashes the app.
    case gandalf
    /// Gandalf 1.4.1, which was never released.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    case gandalf1_4_1
    /// Prince of Versions 4 on iOS and macOS.
    case princeOfVersions
    /// Prince of Versions 4 on Android.
    case princeOfVersionsAndroid

    /// What the library does after one check.
    public enum Verdict: Sendable, Hashable {
        /// The app goes on.
        case proceeds
        case blocks(message: String)
        case forces(message: String)
        case requires(version: String, message: String)
        case offers(version: String, message: String)
        case alerts(message: String)
        /// It cannot use the document, and lets everybody in.
        case rejects(reason: String)
        /// It never calls the app back.
        case hangs(reason: String)
        /// The app crashes at every launch.
        case crashes(reason: String)
    }

    /// What the library does on a phone with this document.
    /// - Parameters:
    ///   - platform: whose object or list is read, if not the library's usual one.
    ///   - seen: the last dismissals; older libraries remember no others.
    public func verdict(on data: Data, for phone: GatePhone, platform: String? = nil, seen: GateSeen = GateSeen()) -> Verdict {
        let bytes = Array(data)
        let key = platform.flatMap(PlatformKey.init(_:))
        let (version, alert) = (seen.acknowledged.optionalVersions.last, seen.acknowledged.alerts.last)
        switch self {
        case .bellerophon: return Verdict(BellerophonClient.decide(bytes))
        case .launchGate:
            return Verdict(
                LaunchGateClient.decide(
                    bytes,
                    installed: phone.version,
                    platform: key ?? .ios,
                    memory: .init(optionalUpdate: version, lastAlert: alert)
                )
            )
        case .gandalfUpTo1_3_1, .gandalf, .gandalf1_4_1:
            return Verdict(
                GandalfClient.decide(
                    bytes,
                    installed: Int32(phone.build ?? "") ?? 0,
                    platform: key ?? .android,
                    memory: .init(optionalUpdate: version ?? "", alert: alert ?? ""),
                    release: self == .gandalf ? .upTo1_4_0 : self == .gandalf1_4_1 ? .head : .upTo1_3_1
                )
            )
        case .princeOfVersions:
            var memory = PrinceOfVersionsAppleClient.Memory()
            for version in seen.acknowledged.optionalVersions { memory.remember(.optionalUpdate(version: version, message: "")) }
            let installed = [phone.version ?? "", phone.build].compactMap { $0 }.joined(separator: "-")
            return Verdict(
                PrinceOfVersionsAppleClient.decide(
                    bytes,
                    installed: installed,
                    platform: key ?? .ios,
                    os: phone.osVersion ?? "99.0.0",
                    memory: memory
                )
            )
        case .princeOfVersionsAndroid:
            return Verdict(
                PrinceOfVersionsAndroidClient.decide(
                    bytes,
                    installed: Int(phone.build ?? "") ?? 0,
                    apiLevel: phone.osVersion.flatMap { Int($0) } ?? 99,
                    memory: .init(lastNotified: version.flatMap { Int($0) })
                )
            )
        }
    }
}

extension LegacyLibrary.Verdict {
    init(_ decision: ClientDecision) {
        self =
            switch decision {
            case .proceed: .proceeds
            case .killed(let text, _): .blocks(message: text)
            case .forced(let text, _): .forces(message: text)
            case .requiredUpdate(let version, let message): .requires(version: version, message: message)
            case .optionalUpdate(let version, let message): .offers(version: version, message: message)
            case .alert(let message, blocking: true): .blocks(message: message)
            case .alert(let message, blocking: false): .alerts(message: message)
            case .failed(let reason): .rejects(reason: reason)
            case .stuck(let reason): .hangs(reason: reason)
            case .crash(let reason): .crashes(reason: reason)
            }
    }
}
