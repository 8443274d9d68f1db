import GateJSON
import GateModel

/// What Gandalf will do with a change.
enum GandalfLint {
    /// Gandalf's whole HTTP cache, headers included (wire formats 2.5).
    static let cacheBytes = 1_024
    /// How much of it an answer's status line and headers take, rounded up.
    static let headerBytes = 384

    /// A dotted version would crash released clients, so it is never sent (wire formats 6.1 item 19).
    static func notPublished(_ change: GateChange) -> [Finding] {
        guard change.target.platform == .android, change.settings.versionScheme == .dotted else { return [] }
        let rules: [Rule] = [.forceUpdate, .requiredUpdate, .optionalUpdate]
        return rules.filter(change.after.isOn).map { rule in
            Finding(
                code: "not_published_gandalf",
                detail:
                    "The versions of \(change.target) are dotted, which Gandalf and Prince of Versions for Android cannot read, so this rule reaches only the other feeds; set the platform's versionScheme to \"code\".",
                field: "/\(rule.rawValue)"
            )
        }
    }

    /// The libraries that the document's size concerns: if another target of the app is read by Gandalf, a text of this one takes room in
    /// its document, whoever reads this one.
    static func readersOfDocument(_ change: GateChange) -> Set<ClientLibrary> {
        change.beside.contains(where: isRead) ? Set(ClientLibrary.allCases) : [.gandalf]
    }

    /// A document that does not fit is fetched again at every launch, and a phone without a connection has nothing to obey. The document
    /// that Gandalf fetches has the objects of all of the app's platforms (wire formats 6.1 item 25).
    /// - Parameter render: what `launchgate.json` holds of the app's targets.
    static func cache(_ change: GateChange, _ render: ([Target]) throws(FeedError) -> JSONObject) -> [Finding] {
        let targets = [Target(withoutHistory: change.target, change.settings, change.after)] + change.beside
        // A gate that cannot be rendered has no size; rendering itself reports the error.
        guard targets.contains(where: isRead), let document = try? render(targets) else { return [] }
        let size = JSONValue.object(document).bytes.count + headerBytes
        guard size > cacheBytes, let rule = longestRule(of: change.after) else { return [] }
        return [
            Finding(
                code: "gandalf_cache",
                detail:
                    "The document that has \(change.target) takes about \(size) bytes with its headers and Gandalf caches only \(cacheBytes); shorten the texts.",
                field: "/\(rule.rawValue)/message"
            )
        ]
    }

    private static func isRead(_ target: Target) -> Bool {
        ObjectDialect(platform: target.key.platform, scheme: target.settings.versionScheme) == .gandalf
            && target.settings.clients.map { $0.contains(.gandalf) } ?? true
    }

    private static func longestRule(of gate: Gate) -> Rule? {
        gate.messages.max { $0.message.defaultText.utf8.count < $1.message.defaultText.utf8.count }?.rule
    }
}
