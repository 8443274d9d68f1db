import GateJSON
import GateModel

/// What an OpenFeature SDK tells about the phone: the `context` of its request (design section 9).
///
/// An app may put anything else into its context, which is not looked at.
struct EvaluationContext {
    let target: TargetKey
    let phone: Phone
    /// What names the installation, if anything does.
    let key: String?
    /// What else it tells about the phone, as it was sent.
    private let told: [String?]

    /// Bytes of a request: a context is a handful of words.
    static let maximumBytes = 8_192

    /// Why a request cannot be answered, in the protocol's words.
    enum Fault: Error {
        case unreadable(String)
        case invalid(String)
        /// There is no such app, or no such platform of it.
        case unknownTarget(String)

        var code: String {
            switch self {
            case .unreadable: "PARSE_ERROR"
            case .invalid: "INVALID_CONTEXT"
            case .unknownTarget: "FLAG_NOT_FOUND"
            }
        }

        var detail: String {
            switch self {
            case .unreadable(let detail), .invalid(let detail), .unknownTarget(let detail): detail
            }
        }
    }

    private static let limits = JSONReader.Limits(bytes: maximumBytes, depth: 16)

    /// - Throws: what is wrong with it, in words for whoever writes the app.
    init(body: [UInt8]) throws(Fault) {
        let object: JSONObject
        do {
            guard let read = try JSONReader.read(body, limits: Self.limits).object else {
                throw Fault.unreadable("The body is not an object.")
            }
            object = read
        } catch let fault as Fault {
            throw fault
        } catch {
            throw .unreadable("The body is not JSON: \(error)")
        }
        guard let context = object["context"]?.object else {
            throw .invalid("The body needs a member \"context\" with app and platform.")
        }
        let app = try Self.word("app", of: context)
        let platform = try Self.word("platform", of: context)
        guard let app = AppKey(app), let platform = PlatformKey(platform) else {
            throw .unknownTarget("There is no target \(app.beginning(80))/\(platform.beginning(80)).")
        }
        target = TargetKey(app: app, platform: platform)
        let locale = context["locale"]?.string.flatMap { LanguageTag.lengths.contains($0.utf8.count) ? $0 : nil }
        key = context["targetingKey"]?.string
        told = ["version", "os", "locale", "build"].map { context[$0].map { $0.string ?? $0.text } }
        phone = Phone(
            version: Self.version(context["version"]),
            build: Self.version(context["build"]),
            languages: locale.map { [$0] } ?? []
        )
    }

    /// What a gate that is being opened gradually draws by; nil where the context tells nothing.
    func draw(from sender: () -> [UInt8]) -> OpeningDraw? { OpeningDraw(key: key, told: told, from: sender) }

    private static func word(_ name: String, of context: JSONObject) throws(Fault) -> String {
        guard let value = context[name] else { throw .invalid("The context needs a member \"\(name)\".") }
        guard let text = value.string else { throw .invalid("The context's \(name) is a string, not \(value.kindInWords).") }
        return text
    }

    /// A version code may come as a number. Anything that is not a version is ignored, as in the address of a feed.
    private static func version(_ value: JSONValue?) -> String? {
        switch value {
        case .string(let text): text
        case .number(let text): VersionCode(text) == nil ? nil : text
        default: nil
        }
    }
}
