import GateJSON
import GateModel

/// Gatehouse's own document.
extension DocumentReader {
    /// The schema that can be read; a later schema that old clients cannot read gets another number.
    private static let schema = "gatehouse/v1"

    mutating func native(_ root: JSONObject) throws(GateKitError) -> Contents {
        guard root["schema"]?.string == Self.schema else {
            throw GateKitError(.malformed, "The document's schema is not \"\(Self.schema)\".")
        }
        guard let app = root["app"]?.string, let platform = root["platform"]?.string, let sequence = root["sequence"]?.integer,
            let revision = root["revision"]?.integer, let issuedAt = root["issuedAt"]?.string.flatMap(Timestamp.init(_:))
        else {
            throw GateKitError(
                .malformed,
                "The document lacks one of app, platform, sequence, revision and issuedAt, or has it in another type."
            )
        }
        guard let gate = root["gate"]?.object else { throw GateKitError(.malformed, "The document has no gate.") }
        self.platform = platform
        var contents = Contents()
        contents.origin = .init(app: app, platform: platform, sequence: sequence, revision: revision, issuedAt: issuedAt)
        switch root["storeURL"] {
        case nil, .null: break
        case .string(let text): contents.storeURL = text
        case let other?: note("/storeURL", "is \(other.kindInWords), not a text")
        }
        switch root["versionScheme"] {
        case nil, .null: break
        case let value?:
            contents.versionScheme = value.string.flatMap(VersionScheme.init(rawValue:))
            if contents.versionScheme == nil { note("/versionScheme", "is neither \"dotted\" nor \"code\"") }
        }
        for rule in Rule.allCases {
            guard let value = gate[rule.rawValue], !value.isNull else { continue }
            let path = "/gate/" + rule.rawValue
            guard let object = value.object else {
                note(path, "is \(value.kindInWords), not an object")
                continue
            }
            guard let terms = terms(of: rule, object, path) else { continue }
            guard read(rule, object, path, into: &contents.gate) else { continue }
            if terms != RuleTerms() { contents.terms[rule] = terms }
        }
        return contents
    }

    /// Whether the rule could be read. What blocks everybody needs no text: a message that cannot be read never removes such a rule.
    private mutating func read(_ rule: Rule, _ object: JSONObject, _ path: String, into gate: inout Gate) -> Bool {
        let message = message(object["message"], path + "/message")
        switch rule {
        case .killSwitch:
            gate.killSwitch = KillSwitch(
                message: message ?? .text(""),
                retryInterval: interval(object["retryInterval"], path + "/retryInterval"),
                until: time(object["until"], path + "/until") ?? nil,
                opening: time(object["opening"], path + "/opening") ?? nil
            )
        case .forceUpdate:
            gate.forceUpdate = ForceUpdate(message: message ?? .text(""))
        case .requiredUpdate:
            guard let version = version(object["minimumVersion"], path + "/minimumVersion", isCode: false), let message else {
                return false
            }
            var blocked: [String] = []
            switch object["blockedVersions"] {
            case nil, .null: break
            case .array(let items):
                for (index, item) in items.prefix(GateLimits.versions).enumerated() {
                    if let version = self.version(item, "\(path)/blockedVersions/\(index)", isCode: false) { blocked.append(version) }
                }
            case let other?: note(path + "/blockedVersions", "is \(other.kindInWords), not an array")
            }
            gate.requiredUpdate = RequiredUpdate(minimumVersion: version, blockedVersions: blocked, message: message)
        case .optionalUpdate:
            guard let version = version(object["optionalVersion"], path + "/optionalVersion", isCode: false), let message else {
                return false
            }
            gate.optionalUpdate = OptionalUpdate(optionalVersion: version, message: message)
        case .alert:
            guard let blocking = blocking(object["blocking"], path + "/blocking"), let message else { return false }
            gate.alert = Alert(message: message, blocking: blocking)
        }
        return true
    }

    private mutating func message(_ value: JSONValue?, _ path: String) -> Message? {
        guard case .object(let object) = value else { return text(value, path).map(Message.text) }
        var texts: [String: String] = [:]
        for (tag, value) in object.members {
            if let text = text(value, path + "/" + tag) { texts[tag] = text }
        }
        guard texts["default"] != nil else {
            note(path, "has no text for \"default\"")
            return nil
        }
        return .localized(texts)
    }

    /// When and for whom a rule is in force. Nil, with a note, for terms that cannot be read: the rule is then left out, unless it blocks
    /// everybody; then it holds until something readable says otherwise.
    private mutating func terms(of rule: Rule, _ object: JSONObject, _ path: String) -> RuleTerms? {
        var terms = RuleTerms()
        let holdsAnyway = rule == .killSwitch || rule == .forceUpdate
        guard let from = time(object["from"], path + "/from") else { return holdsAnyway ? terms : nil }
        terms.from = from
        // A kill switch's `until` is for people to read: the feed lifts it.
        if rule != .killSwitch {
            guard let until = time(object["until"], path + "/until") else { return holdsAnyway ? terms : nil }
            terms.until = until
        }
        switch object["percent"] {
        case nil, .null: break
        case .number(let text):
            guard let percent = Double(text), (0...100).contains(percent) else {
                note(path + "/percent", "is not from 0 to 100")
                return holdsAnyway ? terms : nil
            }
            terms.percent = percent
            terms.draw = object["draw"]?.string ?? ""
        case let other?:
            note(path + "/percent", "is \(other.kindInWords), not a number")
            return holdsAnyway ? terms : nil
        }
        return terms
    }

    /// A moment. The inner nil means that there is none; the outer nil, with a note, that it cannot be read.
    private mutating func time(_ value: JSONValue?, _ path: String) -> Timestamp?? {
        guard let value, !value.isNull else { return .some(nil) }
        guard let time = value.string.flatMap(Timestamp.init(_:)) else {
            note(path, "is not a time such as 2026-04-02T09:32:14Z")
            return nil
        }
        return .some(time)
    }
}
