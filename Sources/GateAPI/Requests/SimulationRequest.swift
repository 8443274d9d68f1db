package import GateJSON
package import GateModel

/// Body of `POST /simulate`: what would this phone show, or all of these versions? Nothing is written.
package struct SimulationRequest: TabledBody {
    /// Not yet checked to be keys: a target that cannot exist is not found (404), like any missing one.
    package var app: String
    package var platform: String
    /// Nil for the platform's likeliest library or, when many versions are asked about, for all libraries.
    package var client: ClientLibrary?
    /// The release of Gandalf; nil for the one that most phones have.
    package var release: GandalfRelease?
    /// What is asked about: a body has exactly one of the two.
    package var phones: Phones
    /// A draft over the live gate, as in a change; nil for the live gate itself.
    package var set: GateEdit?
    /// The moment that is asked about, with the windows and expiries that come before it; nil for now.
    package var at: Timestamp?
    /// The person's language as a BCP 47 tag.
    package var locale: String?
    /// Whether the phone has already been shown everything about this gate that its library remembers.
    package var seen: Bool

    /// Instead of a moment: what that revision of the target left in force. Only when many versions are asked about.
    package var revision: Int?

    package enum Phones: Sendable, Hashable {
        /// `version` of the body: one phone, which is answered with a ``Simulation``.
        case version(String)
        /// `versions` of the body, each with all libraries: answered with a ``SimulationMatrix``. Empty for the versions that matter.
        case versions([String])
    }

    package init(
        app: String,
        platform: String,
        client: ClientLibrary? = nil,
        release: GandalfRelease? = nil,
        phones: Phones,
        set: GateEdit? = nil,
        at: Timestamp? = nil,
        revision: Int? = nil,
        locale: String? = nil,
        seen: Bool = false
    ) {
        self.app = app
        self.platform = platform
        self.client = client
        self.release = release
        self.phones = phones
        self.set = set
        self.at = at
        self.revision = revision
        self.locale = locale
        self.seen = seen
    }

    package static let table = FieldTable<SimulationRequest>(
        request: "SimulationRequest",
        "A simulation",
        .needed("app", .key, \.app),
        .needed("platform", .key, \.platform),
        .optional("client", .word, \.client),
        .optional("release", .word, \.release),
        .optional("version", .string(Simulation.versionLengths), \.version),
        .optional("versions", .list(of: .string(Simulation.versionLengths), 0...SimulationMatrix.mostVersions), \.versions),
        .optional("set", .edit, \.set),
        .optional("at", .enteringTime, \.at),
        .optional("revision", .integer(1...), \.revision),
        .optional("locale", .language, \.locale),
        .optional("seen", .flag, \.seen, standard: false)
    ) { app, platform, client, release, version, versions, set, at, revision, locale, seen throws(ModelError) in
        SimulationRequest(
            app: app,
            platform: platform,
            client: client,
            release: release,
            phones: try phones(version, versions, revision: revision, hasMoment: at != nil, isDraft: set != nil),
            set: set,
            at: at,
            revision: revision,
            locale: locale,
            seen: seen
        )
    }

    private var version: String? { if case .version(let version) = phones { version } else { nil } }

    private var versions: [String]? { if case .versions(let versions) = phones { versions } else { nil } }

    /// - Throws: malformed for members that contradict each other.
    private static func phones(
        _ version: String?,
        _ versions: [String]?,
        revision: Int?,
        hasMoment: Bool,
        isDraft: Bool
    ) throws(ModelError) -> Phones {
        if revision != nil {
            guard versions != nil else { throw .malformed("\"revision\" needs \"versions\".", field: "/revision") }
            guard !hasMoment else { throw .malformed("A simulation has \"at\" or \"revision\", not both.", field: "/at") }
            guard !isDraft else { throw .malformed("A draft is for the live gate, not for a \"revision\".", field: "/set") }
        }
        switch (version, versions) {
        case (let version?, nil): return .version(version)
        case (nil, let versions?): return .versions(versions)
        case (nil, nil):
            throw .malformed(
                "A simulation needs \"version\" or \"versions\"; an empty \"versions\" means the versions that matter.",
                field: "/version"
            )
        case (_?, _?): throw .malformed("A simulation has \"version\" or \"versions\", not both.", field: "/versions")
        }
    }
}

extension JSONCodec where Value == String {
    /// A BCP 47 language tag.
    fileprivate static var language: JSONCodec {
        JSONCodec(.string(LanguageTag.lengths, pattern: LanguageTag.pattern)) { value, name throws(ModelError) in
            let tag = try JSONCodec.string.read(value, name)
            guard LanguageTag.accepts(tag) else {
                throw .invalid(
                    "invalid_language",
                    "\(JSONValue.quoted(tag, most: 40)) is not a BCP 47 language tag such as \"de\" or \"pt-BR\"."
                )
            }
            return tag
        } write: {
            .string($0)
        }
    }
}
