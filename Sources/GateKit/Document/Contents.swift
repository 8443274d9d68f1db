import Foundation
import GateJSON
import GateModel

/// What a document says, whichever shape it has.
struct Contents: Sendable, Hashable {
    var gate = Gate.open
    /// When and for whom rules are in force, as far as the document says so.
    var terms: [Rule: RuleTerms] = [:]
    /// The lists of Prince of Versions; nil where there are none. Which of them counts depends on the phone.
    var configs: [PrinceConfig]?
    var meta: [String: GateValue] = [:]
    var storeURL: String?
    /// Seconds, 5 to 3600, after which a phone asks again that a rule without an interval of its own shuts out.
    var retryInterval = 15
    var origin: Origin?

    /// Where a native document comes from.
    struct Origin: Sendable, Hashable {
        let app: String
        let platform: String
        let sequence: Int
        let revision: Int
        let issuedAt: Timestamp
    }
}

/// One element of a list of Prince of Versions.
struct PrinceConfig: Sendable, Hashable {
    var required: String?
    var last: String?
    /// Whether the person is told each time, and not once a version.
    var isShownAlways = false
    var requirements: [String: GateValue] = [:]
    var meta: [String: GateValue] = [:]
}

/// When and for whom a rule is in force: Gatehouse's own members of a native rule, which no other library reads.
struct RuleTerms: Sendable, Hashable {
    var from: Timestamp?
    var until: Timestamp?
    /// Percent of the phones, 0 to 100; nil for all.
    var percent: Double?
    /// Which draw it is: phones that one draw leaves out are not always those that another does.
    var draw = ""
}

extension GateDocument {
    /// When a gate that is being opened gradually will be open; nil for any other.
    var openingEnd: Date? {
        guard let killSwitch = contents.gate.killSwitch, killSwitch.opening != nil, let until = killSwitch.until else { return nil }
        return Date(timeIntervalSince1970: Double(until.milliseconds) / 1_000)
    }
}
