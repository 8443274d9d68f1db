import GateJSON

/// The five rules' objects, each declared once: how they are read, written and described in schemas.
///
/// What a rule holds is always the same; what is refused depends on where its document comes from and on the version scheme.
struct RuleTables: Sendable {
    let killSwitch: FieldTable<KillSwitch>
    let forceUpdate: FieldTable<ForceUpdate>
    let requiredUpdate: FieldTable<RequiredUpdate>
    let optionalUpdate: FieldTable<OptionalUpdate>
    let alert: FieldTable<Alert>

    /// Stands for the interval of a kill switch whose document names none, until it is replaced by the platform's interval.
    static let unnamedInterval = 0

    /// For a client that reads what a server sends: members that a newer server adds are ignored. Every version code is also a dotted
    /// version of one number, so the scheme need not be known.
    static let told = RuleTables(.kept, .dotted, isTold: true)

    private static let asked = [VersionScheme.dotted: RuleTables(.request, .dotted), .code: RuleTables(.request, .code)]
    private static let kept = [VersionScheme.dotted: RuleTables(.kept, .dotted), .code: RuleTables(.kept, .code)]

    /// The tables for reading a document whose every member must be known.
    static func reading(_ source: DocumentSource, _ scheme: VersionScheme) -> RuleTables {
        (source == .request ? asked : kept)[scheme] ?? RuleTables(source, scheme)
    }

    private init(_ source: DocumentSource, _ scheme: VersionScheme, isTold: Bool = false) {
        @Sendable func name(_ rule: Rule) -> String? {
            isTold ? nil : "EditOf" + rule.rawValue.prefix(1).uppercased() + rule.rawValue.dropFirst()
        }
        let message = JSONCodec<Message>.message(from: source)
        let interval = JSONCodec<Int>.retryInterval
        killSwitch = FieldTable(
            name(.killSwitch),
            Rule.killSwitch.rawValue,
            isClosed: !isTold,
            .needed("message", message, \.message),
            isTold
                ? .needed("retryInterval", interval, \.retryInterval, missing: PlatformSettings.standardRetryInterval)
                : .optional("retryInterval", interval, \.retryInterval, standard: Self.unnamedInterval),
            .optional("until", .time(from: source), \.until),
            .optional("opening", .time(from: source), \.opening)
        ) { message, retryInterval, until, opening throws(ModelError) in
            let killSwitch = KillSwitch(message: message, retryInterval: retryInterval, until: until, opening: opening)
            try killSwitch.checkOpening()
            return killSwitch
        }
        forceUpdate = FieldTable(
            name(.forceUpdate),
            Rule.forceUpdate.rawValue,
            isClosed: !isTold,
            .needed("message", message, \.message),
            make: ForceUpdate.init
        )
        requiredUpdate = FieldTable(
            name(.requiredUpdate),
            Rule.requiredUpdate.rawValue,
            isClosed: !isTold,
            .needed("minimumVersion", .version(of: scheme), \.minimumVersion),
            .optional("blockedVersions", .versions(of: scheme, from: source), \.blockedVersions, standard: []),
            .needed("message", message, \.message),
            make: RequiredUpdate.init
        )
        optionalUpdate = FieldTable(
            name(.optionalUpdate),
            Rule.optionalUpdate.rawValue,
            isClosed: !isTold,
            .needed("optionalVersion", .version(of: scheme), \.optionalVersion),
            .needed("message", message, \.message),
            make: OptionalUpdate.init
        )
        alert = FieldTable(
            name(.alert),
            Rule.alert.rawValue,
            isClosed: !isTold,
            .needed("message", message, \.message),
            .needed("blocking", .flag, \.blocking),
            make: Alert.init
        )
    }

    func schema(of rule: Rule) -> JSONSchema {
        switch rule {
        case .killSwitch: killSwitch.schema
        case .forceUpdate: forceUpdate.schema
        case .requiredUpdate: requiredUpdate.schema
        case .optionalUpdate: optionalUpdate.schema
        case .alert: alert.schema
        }
    }
}

extension JSONCodec where Value == Message {
    /// Requests have a limit on languages; stored messages may be older than that limit.
    fileprivate static func message(from source: DocumentSource) -> JSONCodec {
        JSONCodec(messageSchema(from: source)) { value, _ throws(ModelError) in
            try Message(json: value, field: "", from: source)
        } write: {
            $0.json
        }
    }

    private static func messageSchema(from source: DocumentSource) -> JSONSchema {
        guard source == .request else { return .either(.string(), .map(of: .string())) }
        return .either(.string(1...), .map(of: .string(1...), 1...GateLimits.languages, names: LanguageTag.pattern, needed: ["default"]))
    }
}

extension JSONCodec where Value == String {
    fileprivate static func version(of scheme: VersionScheme) -> JSONCodec {
        JSONCodec(.version) { value, name throws(ModelError) in
            guard let text = value.string else {
                throw .malformed("\(name) is a string such as \"4.2.0\" or \"41\", not \(value.kindInWords).")
            }
            try scheme.validate(text, field: "")
            return text
        } write: {
            .string($0)
        }
    }
}

extension JSONCodec where Value == [String] {
    /// Versions, none listed twice; in a request they are counted first.
    fileprivate static func versions(of scheme: VersionScheme, from source: DocumentSource) -> JSONCodec {
        JSONCodec(.array(of: .version, source == .request ? 0...GateLimits.versions : nil, isSet: source == .request)) {
            value,
            name throws(ModelError) in
            guard let items = value.array else { throw .malformed("\(name) is an array of versions, not \(value.kindInWords).") }
            if source == .request, items.count > GateLimits.versions { throw .tooManyVersions(items.count, name, field: "") }
            var versions: [String] = []
            var seen: Set<String> = []
            for (index, item) in items.enumerated() {
                let field = "/\(index)"
                guard let text = item.string else { throw .malformed("A version is a string, not \(item.kindInWords).", field: field) }
                try scheme.validate(text, field: field)
                guard seen.insert(text).inserted else { throw .invalid("invalid_version", "\(text) is listed twice.", field: field) }
                versions.append(text)
            }
            return versions
        } write: {
            .array($0.map(JSONValue.string))
        }
    }
}

extension JSONCodec where Value == Timestamp {
    /// A time in a rule; in a request it must lie within the years that can be shown in every zone.
    fileprivate static func time(from source: DocumentSource) -> JSONCodec {
        JSONCodec(.time) { value, name throws(ModelError) in
            guard let text = value.string else {
                throw .malformed("\(name) is a time such as \"2026-04-02T09:32:14Z\", not \(value.kindInWords).")
            }
            do throws(TimeFault) {
                if source == .request { return try Timestamp(entering: text) }
                guard let time = Timestamp(text) else { throw .form }
                return time
            } catch {
                let detail =
                    error == .years ? TimeFault.outside(name) : "\(name) is an RFC 3339 time with its offset, such as 2026-04-02T09:32:14Z."
                throw .invalid("invalid_time", detail)
            }
        } write: {
            .string($0.description)
        }
    }
}
