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
        targets: [TargetRef],
        set: GateEdit,
        start: ZonedTime,
        end: ZonedTime? = nil,
        then: Window.Ending = .open,
        terms: WriteTerms = WriteTerms()
    ) {
        self.targets = targets
        self.set = set
        self.start = start
        self.end = end
        self.then = then
        self.terms = terms
    }

    package static let table = FieldTable<WindowRequest>(
        request: "WindowRequest",
        "A window",
        .needed("targets", .windowTargets, \.targets),
        .needed("set", .edit, \.set),
        .needed("start", .askedTime, \.start),
        .optional("end", .askedTime, \.end),
        .optional("then", .word, \.then, standard: .open, isTold: true),
        .terms(\.terms),
        make: WindowRequest.init
    )

    /// The request that would make a window again, at whatever revision its targets have by then.
    package init(of window: Window) {
        self.init(
            targets: window.targets.map { TargetRef($0.key, revision: nil) },
            set: window.set,
            start: window.start,
            end: window.end,
            then: window.then,
            terms: WriteTerms(reason: window.reason, accept: window.accept)
        )
    }

    /// What happens, when and to which targets: equal for two windows that do the same, whoever asked for them and why.
    package struct Appointment: Hashable {
        let targets: Set<String>
        let set: GateEdit
        let start: Timestamp
        let end: Timestamp?
        let then: Window.Ending
    }

    package var appointment: Appointment {
        Appointment(targets: Set(targets.map(\.description)), set: set, start: start.at, end: end?.at, then: then)
    }
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
        } write: {
            list.write($0)
        }
    }
}

extension JSONSchema {
    fileprivate static let windowTargetReference = request(
        "WindowTargetReference",
        [.needed("app", .appKey), .needed("platform", .appKey), .optional("revision", .integer(1...))]
    )
}

/// Body of `PUT /windows/{id}`: the whole window as it should be; for a running one with the targets, rules and start that it has.
package struct WindowReplaceRequest: TabledBody, WriteRequest {
    package var window: WindowRequest
    /// The window's revision that the caller saw. Nil when the body lacks it: then it is refused with 428.
    package var revision: Int?
    package var terms: WriteTerms { window.terms }

    package init(_ window: WindowRequest, revision: Int?) {
        self.window = window
        self.revision = revision
    }

    package static let table = FieldTable<WindowReplaceRequest>(
        request: "WindowReplaceRequest",
        "A window",
        .needed("targets", .windowTargets, \.window.targets),
        .needed("set", .edit, \.window.set),
        .needed("start", .askedTime, \.window.start),
        .optional("end", .askedTime, \.window.end),
        .optional("then", .word, \.window.then, standard: .open, isTold: true),
        .optional("revision", .integer(1...), \.revision),
        .terms(\.window.terms)
    ) { targets, set, start, end, then, revision, terms in
        WindowReplaceRequest(
            WindowRequest(targets: targets, set: set, start: start, end: end, then: then, terms: terms),
            revision: revision
        )
    }
}

/// Body of `POST /windows/{id}/run`; may be `{}`.
package struct WindowRunRequest: TabledBody, WriteRequest {
    /// Which step is meant. A running window is ended only if this says so: starting a window a second time must not end it.
    package var step: Window.Step?
    /// The window's revision that the caller saw: a window that was edited since is not run. Nil runs it whatever it says by now.
    package var revision: Int?
    package var terms: WriteTerms

    package init(step: Window.Step? = nil, revision: Int? = nil, terms: WriteTerms = WriteTerms()) {
        self.step = step
        self.revision = revision
        self.terms = terms
    }

    package static let table = FieldTable<WindowRunRequest>(
        request: "WindowRunRequest",
        "A run",
        .optional("step", .word, \.step),
        .optional("revision", .integer(1...), \.revision),
        .terms(\.terms),
        make: WindowRunRequest.init
    )
}

/// Body of `DELETE /windows/{id}`; may be left out.
package struct WindowCancelRequest: TabledBody {
    package var reason: String?
    /// The phrase that calling off a running window needs in a protected environment.
    package var confirm: String?
    /// The window's revision that the caller saw: one that was edited since, or has begun, is not called off. Nil calls it off whatever it
    /// says by now.
    package var revision: Int?

    package init(reason: String? = nil, confirm: String? = nil, revision: Int? = nil) {
        self.reason = reason
        self.confirm = confirm
        self.revision = revision
    }

    package static let table = FieldTable<WindowCancelRequest>(
        request: "WindowCancelRequest",
        "A cancellation",
        .optional("reason", .string, \.reason),
        .optional("confirm", .string, \.confirm),
        .optional("revision", .integer(1...), \.revision),
        make: WindowCancelRequest.init
    )
}
