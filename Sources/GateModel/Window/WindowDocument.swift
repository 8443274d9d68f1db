public import GateJSON

/// A window as the JSON document of the admin API and of the store, and back.
extension Window {
    public var json: JSONValue {
        var object: JSONObject = [
            "id": .integer(id),
            "revision": .integer(revision),
            "state": .string(state.rawValue),
            "due": due.map { .string($0.description) } ?? .null,
            "targets": .array(targets.map(\.json)),
            "set": set.json,
            "start": start.json,
            "end": end?.json ?? .null,
            "then": .string(then.rawValue),
            "actor": actor.json,
            "source": .string(source.rawValue),
            "reason": reason.map(JSONValue.string) ?? .null,
            "accept": .array(accept.map(JSONValue.string)),
            "events": .array(events.map(\.json)),
        ]
        if omitted > 0 { object["omitted"] = .integer(omitted) }
        if let fault { object["unreadable"] = .string(fault) }
        return .object(object)
    }

    /// Reads what ``json`` wrote, leaving out members that a newer writer added.
    /// - Throws: malformed (400) with the pointer of what is missing or of another type.
    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A window")
        let stateText = try reader.string("state")
        guard let state = State(rawValue: stateText) else {
            throw .malformed("There is no state \(JSONValue.string(stateText).text).", field: "/state")
        }
        let thenText = try reader.string("then")
        guard let then = Ending(rawValue: thenText) else { throw .malformed("then is open or restore.", field: "/then") }
        let sourceText = try reader.string("source")
        guard let source = Change.Source(rawValue: sourceText) else {
            throw .malformed("There is no source \(JSONValue.string(sourceText).text).", field: "/source")
        }
        self.init(
            id: try reader.integer("id"),
            state: state,
            targets: try reader.list("targets", Target.init(json:)),
            set: try reader.document("set", GateEdit.init(json:)),
            start: try reader.document("start", ZonedTime.init(json:)),
            end: try reader.optionalDocument("end", ZonedTime.init(json:)),
            then: then,
            actor: try reader.document("actor", Actor.init(json:)),
            source: source,
            reason: try reader.optionalString("reason"),
            accept: try reader.strings("accept"),
            events: try reader.list("events", Event.init(json:)),
            fault: try reader.optionalString("unreadable")
        )
        omitted = try reader.optionalInteger("omitted") ?? 0
    }
}

extension Window.Target {
    public var json: JSONValue {
        [
            "app": .string(key.app.text), "platform": .string(key.platform.text), "revision": .integer(revision), "expected": expected.json,
            "before": before?.json ?? .null,
        ]
    }

    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "A target")
        self.init(
            key: try TargetKey(reading: &reader),
            revision: try reader.integer("revision"),
            expected: try reader.document("expected", GateEdit.init(json:)),
            before: try reader.optionalDocument("before", GateEdit.init(json:))
        )
    }
}

extension Window.Event {
    public var json: JSONValue {
        [
            "at": .string(at.description), "what": .string(what.rawValue), "actor": actor.json,
            "detail": detail.map(JSONValue.string) ?? .null, "sequence": sequence.map(JSONValue.integer) ?? .null,
        ]
    }

    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An event")
        guard let at = Timestamp(try reader.string("at")) else { throw .malformed("at is an RFC 3339 time.", field: "/at") }
        let whatText = try reader.string("what")
        guard let what = What(rawValue: whatText) else {
            throw .malformed("There is no event \(JSONValue.string(whatText).text).", field: "/what")
        }
        self.init(
            at: at,
            what: what,
            actor: try reader.document("actor", Actor.init(json:)),
            detail: try reader.optionalString("detail"),
            sequence: try reader.optionalInteger("sequence")
        )
    }
}

extension Window {
    /// The window with as many of its targets as `bytes` hold beside everything else; ``omitted`` counts the others.
    public func fitting(_ bytes: Int) -> Window {
        var window = self
        window.targets = []
        let kept = targets.count(fitting: bytes - window.json.bytes.count) { $0.json.bytes.count + 1 }
        window.targets = Array(targets.prefix(kept))
        window.omitted = omitted + targets.count - kept
        return window
    }
}
