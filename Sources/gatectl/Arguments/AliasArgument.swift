import GateJSON
import GateModel

/// An alias as it is typed: `/config.json=launchgate`, `/status=ios/bellerophon`.
enum AliasArgument {
    static func text(_ alias: Alias) -> String {
        alias.path + "=" + (alias.platform.map { "\($0)/" } ?? "") + alias.feed.rawValue
    }

    static func parse(_ text: String) throws(Failure) -> Alias {
        let form = "an alias is typed /PATH=FEED, such as /config.json=launchgate or /status=ios/bellerophon"
        guard let equals = text.lastIndex(of: "=") else { throw .usage(form) }
        let parts = text[text.index(after: equals)...].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...2).contains(parts.count), let last = parts.last else { throw .usage(form) }
        var object: JSONObject = [
            "path": .string(String(text[..<equals])), "feed": .string(last.hasSuffix(".json") ? last : last + ".json"),
        ]
        if parts.count == 2 { object["platform"] = .string(parts[0]) }
        do { return try Alias(json: .object(object)) } catch { throw Failure(.refused, error.code, "\(Style.safe(text)): \(error.detail)") }
    }
}
