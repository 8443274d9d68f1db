import GateJSON
import GateModel

/// The document for Gatehouse's own client library: the whole gate, and its place in history.
///
/// `sequence`, `revision` and `issuedAt` belong to the last change, not to the rendering, so rendering again gives the same bytes.
enum NativeFeed {
    static let schema = "gatehouse/v1"

    static func document(for target: Target) -> JSONObject {
        var document: JSONObject = [
            "schema": .string(schema),
            "app": .string(target.key.app.text),
            "platform": .string(target.key.platform.text),
            "sequence": .integer(target.sequence),
            "revision": .integer(target.revision),
            "issuedAt": .string(target.changedAt.description),
            "gate": target.gate.json,
            "storeURL": target.settings.storeURL.map(JSONValue.string) ?? .null,
        ]
        // GateKit knows the schemes that the platforms' names imply; only another one is written, so ordinary documents keep their bytes.
        let scheme = target.settings.versionScheme
        if scheme != PlatformSettings.standard(for: target.key.platform).versionScheme {
            document["versionScheme"] = .string(scheme.rawValue)
        }
        return document
    }
}
