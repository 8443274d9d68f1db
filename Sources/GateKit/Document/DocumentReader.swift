import GateJSON
import GateModel

/// Reads a document of any shape, rule by rule.
struct DocumentReader {
    let options: GateDocument.ReadingOptions
    var diagnostics: [GateDiagnostic] = []
    /// The platform whose object or list was read.
    var platform: String?

    /// Bellerophon's members; any of them makes a document a Bellerophon status.
    private static let statusNames = ["apiInactive", "forceUpdate", "retryInterval", "userMessage"]

    init(options: GateDocument.ReadingOptions) { self.options = options }

    mutating func read(_ bytes: [UInt8]) throws(GateKitError) -> (GateShape, Contents) {
        guard bytes.count <= options.maximumBytes else {
            throw GateKitError(.tooLarge, "The document has \(bytes.count) bytes; at most \(options.maximumBytes) are read.")
        }
        var bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            bytes.removeFirst(3)
            note("", "starts with a byte order mark")
        }
        let json: JSONValue
        do { json = try JSONReader.read(bytes, limits: .init(bytes: options.maximumBytes, depth: 32, members: 20_000)) } catch {
            throw GateKitError(.malformed, "The document is not JSON: \(error)", underlying: error)
        }
        guard let root = json.object else { throw GateKitError(.malformed, "The document is \(json.kindInWords), not an object.") }
        // Not by its gate: a document of several platforms has a member for each, and an app may call one of them `gate` or `schema`. That
        // is an object, and a schema is a text.
        if root["schema"]?.string != nil { return (.native, try native(root)) }

        var contents = Contents()
        let hasStatus = Self.statusNames.contains { root[$0] != nil }
        let found = try platformPart(of: root, isNeeded: !hasStatus)
        if hasStatus { try readStatus(root, into: &contents) }
        contents.meta = meta(root["meta"], "/meta")
        switch found {
        case .object(let name, let object): readObject(object, of: name, into: &contents)
        case .list(let name, let items): readList(items, of: name, into: &contents)
        case nil: break
        }
        guard !hasStatus else { return (found == nil ? .bellerophon : .combined, contents) }
        if case .list = found { return (.princeOfVersions, contents) }
        return (.platformObjects, contents)
    }

    mutating func note(_ path: String, _ detail: String) { diagnostics.append(GateDiagnostic(path: path, detail: detail)) }

    // MARK: Which part is for the phone

    private enum Part: Hashable {
        case object(name: String, JSONObject)
        case list(name: String, [JSONValue])
    }

    /// The platform's object or list.
    /// - Throws: `malformed` if it is needed but missing: a missing platform does not mean that the gate is open.
    private mutating func platformPart(of root: JSONObject, isNeeded: Bool) throws(GateKitError) -> Part? {
        // Without a named platform only the usual names are tried: an object "error" with status 200 must not pass for an open gate.
        let names = options.platform.map { [$0] } ?? ["ios", "android", "macos"]
        for name in names {
            if let object = root[name]?.object, !isConfig(object, of: name) {
                platform = name
                // A Prince of Versions list beside the object adds nothing to it; but without an object, the list may be all there is.
                return .object(name: name, object)
            }
            let lists = name == "android" ? [name + "2", name] : [name, name + "2"]
            for list in lists {
                if let items = root[list]?.array {
                    platform = name
                    return .list(name: list, items)
                }
                if name == "android", let object = root[list]?.object {
                    platform = name
                    return .list(name: list, [.object(object)])
                }
            }
        }
        guard isNeeded || options.platform.map({ root[$0] != nil }) ?? false else { return nil }
        throw GateKitError(
            .malformed,
            options.platform.map { "The document has no object or list \"\($0)\" that can be read." }
                ?? "The document has none of the shapes that GateKit knows."
        )
    }

    /// Whether an object is one config of Prince of Versions for Android.
    private func isConfig(_ object: JSONObject, of name: String) -> Bool {
        name == "android" && (object["required_version"] != nil || object["last_version_available"] != nil)
    }

    // MARK: Members

    /// A flag; nil, with a note, for anything else.
    mutating func flag(_ value: JSONValue?, _ path: String) -> Bool? {
        switch value {
        case nil, .null: return nil
        case .bool(let flag): return flag
        case .number("0") where options.numbersAsFlags: return false
        case .number("1") where options.numbersAsFlags: return true
        case let other?:
            note(path, "is \(other.kindInWords), not true or false")
            return nil
        }
    }

    /// Whether an alert blocks. Missing or null counts as false, as in Gandalf; nil, with a note, for a value that is not a flag, which
    /// makes the rule malformed.
    mutating func blocking(_ value: JSONValue?, _ path: String) -> Bool? {
        guard let value, !value.isNull else { return false }
        return flag(value, path)
    }

    /// A text that is not blank; nil, with a note, for anything else.
    mutating func text(_ value: JSONValue?, _ path: String) -> String? {
        guard let value, !value.isNull else {
            note(path, "is missing")
            return nil
        }
        guard let text = value.string else {
            note(path, "is \(value.kindInWords), not a text")
            return nil
        }
        guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
            note(path, "is blank")
            return nil
        }
        return text
    }

    /// A version that can be compared; nil, with a note, for anything else. A number is a version code.
    mutating func version(_ value: JSONValue?, _ path: String, isCode: Bool) -> String? {
        guard let value, !value.isNull else {
            note(path, "is missing")
            return nil
        }
        let isVersion = isCode ? VersionCode(value) != nil : value.string.map { AppVersion($0) != nil } ?? (VersionCode(value) != nil)
        switch value {
        case .string(let text) where isVersion, .number(let text) where isVersion: return text
        default:
            note(path, isCode ? "is not a version code" : "is not a version")
            return nil
        }
    }

    /// Seconds, brought into the range 5 to 3600; the standard interval if the value cannot be read.
    mutating func interval(_ value: JSONValue?, _ path: String) -> Int {
        let standard = PlatformSettings.standardRetryInterval
        guard let value, !value.isNull else { return standard }
        guard case .number(let text) = value, let seconds = Double(text), seconds.isFinite else {
            note(path, "is not a number of seconds")
            return standard
        }
        let range = PlatformSettings.retryIntervals
        let whole = Int(min(max(seconds, Double(range.lowerBound)), Double(range.upperBound)))
        if Double(whole) != seconds { note(path, "is not a whole number from 5 to 3600; \(whole) is taken") }
        return whole
    }
}
