import CurlHTTP

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Credentials for the store, found where users of such stores expect: in the environment, or else in the file that their other tools read.
package struct ObjectStoreCredentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let accessKey: String
    private let secretKey: String
    /// For temporary credentials.
    let sessionToken: String?

    /// Looks for `AWS_ACCESS_KEY_ID` with `AWS_SECRET_ACCESS_KEY` (and `AWS_SESSION_TOKEN`), then for the profile `AWS_PROFILE` (`default`)
    /// in `AWS_SHARED_CREDENTIALS_FILE` (`~/.aws/credentials`). The file is read each time, so keys changed there take effect.
    /// - Throws: ``ObjectStoreError/Code/credentials`` where there are none; the text names the places and never their contents.
    package init(environment: [String: String]) throws(ObjectStoreError) {
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let key = variable("AWS_ACCESS_KEY_ID"), let secret = variable("AWS_SECRET_ACCESS_KEY") {
            (accessKey, secretKey, sessionToken) = (key, secret, variable("AWS_SESSION_TOKEN"))
            return
        }
        let profile = variable("AWS_PROFILE") ?? "default"
        let file = variable("AWS_SHARED_CREDENTIALS_FILE") ?? variable("HOME").map { $0 + "/.aws/credentials" }
        let ways = "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE to a file with [\(profile)]"
        guard let file else { throw ObjectStoreError(.credentials, "There are no credentials for the object store. \(ways).") }
        guard let data = FileManager.default.contents(atPath: file), data.count <= 1 << 20 else {
            throw ObjectStoreError(.credentials, "The credentials for the object store cannot be read from \(file). \(ways).")
        }
        let values = Self.profile(profile, in: String(decoding: data, as: UTF8.self))
        guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"] else {
            throw ObjectStoreError(
                .credentials,
                "The file \(file) has no aws_access_key_id and aws_secret_access_key under [\(profile)]. \(ways)."
            )
        }
        (accessKey, secretKey, sessionToken) = (key, secret, values["aws_session_token"])
    }

    /// - Parameter environment: `AWS_REGION`, or else `AWS_DEFAULT_REGION`; `us-east-1` where neither is set, which stores without regions
    ///   accept.
    package static func region(environment: [String: String]) -> String {
        [environment["AWS_REGION"], environment["AWS_DEFAULT_REGION"]].compactMap { $0 }.first { !$0.isEmpty } ?? "us-east-1"
    }

    func signer(region: String) -> ObjectStoreSigner { ObjectStoreSigner(accessKey: accessKey, secretKey: secretKey, region: region) }

    package var description: String { "credentials" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The values under `[name]`: lines `key = value`; lines that begin with `#` or `;` are comments.
    private static func profile(_ name: String, in text: String) -> [String: String] {
        var values: [String: String] = [:]
        var isInside = false
        for line in text.split(whereSeparator: \.isNewline).map({ trimmed($0) }) where !line.hasPrefix("#") && !line.hasPrefix(";") {
            if line.hasPrefix("["), line.hasSuffix("]") {
                isInside = trimmed(line.dropFirst().dropLast()) == name
            } else if isInside, let equals = line.firstIndex(of: "=") {
                values[trimmed(line[..<equals]).lowercased()] = trimmed(line[line.index(after: equals)...])
            }
        }
        return values.filter { !$0.value.isEmpty }
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        var text = Substring(text).drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
