public import Foundation
import GateJSON
import GateModel

/// A feed's document, read. It decides for any phone, without a network and without remembering anything.
///
/// Unlike the libraries that it replaces, GateKit leaves out a rule that is malformed or blank, says so in ``diagnostics``, and obeys the
/// others. What cannot be read at all is an error, and never the all-clear.
public struct GateDocument: Sendable, Hashable {
    public let shape: GateShape
    /// What was left out.
    public let diagnostics: [GateDiagnostic]
    /// The app, the platform and the place in history of a native document; nil in every other shape.
    public var app: String? { contents.origin?.app }
    public var platform: String? { contents.origin?.platform }
    public var sequence: Int? { contents.origin?.sequence }
    public var revision: Int? { contents.origin?.revision }
    public var issuedAt: Date? { contents.origin.map { Date(timeIntervalSince1970: Double($0.issuedAt.milliseconds) / 1_000) } }

    /// The platform whose objects count.
    let readAs: String?
    let contents: Contents

    /// How a document is read.
    public struct ReadingOptions: Sendable, Hashable {
        /// Whose object or list counts in a document of several platforms: `ios`, `android`, `macos` or a name of the app's own. Nil: the only
        /// one, else `ios`, else `android`.
        public var platform: String?
        /// Whether 0 and 1 are taken for false and true, as on Apple's platforms the old libraries took them.
        public var numbersAsFlags: Bool
        /// UTF-8 bytes that are read at most.
        public var maximumBytes: Int

        public init(platform: String? = nil, numbersAsFlags: Bool = false, maximumBytes: Int = 262_144) {
            self.platform = platform
            self.numbersAsFlags = numbersAsFlags
            self.maximumBytes = maximumBytes
        }
    }

    /// - Throws: ``GateKitError`` `malformed` for what is no JSON object of a known shape, or lacks the platform; `too_large`.
    public init(_ data: Data, options: ReadingOptions = ReadingOptions()) throws(GateKitError) {
        var reader = DocumentReader(options: options)
        (shape, contents) = try reader.read(Array(data))
        readAs = reader.platform
        diagnostics = reader.diagnostics
    }
}
