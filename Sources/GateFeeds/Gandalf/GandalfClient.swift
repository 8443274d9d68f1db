import GateJSON
package import GateModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Gandalf on a phone: what it does with a feed's bytes (`GateKeeper.java`, `DefaultVersionChecker.java`, `DefaultHistoryChecker.java`;
/// wire formats section 2).
package enum GandalfClient {
    package enum Reading: Sendable, Hashable {
        /// Nothing is obeyed; the app proceeds.
        case syntaxError
        /// An empty document, or one without `android`; the app proceeds.
        case noPlatform
        case accepted(Rules)
    }

    package struct Rules: Sendable, Hashable {
        /// Texts as Gson delivers them: nil for null and for a missing member, numbers and booleans as they were spelled.
        package struct Update: Sendable, Hashable {
            package let version: String?
            package let message: String?
        }

        package struct Alert: Sendable, Hashable {
            package let message: String?
            package let blocking: Bool
        }

        package var requiredUpdate: Update?
        package var optionalUpdate: Update?
        package var alert: Alert?
    }

    /// What the library stores in the app's shared preferences: one slot each, empty at first.
    package struct Memory: Sendable, Hashable {
        package var optionalUpdate: String
        package var alert: String

        package init(optionalUpdate: String = "", alert: String = "") {
            self.optionalUpdate = optionalUpdate
            self.alert = alert
        }

        /// The user postponed the update, or pressed the alert's OK. A blocking alert has no such button, and blank text is never stored.
        package mutating func acknowledge(_ shown: ClientDecision) {
            switch shown {
            case .optionalUpdate(let version, _): optionalUpdate = version
            case .alert(let message, blocking: false) where !isBlank(message): alert = message
            default: break
            }
        }
    }

    /// - Parameters:
    ///   - installed: the app's version code, as its low 32 bits.
    ///   - platform: whose object is read: `android`, unless the app sets another name.
    package static func decide(
        _ bytes: [UInt8],
        installed: Int32,
        platform: PlatformKey = .android,
        memory: Memory = Memory(),
        release: GandalfRelease
    ) -> ClientDecision {
        decide(read(bytes, platform: platform), installed: installed, memory: memory, release: release)
    }

    /// The same for a feed that was already read.
    static func decide(_ reading: Reading, installed: Int32, memory: Memory = Memory(), release: GandalfRelease) -> ClientDecision {
        switch reading {
        case .syntaxError: .failed(reason: "syntax error")
        case .noPlatform: .failed(reason: "there is no object of its platform")
        case .accepted(let rules): decide(rules, installed: installed, memory: memory, release: release)
        }
    }

    /// The first rule that applies decides; rules behind it are not even examined.
    private static func decide(_ rules: Rules, installed: Int32, memory: Memory, release: GandalfRelease) -> ClientDecision {
        do {
            if let update = rules.requiredUpdate, let version = try outdated(installed, update.version) {
                return .requiredUpdate(version: version, message: update.message ?? "")
            }
            let alert = rules.alert.flatMap { show($0, memory: memory) }
            if release != .upTo1_3_1, let alert { return alert }
            // By bytes, as in Java.
            if let update = rules.optionalUpdate, update.version.map({ !$0.utf8.elementsEqual(memory.optionalUpdate.utf8) }) ?? true,
                let version = try outdated(installed, update.version)
            {
                return .optionalUpdate(version: version, message: update.message ?? "")
            }
            return alert ?? .proceed
        } catch {
            return release == .head ? .proceed : .crash(reason: "\"\(error.text)\" is no version code")
        }
    }

    private static func show(_ alert: Rules.Alert, memory: Memory) -> ClientDecision? {
        let blocks = alert.blocking && !(alert.message.map(isBlank) ?? true)
        // A missing text equals no remembered text.
        let isNew = alert.message.map { !$0.utf8.elementsEqual(memory.alert.utf8) } ?? true
        return blocks || isNew ? .alert(message: alert.message ?? "", blocking: alert.blocking) : nil
    }

    private struct NumberFormatException: Error { let text: String }

    /// The rule's version if the installed one is below it; a blank version turns the rule off.
    private static func outdated(_ installed: Int32, _ version: String?) throws(NumberFormatException) -> String? {
        guard let version, !isBlank(version) else { return nil }
        guard let code = javaInteger(version) else { throw NumberFormatException(text: version) }
        return installed < code ? version : nil
    }

    /// `Integer.valueOf`: an optional sign, then decimal digits of any script, within 32 bits.
    static func javaInteger(_ text: String) -> Int32? {
        var digits = Array(text.unicodeScalars)
        let isNegative = digits.first == "-"
        if isNegative || digits.first == "+" { digits.removeFirst() }
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for scalar in digits {
            guard scalar.value <= 0xFFFF, scalar.properties.numericType == .decimal, let digit = scalar.properties.numericValue else {
                return nil
            }
            value = value * 10 + Int64(digit)
            guard value <= 2_147_483_648 else { return nil }
        }
        return Int32(exactly: isNegative ? -value : value)
    }

    /// `StringUtils.isBlank`, using Java's `Character.isWhitespace`, which does not include the no-break space.
    static func isBlank(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.value {
            case 0x09...0x0D, 0x1C...0x1F: true
            case 0xA0, 0x2007, 0x202F: false
            default: [.spaceSeparator, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
            }
        }
    }

    package static func read(_ bytes: [UInt8], platform name: PlatformKey = .android) -> Reading {
        do {
            guard let document = try LooseJSON.read(text(bytes), .gson), !document.isNull else { return .noPlatform }
            guard let root = document.object else { return .syntaxError }
            guard let platform = root[name.text], !platform.isNull else { return .noPlatform }
            guard let object = platform.object else { return .syntaxError }
            return .accepted(
                Rules(
                    requiredUpdate: try update(object["requiredUpdate"], "minimumVersion"),
                    optionalUpdate: try update(object["optionalUpdate"], "optionalVersion"),
                    alert: try alert(object["alert"])
                )
            )
        } catch {
            return .syntaxError
        }
    }

    /// The text as OkHttp delivers it: in the encoding of its byte order mark, otherwise UTF-8.
    private static func text(_ bytes: [UInt8]) -> String {
        let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        return isWide ? String(bytes: bytes, encoding: .utf16) ?? "" : String(decoding: bytes, as: UTF8.self)
    }

    private static func update(_ value: JSONValue?, _ versionName: String) throws(LooseJSON.SyntaxError) -> Rules.Update? {
        guard let object = try rule(value) else { return nil }
        return Rules.Update(version: try text(object[versionName]), message: try text(object["message"]))
    }

    private static func alert(_ value: JSONValue?) throws(LooseJSON.SyntaxError) -> Rules.Alert? {
        guard let object = try rule(value) else { return nil }
        let message = try text(object["message"])
        switch object["blocking"] {
        case nil, .null: return Rules.Alert(message: message, blocking: false)
        case .bool(let flag): return Rules.Alert(message: message, blocking: flag)
        case .string(let word): return Rules.Alert(message: message, blocking: word.lowercased() == "true")
        default: throw LooseJSON.SyntaxError()
        }
    }

    private static func rule(_ value: JSONValue?) throws(LooseJSON.SyntaxError) -> JSONObject? {
        guard let value, !value.isNull else { return nil }
        guard let object = value.object else { throw LooseJSON.SyntaxError() }
        return object
    }

    private static func text(_ value: JSONValue?) throws(LooseJSON.SyntaxError) -> String? {
        switch value {
        case nil, .null: return nil
        case .string(let text), .number(let text): return text
        case .bool(let flag): return flag ? "true" : "false"
        default: throw LooseJSON.SyntaxError()
        }
    }
}
