import Foundation
import GateJSON
import GateModel

/// What a document says, whatever its shape.
struct Contents: Sendable, Hashable {
    var gate = Gate.open
    /// When and for whom rules are in force, as far as the document says so.
    var terms: [Rule: RuleTerms] = [:]
    /// The lists of Prince of Versions; nil if there are none. Which config counts depends on the phone.
    var configs: [PrinceConfig]?
    var meta: [String: GateValue] = [:]
    var storeURL: String?
    /// How the platform counts its versions; nil if the document does not say: then the platform's name and the rules' versions do.
    var versionScheme: VersionScheme?
    /// Seconds, 5 to 3600, after which a phone polls again if it is shut out by a rule without an interval of its own.
    var retryInterval = PlatformSettings.standardRetryInterval
    var origin: Origin?

    /// The app, platform and place in history of a native document.
    struct Origin: Sendable, Hashable {
        let app: String
        let platform: String
        let sequence: Int
        let revision: Int
        let issuedAt: Timestamp

        /// Under which its history is remembered: `shop/ios`.
        var name: String { "\(app)/\(platform)" }
    }
}

/// One element of a Prince of Versions list.
struct PrinceConfig: Sendable, Hashable {
    var required: String?
    var last: String?
    /// Whether it is shown every time rather than once per version.
    var isShownAlways = false
    var requirements: [String: GateValue] = [:]
    var meta: [String: GateValue] = [:]
}

/// When and for whom a rule is in force: Gatehouse's own members of a native rule, which no other library reads.
struct RuleTerms: Sendable, Hashable {
    var from: Timestamp?
    var until: Timestamp?
    /// The share of phones in per cent, 0 to 100; nil for all.
    var percent: Double?
    /// Names the draw: different draws leave out different phones.
    var draw = ""
}

extension GateDocument {
    /// From when until when a gate is opened gradually, by the server's clock; nil for any other gate.
    var opening: (start: Date, end: Date)? {
        contents.gate.opening.map { ($0.start.date, $0.end.date) }
    }
}
