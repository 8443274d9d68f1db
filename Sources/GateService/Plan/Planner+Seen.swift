import GateJSON
import GateModel

extension Planner {
    /// Checks that what the caller replaces is still what they read. An app has no revision, and a target's also moves with every kill:
    /// comparing the values themselves refuses nobody because of another matter.
    /// - Parameters:
    ///   - seen: members as the caller read them; nil where they do not say.
    ///   - present: the same members as they are; nil where what they belong to is gone.
    ///   - what: `shop`, `shop/ios`.
    ///   - target: the target that they belong to, if they are a target's.
    static func check(
        _ seen: JSONObject?,
        isStill present: JSONObject?,
        of what: String,
        now target: Target? = nil
    ) throws(ServiceError) {
        guard let seen, let (name, value) = seen.members.first(where: { present?[$0.name] != $0.value }) else { return }
        let detail =
            if present == nil { "\(what) was removed meanwhile." } else if value.isNull, name == "template" {
                "\(what) was made meanwhile, and phones may poll it: look at it first."
            } else { "\(what) was changed meanwhile: its \(words[name] ?? name) not what you saw." }
        throw ServiceError(.revisionStale, "stale_values", detail, field: "/seen\(JSONPointer.member(name))").with(\.current, target)
    }

    /// The members in words.
    private static let words = [
        "name": "name is", "aliases": "aliases are", "template": "template is", "versionScheme": "version scheme is",
        "storeURL": "store link is", "releases": "known releases are", "defaultRetryInterval": "retry interval is",
        "clients": "client libraries are",
    ]
}
