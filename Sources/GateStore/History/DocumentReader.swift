import GateJSON
import GateModel

/// Reads the documents of rows, parsing each text once: most targets share their settings and gate with others.
struct DocumentReader {
    /// Whether to refuse a document that would not be written again byte for byte; used for what was just written.
    private let isExact: Bool
    private var gates: [[UInt8]: Gate] = [:]
    private var settings: [PlatformKey: [[UInt8]: PlatformSettings]] = [:]
    private var count = 0

    /// Documents kept in memory; nearly all have at most a few KiB.
    private static let capacity = 256

    init(isExact: Bool = false) { self.isExact = isExact }

    mutating func gate(_ text: String) throws -> Gate {
        let bytes = Array(text.utf8)
        if let known = gates[bytes] { return known }
        let gate = try Gate(stored: JSONReader.read(bytes, limits: .own))
        if isExact, gate.json.bytes != bytes { throw Self.inexact("gate") }
        makeRoom()
        gates[bytes] = gate
        return gate
    }

    /// Nil for the text `null`: the target did not exist.
    mutating func settings(_ text: String, platform: PlatformKey) throws -> PlatformSettings? {
        let bytes = Array(text.utf8)
        if let known = settings[platform]?[bytes] { return known }
        let json = try JSONReader.read(bytes, limits: .own)
        guard !json.isNull else { return nil }
        var settings = PlatformSettings.standard(for: platform)
        try settings.apply(json: json, from: .kept)
        if isExact, settings.json.bytes != bytes { throw Self.inexact("settings") }
        makeRoom()
        self.settings[platform, default: [:]][bytes] = settings
        return settings
    }

    private mutating func makeRoom() {
        count += 1
        guard count > Self.capacity else { return }
        (gates, settings, count) = ([:], [:], 1)
    }

    private static func inexact(_ what: String) -> StoreError { .internal("the \(what) would be written differently") }
}
