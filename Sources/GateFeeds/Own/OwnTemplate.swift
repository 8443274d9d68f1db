import GateJSON
package import GateModel

/// A feed in an app's own shape: a JSON document with places that are filled from the gate.
///
/// The language is a subset of JSON-e (https://json-e.js.org): `{"$eval":"kill.message"}`, `"text ${…}"`, `{"$if":"…","then":…,"else":…}`,
/// which produces nothing if the chosen branch is missing, and `$$` for a literal dollar sign. Expressions are paths, `==`, `!=`, `&&`,
/// `||`, `!`, parentheses and literals. Everything else comes out exactly as it is spelled: the order of members, numbers, white space.
///
/// A plain value, usable from any thread.
package struct OwnTemplate: Sendable {
    /// The most UTF-8 bytes of a template, and of a document made from one.
    package static let mostBytes = OwnFeed.mostBytes
    /// The most levels of nested objects and arrays.
    package static let mostDepth = 16
    /// The most members and elements in the whole template.
    package static let mostMembers = 4_000
    /// All three, for reading a template or the file that becomes one.
    static let limits = JSONReader.Limits(bytes: mostBytes, depth: mostDepth, members: mostMembers)

    let root: TemplateNode
    let platforms: [PlatformKey]
    let isOfPlatform: Bool
    private let bytes: [UInt8]
    /// Whether the document shows a change's sequence, and so differs from one change to the next.
    package let tellsSequence: Bool
    /// The platforms whose gates it uses.
    package let platformsUsed: Set<PlatformKey>

    /// Reads a template.
    /// - Parameters:
    ///   - text: strict JSON, an object or an array.
    ///   - platform: the platform whose values are named; nil for a feed of the whole app, in which values are named with the platform's
    ///     key.
    ///   - platforms: the app's platforms.
    ///   - withCodes: those of them whose versions are version codes.
    /// - Throws: ``TemplateRefusal``: `invalid_template` or `template_too_large`.
    package init(
        _ text: String,
        for platform: PlatformKey?,
        of platforms: some Sequence<PlatformKey>,
        withCodes: Set<PlatformKey> = []
    ) throws(TemplateRefusal) {
        bytes = Array(text.utf8)
        guard bytes.count <= Self.mostBytes else {
            throw .tooLarge("A template has at most \(Self.mostBytes) bytes, not \(bytes.count).")
        }
        let value: JSONValue
        do {
            value = try JSONReader.read(bytes, limits: Self.limits)
        } catch { throw .invalid("The template is not JSON: \(error).", at: "") }
        guard value.object != nil || value.array != nil else {
            throw .invalid("A template is an object or an array, not \(value.kindInWords).", at: "")
        }
        isOfPlatform = platform != nil
        self.platforms = platform.map { [$0] } ?? platforms.sorted()
        root = try TemplateReader.read(bytes, TemplateNames(platforms: self.platforms, isOfPlatform: platform != nil, withCodes: withCodes))
        let paths = root.expressions.flatMap(\.paths)
        tellsSequence = paths.contains { $0.value == .sequence }
        platformsUsed = Set(paths.map { [platforms = self.platforms] in platforms[$0.platform] })
    }

    /// The most UTF-8 bytes that the document can have, in any state.
    var bytesAtMost: Int { bytes.count - root.span.count + root.mostBytes }

    /// The document for an app's present state. Equal states give equal bytes.
    /// - Parameter targets: the app's targets, including all of ``platformsUsed``.
    /// - Throws: ``TemplateRefusal``: `template_fails` if a value does not exist, `template_too_large`.
    package func render(_ targets: [PlatformKey: Target]) throws(TemplateRefusal) -> [UInt8] {
        var present: [Target?] = []
        for platform in platforms {
            guard targets[platform] != nil || !platformsUsed.contains(platform) else {
                throw TemplateRefusal("template_fails", at: "", "The app has no platform \(platform) any more, which the template names.")
            }
            present.append(targets[platform])
        }
        var writer = TemplateWriter(bytes, present)
        writer.copy(0..<root.span.lowerBound)
        guard try writer.write(root) else { throw .noDocument }
        writer.copy(root.span.upperBound..<bytes.count)
        guard writer.output.count <= Self.mostBytes else {
            throw .tooLarge("The document has \(writer.output.count) bytes; at most \(Self.mostBytes) are published. Shorten its texts.")
        }
        return writer.output
    }
}

extension TemplateRefusal {
    static let noDocument = TemplateRefusal(
        "template_fails",
        at: "",
        "In some states there is no document at all: give the outermost $if an \"else\"."
    )
}
