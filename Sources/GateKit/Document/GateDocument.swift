public import Foundation
import GateJSON
import GateModel

/// A feed's document, already read. It decides for any phone, needs no network and remembers nothing.
///
/// Unlike the libraries that it replaces, GateKit leaves out a rule that is malformed or blank, says so in ``diagnostics``, and obeys the
/// other rules. A document that cannot be read at all is an error; it never opens the gate.
public struct GateDocument: Sendable, Hashable {
    /// Which library's document it is.
    public let shape: GateShape
    /// What was left out.
    public let diagnostics: [GateDiagnostic]
    /// The key of a native document's app; nil for every other shape, as are the four below.
    public var app: String? { contents.origin?.app }
    /// The key of a native document's platform.
    public var platform: String? { contents.origin?.platform }
    /// The number of the change that a native document comes from, counted over all apps of its server.
    public var sequence: Int? { contents.origin?.sequence }
    /// The same, counted for this app and platform alone.
    public var revision: Int? { contents.origin?.revision }
    /// When that change was made, by its server's clock.
    public var issuedAt: Date? { contents.origin?.issuedAt.date }

    /// The platform whose objects are used.
    let readAs: String?
    let contents: Contents

    /// How a document is read.
    public struct ReadingOptions: Sendable, Hashable {
        /// The platform whose object or list is used in a document of several platforms: `ios`, `android`, `macos` or a name of the app's
        /// own. If nil: the first one present of `ios`, `android` and `macos`.
        public var platform: String?
        /// Whether 0 and 1 count as false and true, as they did for the old libraries on Apple's platforms.
        public var numbersAsFlags: Bool
        /// The most UTF-8 bytes that are read.
        public var maximumBytes: Int

        public init(platform: String? = nil, numbersAsFlags: Bool = false, maximumBytes: Int = 262_144) {
            self.platform = platform
            self.numbersAsFlags = numbersAsFlags
            self.maximumBytes = maximumBytes
        }
    }

    /// - Throws: ``GateKitError``: `malformed` for anything but a JSON object of a known shape, or if the platform is missing; `too_large`.
    public init(_ data: Data, options: ReadingOptions = ReadingOptions()) throws(GateKitError) {
        var reader = DocumentReader(options: options)
        (shape, contents) = try reader.read(Array(data))
        readAs = reader.platform
        diagnostics = reader.diagnostics
    }
}
