package import GateJSON
package import GateModel

/// Body of `POST /changes`: one change of one or more targets, all or none.
package struct ChangeRequest: TabledBody, WriteRequest {
    /// 1 to 1000, no target twice.
    package var targets: [TargetRef]
    package var content: Content
    /// Seconds over which a cleared kill switch lets a growing share of callers in; nil for all at once. A bad number is refused only after
    /// it is known that the targets exist.
    package var over: Int?
    package var terms: WriteTerms

    /// What should happen to the targets. A body has exactly one of the three.
    package enum Content: Sendable, Hashable {
        /// `set` of the body: the same rules for every target.
        case set(GateEdit)
        /// Every target has its own ``TargetRef/set``, as an import or an apply builds it.
        case setPerTarget
        /// `revertTo`: the one target gets the gate of that earlier revision of its own, as a new revision.
        case revertTo(Int)
    }

    package init(targets: [TargetRef], content: Content, over: Int? = nil, terms: WriteTerms = WriteTerms()) {
        self.targets = targets
        self.content = content
        self.over = over
        self.terms = terms
    }

    /// The edit for one of ``targets``, or nil for a revert.
    package func edit(for target: TargetRef) -> GateEdit? {
        switch content {
        case .set(let edit): edit
        case .setPerTarget: target.set
        case .revertTo: nil
        }
    }

    /// The most targets of one change.
    package static let maximumTargets = 1_000

    package static let table = FieldTable<ChangeRequest>(
        request: "ChangeRequest",
        "A change",
        .needed("targets", .targets, \.targets),
        .optional("set", .edit, \.set),
        .optional("revertTo", .integer(1...), \.revertTo),
        .optional("over", .integer(Opening.seconds), \.over),
        .terms(\.terms)
    ) { targets, set, revertTo, over, terms throws(ModelError) in
        let body = ChangeRequest(targets: targets, content: try content(targets, set: set, revertTo: revertTo), over: over, terms: terms)
        guard over == nil || targets.allSatisfy({ body.edit(for: $0)?.clears(.killSwitch) == true }) else {
            throw .malformed(
                "\"over\" goes with \"set\":{\"killSwitch\":null}: it says how slowly a kill switch is lifted.",
                field: "/over"
            )
        }
        return body
    }

    private var set: GateEdit? { if case .set(let edit) = content { edit } else { nil } }

    private var revertTo: Int? { if case .revertTo(let revision) = content { revision } else { nil } }

    private static func content(_ targets: [TargetRef], set: GateEdit?, revertTo: Int?) throws(ModelError) -> Content {
        let own = targets.firstIndex { $0.set != nil }
        switch (set, own, revertTo) {
        case (let set?, nil, nil):
            return .set(set)
        case (nil, _?, nil):
            if let index = targets.firstIndex(where: { $0.set == nil }) {
                throw .malformed("Every target needs its own \"set\" when one has it.", field: "/targets/\(index)/set")
            }
            return .setPerTarget
        case (nil, nil, let revision?):
            guard targets.count == 1 else {
                throw .malformed("revertTo takes exactly one target: each has revisions of its own.", field: "/targets")
            }
            return .revertTo(revision)
        case (nil, nil, nil):
            throw .malformed("A change needs \"set\", a \"set\" in each target, or \"revertTo\".", field: "/set")
        case (_?, let index?, _):
            throw .malformed("\"set\" belongs in the change or in each target, not in both.", field: "/targets/\(index)/set")
        default:
            throw .malformed("A change has \"set\" or \"revertTo\", not both.", field: "/revertTo")
        }
    }
}

/// A target of a change and the state in which the caller saw it.
package struct TargetRef: TabledBody, CustomStringConvertible {
    /// Not yet checked to be keys: a target that cannot exist is not found (404), like any missing one.
    package var app: String
    package var platform: String
    /// The revision that the caller saw. Nil when the body lacks it: then the change is refused with 428.
    package var revision: Int?
    package var set: GateEdit?

    package init(app: String, platform: String, revision: Int?, set: GateEdit? = nil) {
        self.app = app
        self.platform = platform
        self.revision = revision
        self.set = set
    }

    package init(_ key: TargetKey, revision: Int?, set: GateEdit? = nil) {
        self.init(app: key.app.text, platform: key.platform.text, revision: revision, set: set)
    }

    package static let table = FieldTable<TargetRef>(
        request: "TargetReference",
        "A target",
        .needed("app", .key, \.app),
        .needed("platform", .key, \.platform),
        .optional("revision", .integer(1...), \.revision),
        .optional("set", .edit, \.set),
        make: TargetRef.init
    )

    /// `shop/ios`
    package var description: String { "\(app)/\(platform)" }

    /// The target's key, or nil when it cannot be one.
    package var key: TargetKey? {
        guard let app = AppKey(app), let platform = PlatformKey(platform) else { return nil }
        return TargetKey(app: app, platform: platform)
    }
}

extension JSONCodec where Value == [TargetRef] {
    /// The targets of a change: counted before any is read, and none named twice.
    static var targets: JSONCodec { targets(of: "A change") }

    /// - Parameter what: the body in words, as the start of an error's sentence.
    static func targets(of what: String) -> JSONCodec {
        let limit = ChangeRequest.maximumTargets
        let list = JSONCodec<[TargetRef]>.list(of: .body, 1...limit) { .malformed("\(what) names 1 to \(limit) targets, not \($0).") }
        return JSONCodec(list.schema) { value, name throws(ModelError) in
            let targets = try list.read(value, name)
            var seen: Set<String> = []
            for (index, target) in targets.enumerated() where !seen.insert(target.description).inserted {
                throw .malformed("\(target) is named twice; name each target once.", field: "/\(index)")
            }
            return targets
        } write: {
            list.write($0)
        }
    }
}
