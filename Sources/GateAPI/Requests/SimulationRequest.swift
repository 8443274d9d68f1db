package import GateJSON
package import GateModel

/// Body of `POST /simulate`: what would this phone show? Nothing is written.
package struct SimulationRequest: TabledBody {
    /// Not yet checked to be keys: a target that cannot exist is not found (404), like any other that is not there.
    package var app: String
    package var platform: String
    /// Nil for the likeliest library of the platform.
    package var client: ClientLibrary?
    /// Gandalf's; nil for the one that most phones have.
    package var release: GandalfRelease?
    /// The installed version.
    package var version: String
    /// A draft over the live gate, as in a change; nil for the live gate itself.
    package var set: GateEdit?
    /// The moment that is asked about, with the windows and expiries that come before it; nil for now.
    package var at: Timestamp?
    /// The person's language as a BCP 47 tag.
    package var locale: String?
    /// Whether the phone was shown before all that its library remembers of this gate.
    package var seen: Bool

    package init(
        app: String,
        platform: String,
        client: ClientLibrary? = nil,
        release: GandalfRelease? = nil,
        version: String,
        set: GateEdit? = nil,
        at: Timestamp? = nil,
        locale: String? = nil,
        seen: Bool = false
    ) {
        self.app = app
        self.platform = platform
        self.client = client
        self.release = release
        self.version = version
        self.set = set
        self.at = at
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
        .needed("version", .string(Simulation.versionLengths), \.version),
        .optional("set", .edit, \.set),
        .optional("at", .enteringTime, \.at),
        .optional("locale", .language, \.locale),
        .optional("seen", .flag, \.seen, standard: false),
        make: SimulationRequest.init
    )
}

extension JSONCodec where Value == String {
    /// A BCP 47 language tag.
    fileprivate static var language: JSONCodec {
        JSONCodec(.string(LanguageTag.lengths)) { value, name throws(ModelError) in
            let tag = try JSONCodec.string.read(value, name)
            guard LanguageTag.accepts(tag) else {
                throw .invalid(
                    "invalid_language",
                    "\(JSONValue.string(String(tag.prefix(40))).text) is no BCP 47 language tag such as \"de\" or \"pt-BR\"."
                )
            }
            return tag
        } write: {
            .string($0)
        }
    }
}
