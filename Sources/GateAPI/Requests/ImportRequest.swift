package import GateJSON
import GateModel

/// Body of `POST /import`: the file that an app polls today, to be taken over.
package struct ImportRequest: WriteRequest {
    package enum Format: String, Sendable, Hashable, CaseIterable {
        /// Recognised by its members.
        case auto
        /// LaunchGate's and Gandalf's file.
        case launchgate
        case bellerophon
        case princeOfVersions = "prince-of-versions"
    }

    package var app: String
    package var format: Format
    /// The file's text, as it is: reading it is the import's work.
    package var document: String
    /// Which platform a file that names none is for; a Bellerophon file means `ios` unless this says otherwise.
    package var platform: String?
    /// True: what is refused is left out and the rest is written. False: one refusal refuses the whole.
    package var skipInvalid: Bool
    /// The revision that the caller saw of each platform that the file touches.
    package var revisions: [String: Int]
    package var terms: WriteTerms

    package init(
        app: String,
        format: Format = .auto,
        document: String,
        platform: String? = nil,
        skipInvalid: Bool = false,
        revisions: [String: Int] = [:],
        terms: WriteTerms = WriteTerms()
    ) {
        self.app = app
        self.format = format
        self.document = document
        self.platform = platform
        self.skipInvalid = skipInvalid
        self.revisions = revisions
        self.terms = terms
    }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An import")
        app = try reader.string("app")
        let formatText = try reader.optionalString("format") ?? Format.auto.rawValue
        guard let format = Format(rawValue: formatText) else {
            throw .malformed("format is one of \(Format.allCases.map(\.rawValue).joined(separator: ", ")).", field: "/format")
        }
        self.format = format
        document = try reader.string("document")
        platform = try reader.optionalString("platform")
        skipInvalid = try reader.flag("skipInvalid", default: false)
        revisions =
            try reader.optionalDocument("revisions") { json throws(ModelError) in
                guard let object = json.object else {
                    throw .malformed("revisions is an object of platforms and their revisions, not \(json.kindInWords).")
                }
                var revisions: [String: Int] = [:]
                for (name, value) in object.members {
                    guard let revision = value.integer else {
                        throw .malformed("A revision is a whole number, not \(value.kindInWords).", field: JSONPointer.member(name))
                    }
                    revisions[name] = revision
                }
                return revisions
            } ?? [:]
        terms = try WriteTerms(reading: &reader)
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object: JSONObject = ["app": .string(app), "format": .string(format.rawValue), "document": .string(document)]
        if let platform { object["platform"] = .string(platform) }
        object["skipInvalid"] = .bool(skipInvalid)
        var seen = JSONObject()
        for (platform, revision) in revisions.sorted(by: { $0.key < $1.key }) { seen[platform] = .integer(revision) }
        object["revisions"] = .object(seen)
        terms.write(to: &object)
        return .object(object)
    }
}
