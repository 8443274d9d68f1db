import GateHTTP
import GateModel

/// What a poll tells about the phone that sends it, in the query of its address: `?version=4.1.0&os=17.2&locale=de-AT&platform=ios`.
///
/// Unknown or malformed parameters are ignored, and never an error (wire formats 6.1 items 32, 40). Of two parameters with one name the
/// first counts.
struct CallerWords: Sendable, Hashable {
    /// As it was sent; only code that knows the platform can tell whether it is a version.
    private(set) var version: String?
    /// Sent beside a version, as GateKit does; see ``Phone/build``.
    private(set) var build: String?
    /// A language range, such as `de-AT` or, as some systems write it, `de_AT`.
    private(set) var locale: String?
    private(set) var platform: PlatformKey?

    /// No meaningful value is longer, even with each byte percent-encoded.
    private static let mostBytes = 3 * 64

    /// - Parameter query: the bytes after the `?`, as sent.
    init(query: UnsafeRawBufferPointer) {
        var start = 0
        var pairs = 0
        while start < query.count, pairs < HTTPRequest.maximumParameters {
            var end = start
            var mark = -1
            while end < query.count, query[end] != UInt8(ascii: "&") {
                if mark < 0, query[end] == UInt8(ascii: "=") { mark = end }
                end += 1
            }
            if mark >= 0, end - mark - 1 <= Self.mostBytes {
                note(UnsafeRawBufferPointer(rebasing: query[start..<mark]), UnsafeRawBufferPointer(rebasing: query[(mark + 1)..<end]))
            }
            start = end + 1
            pairs += 1
        }
    }

    /// - Parameter pairs: names and values, already split and decoded, with spaces for pluses.
    init(_ pairs: [(name: String, value: String)]) {
        for (name, value) in pairs where value.utf8.count <= Self.mostBytes {
            switch name {
            case "version": take(version: String(value.map { $0 == " " ? "+" : $0 }))
            case "build": take(build: value)
            case "locale": take(locale: value)
            case "platform": take(platform: value)
            default: break
            }
        }
    }

    /// Whether nothing in it could make an answer differ.
    var tellsNothing: Bool { version == nil && locale == nil }

    var phone: Phone { Phone(version: version, build: build, languages: locale.map { [$0] } ?? []) }

    private mutating func note(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        // By its length first: most names are none of these.
        switch name.count {
        case 7 where name.elementsEqual("version".utf8): if version == nil, let text = Self.text(value) { take(version: text) }
        case 5 where name.elementsEqual("build".utf8): if build == nil, let text = Self.text(value) { take(build: text) }
        case 6 where name.elementsEqual("locale".utf8): if locale == nil, let text = Self.text(value) { take(locale: text) }
        case 8 where name.elementsEqual("platform".utf8): if platform == nil, let text = Self.text(value) { take(platform: text) }
        default: break
        }
    }

    /// A plus stays a plus: versions have pluses, never spaces.
    private static func text(_ bytes: UnsafeRawBufferPointer) -> String? {
        bytes.contains(UInt8(ascii: "%")) ? PercentEncoding.decode(bytes) : String(validating: bytes, as: UTF8.self)
    }

    private mutating func take(version text: String) {
        if version == nil, Phone.maySend(text) { version = text }
    }

    private mutating func take(build text: String) {
        if build == nil, Phone.maySend(text) { build = text }
    }

    private mutating func take(locale text: String) {
        guard locale == nil, LanguageTag.lengths.contains(text.utf8.count),
            text.utf8.allSatisfy({ $0 &- 0x30 < 10 || ($0 | 0x20) &- 0x61 < 26 || $0 == 0x2D || $0 == 0x5F })
        else { return }
        locale = text
    }

    private mutating func take(platform text: String) {
        if platform == nil { platform = PlatformKey(text) }
    }
}
