package import GateJSON

/// A window as a document of the admin API and of the store.
extension Window: TabledDocument {
    package static let table = FieldTable<Window>(
        answer: "Window",
        "A window",
        .needed("id", .integer(0...), \.id),
        .told("revision", .integer(1...), \.revision),
        .needed("state", .word, \.state),
        .told("due", .nullable(.time), \.due),
        .needed("targets", .list(of: .document), \.targets),
        .needed("set", .toldEdit, \.set),
        .needed("start", .document, \.start),
        .nullable("end", .document, \.end),
        .needed("then", .word, \.then),
        .needed("actor", .document, \.actor),
        .needed("source", .word, \.source),
        .nullable("reason", .string, \.reason),
        .needed("accept", .list(of: .string), \.accept, missing: []),
        .needed("events", .list(of: .document), \.events),
        .optional("omitted", .integer(1...), \.omitted, standard: 0),
        .optional("unreadable", .string, \.fault)
    ) { id, _, state, _, targets, set, start, end, then, actor, source, reason, accept, events, omitted, fault in
        var window = Window(
            id: id,
            state: state,
            targets: targets,
            set: set,
            start: start,
            end: end,
            then: then,
            actor: actor,
            source: source,
            reason: reason,
            accept: accept,
            events: events,
            fault: fault
        )
        window.omitted = omitted
        return window
    }
}

extension Window {
    /// The window with as many of its targets as fit into `bytes` beside everything else; ``omitted`` counts the others.
    public func fitting(_ bytes: Int) -> Window {
        var window = self
        window.targets = []
        let kept = targets.count(fitting: bytes - window.json.bytes.count) { $0.json.bytes.count + 1 }
        window.targets = Array(targets.prefix(kept))
        window.omitted = omitted + targets.count - kept
        return window
    }

    /// The document of the window, or where that has more than `bytes`, of ``fitting(_:)``. Nearly all fit, and are written once.
    /// - Parameter text: the document, where it has been written already.
    package func bytes(fitting bytes: Int, written text: String? = nil) -> [UInt8] {
        let whole = text.map { Array($0.utf8) } ?? json.bytes
        return whole.count <= bytes ? whole : fitting(bytes).json.bytes
    }
}

extension Window.Target: TabledDocument {
    package static let table = FieldTable<Window.Target>(
        answer: "WindowTarget",
        "A target",
        .target(\.key),
        .needed("revision", .integer(1...), \.revision),
        .needed("expected", .toldEdit, \.expected),
        .nullable("before", .toldEdit, \.before),
        .optional("made", .toldEdit, \.made),
        make: Window.Target.init
    )
}

extension Window.Event: TabledDocument {
    package static let table = FieldTable<Window.Event>(
        answer: "WindowEvent",
        "An event",
        .needed("at", .toldTime, \.at),
        .needed("what", .word, \.what),
        .needed("actor", .document, \.actor),
        .nullable("detail", .string, \.detail),
        .nullable("sequence", .integer(1...), \.sequence),
        .optional("times", .integer(allTimes), \.times)
    ) { at, what, actor, detail, sequence, times throws(ModelError) in
        guard times.map(allTimes.contains) ?? true else {
            throw .malformed("times is \(allTimes.lowerBound) to \(allTimes.upperBound).", field: "/times")
        }
        return Window.Event(at: at, what: what, actor: actor, detail: detail, sequence: sequence, times: times)
    }
}
