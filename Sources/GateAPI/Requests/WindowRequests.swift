package import GateJSON
package import GateModel

/// Body of `POST /windows`: a change for a span of time.
package struct WindowRequest: TabledBody, WriteRequest {
    /// 1 to 1000, no target twice, none with a `set` of its own.
    package var targets: [TargetRef]
    /// The same rules for every target.
    package var set: GateEdit
    package var start: ZonedTime
    /// Nil for a change that stays.
    package var end: ZonedTime?
    package var then: Window.Ending
    package var terms: WriteTerms

    package init(
        targets: [TargetRef], set: GateEdit, start: ZonedTime, end: ZonedTime? = nil, then: Window.Ending = .open, terms: WriteTerms = WriteTerms()
    ) {
        self.targets = targets
        self.set = set
        self.start = start
        self.end = end
        self.then = then
        self.terms = terms
    }

    package static let table = FieldTable<WindowRequest>(
        request: "WindowRequest", "A window",
        .needed("targets", .windowTargets, \.targets), .needed("set", .edit, \.set), .needed("start", .askedTime, \.start),
        .optional("end", .askedTime, \.end), .optional("then", .word, \.then, standard: .open, isTold: true), .terms(\.terms),
        make: WindowRequest.init
    )
}

extension JSONCodec where Value == [TargetRef] {
    /// The targets of a window, which have no rules of their own.
    fileprivate static var windowTargets: JSONCodec {
        let list = targets(of: "A window")
        return JSONCodec(.array(of: .windowTargetReference, 1...ChangeRequest.maximumTargets)) { value, name throws(ModelError) in
            let targets = try list.read(value, name)
            if let index = targets.firstIndex(where: { $0.set != nil }) {
                throw .malformed("A window has one \"set\" for all of its targets.", field: "/\(index)/set")
            }
            return targets
        } write: { list.write($0) }
    }
}

extension JSONSchema {
    fileprivate static let windowTargetReference = request(
        "WindowTargetReference", [.needed("app", .appKey), .needed("platform", .appKey), .optional("revision", .integer(1...))]
    )
}

/// Body of `POST /windows/{id}/run`; may be `{}`.
package struct WindowRunRequest: TabledBody, WriteRequest {
    package var terms: WriteTerms

    package init(terms: WriteTerms = WriteTerms()) { self.terms = terms }

    package static let table = FieldTable<WindowRunRequest>(request: "WindowRunRequest", "A run", .terms(\.terms), make: WindowRunRequest.init)
}

/// Body of `DELETE /windows/{id}`; may be left out.
package struct WindowCancelRequest: TabledBody {
    package var reason: String?

    package init(reason: String? = nil) { self.reason = reason }

    package static let table = FieldTable<WindowCancelRequest>(
        request: "WindowCancelRequest", "A cancellation", .optional("reason", .string, \.reason), make: WindowCancelRequest.init
    )
}
