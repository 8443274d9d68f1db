public import GateJSON

/// The apps that a person's or a token's role applies to.
public enum AppScope: Sendable, Hashable {
    case all
    case only(Set<AppKey>)

    public func contains(_ app: AppKey) -> Bool {
        switch self {
        case .all: true
        case .only(let apps): apps.contains(app)
        }
    }

    /// Whether every app of `other` is in this scope.
    public func covers(_ other: AppScope) -> Bool {
        switch (self, other) {
        case (.all, _): true
        case (.only, .all): false
        case (.only(let apps), .only(let others)): others.isSubset(of: apps)
        }
    }

    /// `null` for all apps, otherwise their keys in order.
    public var json: JSONValue {
        switch self {
        case .all: .null
        case .only(let apps): .array(apps.sorted().map { .string($0.text) })
        }
    }

    /// - Throws: malformed (400), `invalid_app_key` (422).
    public init(json: JSONValue) throws(ModelError) {
        if json.isNull {
            self = .all
            return
        }
        guard let items = json.array else { throw .malformed("The apps are an array of keys, or null for all, not \(json.kindInWords).") }
        var apps: Set<AppKey> = []
        for (index, item) in items.enumerated() {
            guard let text = item.string else {
                throw .malformed("An app is named by its key, a string, not \(item.kindInWords).", field: "/\(index)")
            }
            do { apps.insert(try AppKey(validating: text)) } catch { throw error.within("/\(index)") }
        }
        self = .only(apps)
    }
}
