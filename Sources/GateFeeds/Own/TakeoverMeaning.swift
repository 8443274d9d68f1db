import GateJSON
package import GateModel

/// What one value of a file means.
package struct TakeoverMeaning: Sendable, Hashable {
    /// A value of the gate.
    package enum Word: String, Sendable, Hashable, CaseIterable {
        /// Whether a rule is on.
        case kill, force, required, optional, alert
        /// Its text.
        case killMessage = "kill.message"
        case forceMessage = "force.message"
        case requiredMessage = "required.message"
        case optionalMessage = "optional.message"
        case alertMessage = "alert.message"
        case minimumVersion = "required.minimumVersion"
        case optionalVersion = "optional.optionalVersion"
        case blocking = "alert.blocking"
        case retryInterval
        case storeURL

        /// The rule concerned; nil for settings.
        var rule: Rule? {
            switch self {
            case .kill, .killMessage: .killSwitch
            case .force, .forceMessage: .forceUpdate
            case .required, .requiredMessage, .minimumVersion: .requiredUpdate
            case .optional, .optionalMessage, .optionalVersion: .optionalUpdate
            case .alert, .alertMessage, .blocking: .alert
            case .retryInterval, .storeURL: nil
            }
        }

        var isSwitch: Bool { [.kill, .force, .required, .optional, .alert].contains(self) }
        var isMessage: Bool { rawValue.hasSuffix(".message") }
        var isVersion: Bool { self == .minimumVersion || self == .optionalVersion }
    }

    /// RFC 6901 pointer into the file.
    package let place: String
    package let word: Word
    /// The language of a text; nil for the default text.
    package let language: String?
    /// Nil for the feed's own platform.
    package let platform: PlatformKey?
    /// Whether the switch means on when it is false, 0 or "off".
    package let isInverted: Bool

    package static let most = TakeoverProof.mostMeanings

    package init(
        place: String,
        word: Word,
        language: String? = nil,
        platform: PlatformKey? = nil,
        isInverted: Bool = false
    ) {
        (self.place, self.word, self.language, self.platform, self.isInverted) = (
            place, word, language, platform, isInverted
        )
    }

    /// Reads one as people type it: `$.maintenance=kill`, `$.ios.enabled=!ios.kill`, `$.texts.de=kill.messages.de`.
    /// - Throws: ``TemplateRefusal``: `invalid_map`.
    package init(_ text: String) throws(TemplateRefusal) {
        guard let equals = text.lastIndex(of: "=") else {
            throw .invalidMap(
                "A meaning is typed PATH=VALUE, such as $.maintenance=kill or $.text=kill.message."
            )
        }
        var value = text[text.index(after: equals)...]
        isInverted = value.hasPrefix("!")
        if isInverted { value = value.dropFirst() }
        var parts = value.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let roots = Set(Word.allCases.map { $0.rawValue.split(separator: ".")[0] }.map(String.init))
        var owner: PlatformKey?
        if let first = parts.first, !roots.contains(first), let key = PlatformKey(first) {
            owner = key
            parts.removeFirst()
        }
        platform = owner
        var language: String?
        if parts.count == 3, parts[1] == "messages", LanguageTag.accepts(parts[2]) {
            language = parts[2]
            parts = [parts[0], "message"]
        }
        self.language = language
        guard let word = Word(rawValue: parts.joined(separator: ".")),
            !isInverted || word.isSwitch || word == .blocking
        else {
            let all = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalidMap(
                "\(value.prefix(80)) is not a value of a gate: there are \(all), with ! before a switch whose off position means on, and a platform before each."
            )
        }
        self.word = word
        place = try Self.pointer(String(text[..<equals]))
    }

    /// In the form that people type: `$.maintenance=kill`.
    package var text: String {
        var value = word.rawValue
        if let language { value = value.replacingLastStep(with: "messages.\(language)") }
        return "\(Self.path(of: place))=\(isInverted ? "!" : "")\(platform.map { "\($0)." } ?? "")\(value)"
    }

    /// An RFC 6901 pointer in the form that people type: `$.a.b[0]['c d']`; a pointer with a name that cannot be written this way stays a
    /// pointer.
    package static func path(of pointer: String) -> String {
        var path = "$"
        for step in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let isWord =
                !step.isEmpty
                && step.utf8.allSatisfy {
                    $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-")
                }
            if isWord, step.utf8.first?.isASCIIDigit == true, step.utf8.allSatisfy(\.isASCIIDigit) {
                path += "[\(step)]"
            } else if isWord {
                path += ".\(step)"
            } else if step.isEmpty || step.contains(where: { "~'\"]".contains($0) }) {
                return pointer
            } else {
                path += "['\(step)']"
            }
        }
        return path
    }

    /// `$.a.b[0]['c d']` as an RFC 6901 pointer; a pointer stays as it is.
    private static func pointer(_ path: String) throws(TemplateRefusal) -> String {
        if path.hasPrefix("/") { return path }
        guard path.first == "$" else {
            throw .invalidMap("A path begins with $, such as $.ios.maintenance or $.texts[0].")
        }
        var pointer = ""
        var rest = path.dropFirst()
        while let sign = rest.first {
            rest = rest.dropFirst()
            switch sign {
            case ".":
                let name = rest.prefix { $0 != "." && $0 != "[" }
                guard !name.isEmpty else { break }
                pointer += JSONPointer.member(String(name))
                rest = rest.dropFirst(name.count)
                continue
            case "[":
                guard let end = rest.firstIndex(of: "]") else { break }
                let name = rest[..<end].trimmingQuotes
                guard !name.isEmpty else { break }
                pointer += JSONPointer.member(name)
                rest = rest[rest.index(after: end)...]
                continue
            default: break
            }
            throw .invalidMap("\(path.prefix(80)) is not a path: names follow dots, or stand in [ ] with quotes.")
        }
        return pointer
    }
}

extension String {
    /// Turns `kill.message` into `kill.messages.de`.
    fileprivate func replacingLastStep(with step: String) -> String {
        guard let point = lastIndex(of: ".") else { return step }
        return self[...point] + step
    }
}

extension Substring {
    fileprivate var trimmingQuotes: String {
        guard let first, first == "'" || first == "\"", count > 1, last == first else {
            return String(self)
        }
        return String(dropFirst().dropLast())
    }
}
