import GateJSON
package import GateModel

/// A feed of an app's own shape: a JSON document with places that are filled from the gate.
///
/// The language is a subset of JSON-e (https://json-e.js.org): `{"$eval":"kill.message"}`, `"text ${…}"`, `{"$if":"…","then":…,"else":…}`, where
/// nothing stands in the place of a branch that is not there, and `$$` for a dollar sign that is meant. Expressions are paths, `==`, `!=`, `&&`,
/// `||`, `!`, parentheses and literals. Everything that is no place comes out as it is spelled: the order of members, numbers, white space.
///
/// A value; any thread.
package struct OwnTemplate: Sendable {
    /// UTF-8 bytes of a template, and of a document that is made of one.
    package static let mostBytes = OwnFeed.mostBytes
    /// Objects and arrays inside one another.
    package static let mostDepth = 16
    /// Members and elements of the whole template.
    package static let mostMembers = 4_000

    let root: TemplateNode
    let platforms: [PlatformKey]
    let isOfPlatform: Bool
    private let bytes: [UInt8]
    /// Whether the document tells the sequence of a change, and so differs from one change to the next.
    package let tellsSequence: Bool
    /// The platforms whose gates it looks at.
    package let platformsUsed: Set<PlatformKey>

    /// Reads a template.
    /// - Parameters:
    ///   - text: strict JSON, an object or an array.
    ///   - platform: the platform whose values are named; nil for a feed of the whole app, in which they stand under the platform's key.
    ///   - platforms: those of the app.
    ///   - withCodes: those of them whose versions are numbers.
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
            let limits = JSONReader.Limits(bytes: Self.mostBytes, depth: Self.mostDepth, members: Self.mostMembers)
            value = try JSONReader.read(bytes, limits: limits)
        } catch { throw .invalid("The template is no JSON: \(error).", at: "") }
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

    /// UTF-8 bytes that the document has at most, in any state.
    var bytesAtMost: Int { bytes.count - root.span.count + root.mostBytes }

    /// The document for an app as it stands. Equal states give equal bytes.
    /// - Parameter targets: of the app, with all of ``platformsUsed``.
    /// - Throws: ``TemplateRefusal``: `template_fails` where a value is not there, `template_too_large`.
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
