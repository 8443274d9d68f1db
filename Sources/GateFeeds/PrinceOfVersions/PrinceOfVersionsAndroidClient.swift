import GateJSON
import GateModel

/// Prince of Versions 4 on Android: what it does with a feed's bytes (`JsonConfigurationParser.java`, `InteractorImpl.java`; wire formats
/// section 4).
package enum PrinceOfVersionsAndroidClient {
    /// The last version that was shown, even by a required update: one slot.
    package struct Memory: Sendable, Hashable {
        package var lastNotified: Int?

        package init(lastNotified: Int? = nil) { self.lastNotified = lastNotified }

        package mutating func remember(_ decision: ClientDecision) {
            switch decision {
            case .requiredUpdate(let version, _), .optionalUpdate(let version, _): lastNotified = Int(version)
            default: break
            }
        }
    }

    struct Failure: Error, Hashable { let reason: String }

    /// The config that a phone's system selects, as far as it is used.
    struct Config: Hashable {
        let required: Int?
        let last: Int?
        let isShownAlways: Bool
    }

    /// - Parameters:
    ///   - installed: the app's version code.
    ///   - apiLevel: the system's API level, for requirements.
    package static func decide(_ bytes: [UInt8], installed: Int, apiLevel: Int = 99, memory: Memory = Memory()) -> ClientDecision {
        decide(read(bytes, apiLevel: apiLevel), installed: installed, memory: memory)
    }

    static func read(_ bytes: [UInt8], apiLevel: Int = 99) -> Result<Config, Failure> {
        do throws(Failure) {
            let config = try config(of: bytes, apiLevel: apiLevel)
            let required = try version(config["required_version"])
            let last = try version(config["last_version_available"])
            let isShownAlways = try isShownAlways(config["notify_last_version_frequency"])
            guard required != nil || last != nil else { throw Failure(reason: "the config has no version") }
            return .success(Config(required: required, last: last, isShownAlways: isShownAlways))
        } catch {
            return .failure(error)
        }
    }

    /// What a phone does once it has read its feed.
    static func decide(_ reading: Result<Config, Failure>, installed: Int, memory: Memory = Memory()) -> ClientDecision {
        switch reading {
        case .failure(let failure): return .failed(reason: failure.reason)
        case .success(let config):
            if let required = config.required, installed < required {
                return .requiredUpdate(version: String(max(required, config.last ?? required)), message: "")
            }
            if let last = config.last, installed < last, config.isShownAlways || memory.lastNotified != last {
                return .optionalUpdate(version: String(last), message: "")
            }
            return .proceed
        }
    }

    /// The members of the selected config for which the whole check fails.
    static func unreadableMembers(of config: JSONObject) -> [String] {
        config.members.filter { name, value in
            do throws(Failure) {
                switch name {
                case "required_version", "last_version_available": _ = try version(value)
                case "notify_last_version_frequency": _ = try isShownAlways(value)
                default: break
                }
                return false
            } catch { return true }
        }.map(\.name)
    }

    private static func config(of bytes: [UInt8], apiLevel: Int) throws(Failure) -> JSONObject {
        // What is wrong with the text does not matter to the client: every fault is the same error.
        guard let root = ((try? LooseJSON.read(String(decoding: bytes, as: UTF8.self), .orgJSON)) ?? nil)?.object else {
            throw Failure(reason: "not a JSON object")
        }
        switch root["android2"].flatMap({ $0.isNull ? nil : $0 }) ?? root["android"] {
        case .object(let config):
            guard isSatisfied(config["requirements"], apiLevel: apiLevel) else { throw Failure(reason: "no config matches") }
            return config
        case .array(let items):
            for item in items {
                guard let config = item.object else { throw Failure(reason: "a config is \(item.kindInWords)") }
                if isSatisfied(config["requirements"], apiLevel: apiLevel) { return config }
            }
            throw Failure(reason: "no config matches")
        default: throw Failure(reason: "no config")
        }
    }

    /// A JSON integer within 32 bits; for a text or a fraction the whole check fails.
    private static func version(_ value: JSONValue?) throws(Failure) -> Int? {
        guard let value, !value.isNull else { return nil }
        guard let integer = value.integer, Int32(exactly: integer) != nil else { throw Failure(reason: "a version is no 32-bit integer") }
        return integer
    }

    private static func isShownAlways(_ value: JSONValue?) throws(Failure) -> Bool {
        guard let value, !value.isNull else { return false }
        guard let word = value.string else { throw Failure(reason: "the frequency is no text") }
        return word.lowercased() == "always"
    }

    /// Whether a member of a config's `requirements` asks anything of a phone: the library passes over those that are null.
    static func isRequirement(_ name: String, _ value: JSONValue) -> Bool { !value.isNull }

    private static func isSatisfied(_ requirements: JSONValue?, apiLevel: Int) -> Bool {
        (requirements?.object?.members ?? []).filter { isRequirement($0.name, $0.value) }.allSatisfy { name, value in
            guard name == "required_os_version" else { return false }
            guard let wanted = value.integer ?? value.string.flatMap(Int.init) else { return false }
            return wanted <= apiLevel
        }
    }
}
