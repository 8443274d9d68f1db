package import GateJSON
package import GateModel

/// Body of `POST /windows`: a change for a span of time.
package struct WindowRequest: WriteRequest {
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

    /// - Throws: as every body; and what ``ZonedTime/init(request:)`` refuses, at `/start` or `/end`.
    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A window")
        targets = try reader.list("targets", TargetRef.init(json:))
        let limit = ChangeRequest.maximumTargets
        guard (1...limit).contains(targets.count) else { throw .malformed("A window names 1 to \(limit) targets, not \(targets.count).", field: "/targets") }
        var seen: Set<String> = []
        for (index, target) in targets.enumerated() {
            guard seen.insert(target.description).inserted else { throw .malformed("\(target) is named twice; name each target once.", field: "/targets/\(index)") }
            guard target.set == nil else { throw .malformed("A window has one \"set\" for all of its targets.", field: "/targets/\(index)/set") }
        }
        set = try reader.document("set", GateEdit.init(json:))
        let thenText = try reader.optionalString("then") ?? Window.Ending.open.rawValue
        guard let then = Window.Ending(rawValue: thenText) else { throw .malformed("then is open or restore.", field: "/then") }
        self.then = then
        terms = try WriteTerms(reading: &reader)
        // Known to be there before they are read: a refused value has its turn after everything that is malformed.
        _ = reader.optional("end")
        _ = try reader.needed("start")
        try reader.refuseOthers()
        start = try reader.document("start", ZonedTime.init(request:))
        end = try reader.optionalDocument("end", ZonedTime.init(request:))
    }

    package var json: JSONValue {
        var object: JSONObject = ["targets": .array(targets.map(\.json)), "set": set.json, "start": start.json]
        if let end { object["end"] = end.json }
        object["then"] = .string(then.rawValue)
        terms.write(to: &object)
        return .object(object)
    }
}

/// Body of `POST /windows/{id}/run`; may be `{}`.
package struct WindowRunRequest: WriteRequest {
    package var terms: WriteTerms

    package init(terms: WriteTerms = WriteTerms()) { self.terms = terms }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A run")
        terms = try WriteTerms(reading: &reader)
        try reader.refuseOthers()
    }

    package var json: JSONValue {
        var object = JSONObject()
        terms.write(to: &object)
        return .object(object)
    }
}

/// Body of `DELETE /windows/{id}`; may be left out.
package struct WindowCancelRequest: APIBody {
    package var reason: String?

    package init(reason: String? = nil) { self.reason = reason }

    package init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A cancellation")
        reason = try reader.optionalString("reason")
        try reader.refuseOthers()
    }

    package var json: JSONValue { reason.map { ["reason": .string($0)] } ?? [:] }
}
