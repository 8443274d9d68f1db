public import GateJSON

/// What a rule tells people: one text, or one text per language including a default.
public enum Message: Sendable, Hashable {
    case text(String)
    /// Texts by BCP 47 language tag; `default` is one of the keys.
    case localized([String: String])

    /// The text for feeds that do not know the language.
    public var defaultText: String {
        switch self {
        case .text(let text): text
        case .localized(let texts): texts["default"] ?? ""
        }
    }

    /// The shortest and longest text in Unicode scalars, after trimming and normalisation.
    public static let lengths = 1...500

    /// Reads a message from a gate document.
    /// - Parameters:
    ///   - field: where the message stands, for errors.
    ///   - source: a stored text was cleaned when it was accepted and is left as it is, because what cleaning does may depend on the
    ///     version of Unicode.
    /// - Throws: malformed for a wrong type, `invalid_message` or `invalid_language` for a refused value.
    public init(json: JSONValue, field: String, from source: DocumentSource = .request) throws(ModelError) {
        switch json {
        case .string(let text):
            self = .text(try MessageText.read(text, from: source, field: field))
        case .object(let object):
            if source == .request, object.members.count > GateLimits.languages {
                throw .tooManyLanguages(object.members.count, field: field)
            }
            var texts: [String: String] = [:]
            var seen: Set<String> = []
            for (tag, value) in object.members {
                let field = field + JSONPointer.member(tag)
                guard source == .kept || tag == "default" || LanguageTag.accepts(tag) else {
                    throw .invalid(
                        "invalid_language",
                        "\(JSONValue.quoted(tag, most: 40)) is no BCP 47 language tag such as \"de\" or \"pt-BR\".",
                        field: field
                    )
                }
                // Tags are compared without case (RFC 5646 section 2.1.1): if one tag had two spellings, which text is used would be left
                // to chance.
                guard seen.insert(tag.lowercased()).inserted || source == .kept else {
                    throw .invalid("invalid_language", "The language \(tag) is given twice.", field: field)
                }
                guard let text = value.string else { throw .malformed("A message is a string, not \(value.kindInWords).", field: field) }
                texts[tag] = try MessageText.read(text, from: source, field: field)
            }
            guard texts["default"] != nil else {
                throw .invalid("invalid_message", "A message in several languages needs a member \"default\".", field: field)
            }
            self = .localized(texts)
        default:
            throw .malformed("A message is a string or an object of languages, not \(json.kindInWords).", field: field)
        }
    }

    public var json: JSONValue {
        switch self {
        case .text(let text): return .string(text)
        case .localized(let texts):
            return .object(JSONObject(uniqueMembers: texts.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
        }
    }
}

/// The form of a BCP 47 tag (RFC 5646 section 2.1); subtags are not looked up in the registry.
public enum LanguageTag {
    /// ASCII characters of a tag (RFC 5646 section 4.4.1).
    public static let lengths = 2...35
    /// Its form as an ECMA 262 expression for the whole text; `default` matches too.
    public static let pattern = "^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$"

    /// Whether `tag` has the form, such as `de` or `pt-BR`.
    public static func accepts(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        guard tag.utf8.count <= lengths.upperBound, let language = parts.first, (2...8).contains(language.utf8.count),
            language.utf8.allSatisfy(\.isASCIILetter)
        else { return false }
        return parts.dropFirst().allSatisfy { part in
            (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
        }
    }
}
