import GateJSON
import GateModel

/// An alias as people type it: `/config.json=launchgate`, `/status=ios/bellerophon`, `/state.json=ios/own/status`.
enum AliasArgument {
    static func text(_ alias: Alias) -> String {
        alias.path + "=" + (alias.platform.map { "\($0)/" } ?? "") + alias.feed.fileName.dropLast(".json".count)
    }

    static func parse(_ text: String) throws(Failure) -> Alias {
        let form = "an alias is typed /PATH=FEED, such as /config.json=launchgate or /status=ios/bellerophon"
        guard let equals = text.lastIndex(of: "=") else { throw .usage(form) }
        let parts = text[text.index(after: equals)...].split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isOwn = parts.dropLast().last == "own"
        guard (1...2).contains(parts.count - (isOwn ? 1 : 0)), let last = parts.last else { throw .usage(form) }
        let feed = (isOwn ? "own/" : "") + last
        var object: JSONObject = [
            "path": .string(String(text[..<equals])), "feed": .string(feed.hasSuffix(".json") ? feed : feed + ".json"),
        ]
        if parts.count == (isOwn ? 3 : 2) { object["platform"] = .string(parts[0]) }
        do { return try Alias(json: .object(object)) } catch { throw Failure(.refused, error.code, "\(Style.safe(text)): \(error.detail)") }
    }
}
