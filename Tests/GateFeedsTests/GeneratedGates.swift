import GateModel
import GateTesting

/// Gates that nobody would think of, the same on every run: every combination of rules, settings and awkward texts comes up.
struct GeneratedGates {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// An app with a choice of platforms. Releases have the same number of digits in each place, so that text order is numeric order.
    mutating func app() -> App {
        let platforms = ["ios", "android", "macos", "web", "huawei"].compactMap(PlatformKey.init(_:)).filter { _ in chance(2, of: 3) }
        return SampleApp.app(platforms.map { target($0) })
    }

    mutating func target(_ platform: PlatformKey) -> Target {
        var settings = PlatformSettings.standard(for: platform)
        if chance(1, of: 4) { settings.versionScheme = settings.versionScheme == .code ? .dotted : .code }
        if chance(3, of: 4) { settings.releases = (0..<4).map { _ in version(settings.versionScheme) } }
        settings.defaultRetryInterval = Int.random(in: 5...3600, using: &generator)
        if chance(1, of: 2) { settings.storeURL = "https://store.example/\(platform)" }
        return SampleApp.target(platform, gate(settings), settings: settings)
    }

    mutating func gate(_ settings: PlatformSettings) -> Gate {
        let scheme = settings.versionScheme
        return Gate(
            killSwitch: chance(1, of: 3) ? KillSwitch(message: message(), retryInterval: Int.random(in: 5...3600, using: &generator)) : nil,
            forceUpdate: chance(1, of: 3) ? ForceUpdate(message: message()) : nil,
            requiredUpdate: chance(1, of: 2)
                ? RequiredUpdate(
                    minimumVersion: version(scheme),
                    blockedVersions: chance(1, of: 3) ? [version(scheme)] : [],
                    message: message()
                ) : nil,
            optionalUpdate: chance(1, of: 2) ? OptionalUpdate(optionalVersion: version(scheme), message: message()) : nil,
            alert: chance(1, of: 2) ? Alert(message: message(), blocking: chance(1, of: 2)) : nil
        )
    }

    /// Versions of three one-digit components, or of two digits.
    mutating func version(_ scheme: VersionScheme) -> String {
        switch scheme {
        case .dotted: (0..<3).map { _ in String(Int.random(in: 1...4, using: &generator)) }.joined(separator: ".")
        case .code: String(Int.random(in: 10...20, using: &generator))
        }
    }

    /// What could reach a publisher that no validation stands before.
    mutating func wildVersion() -> String {
        let wild = [
            "7", "07", "+7", "-1", "7 ", " 7", "7.0", "1.2.3", "7e0", "0x10", "7a", "1_000", "2147483647", "2147483648", "", "  ", "true",
            "{}", "٧", "７", "0",
            "00", "9999999999999999999999", "1.1", "v1", "1\u{0}", "1\n", "\"", "1\"", "4.2.0", "\u{FEFF}1", "1e3", "NaN", "1,0", "𝟕",
        ]
        if chance(1, of: 2) { return wild.randomElement(using: &generator) ?? "" }
        let alphabet = Array("0123456789.-+ eEx_٧v\u{0}")
        return String((0..<Int.random(in: 0...6, using: &generator)).map { _ in alphabet.randomElement(using: &generator) ?? "0" })
    }

    mutating func message() -> Message {
        let texts = [
            "Back at 09:30.", "\"Quoted\" \\ \\u0000 {}", "a\nb", "<img src=x onerror=alert(1)>", "ü 日本 😀", "null", "true", "0", "é", "}",
            "//", String(repeating: "x", count: 60),
        ]
        let text = texts.randomElement(using: &generator) ?? "a"
        return chance(1, of: 4) ? .localized(["default": text, "de": "Hallo", "pt-BR": "Olá"]) : .text(text)
    }

    mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    mutating func chance(_ share: Int, of all: Int) -> Bool { Int.random(in: 0..<all, using: &generator) < share }
}
