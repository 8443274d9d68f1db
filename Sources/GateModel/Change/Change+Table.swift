package import GateJSON

/// A change as a document of the admin API and of the history's hash chain.
extension Change: TabledDocument {
    package static let table = FieldTable<Change>(
        answer: "Change",
        "A change",
        .needed("sequence", .integer(1...), \.sequence),
        .needed("at", .toldTime, \.at),
        .needed("actor", .document, \.actor),
        .needed("source", .word, \.source),
        .needed("kind", .word, \.kind),
        .nullable("reason", .string, \.reason),
        .needed("requestId", .string, \.requestId),
        .optional("app", .appKey, \.app),
        .needed("targets", .list(of: .document), \.targets),
        .optional("skipped", .document, \.skippedSequences),
        .optional("omitted", .integer(1...), \.omitted, standard: 0),
        .optional("unreadable", .string, \.fault)
    ) { sequence, at, actor, source, kind, reason, requestId, app, targets, skipped, omitted, fault throws(ModelError) in
        guard skipped.map({ (1..<max(1, sequence)).contains($0.from) }) ?? true else {
            throw .malformed("What is skipped stands before the change.", field: "/skipped")
        }
        var change = Change(
            sequence: sequence,
            at: at,
            actor: actor,
            source: source,
            kind: kind,
            reason: reason,
            requestId: requestId,
            app: app,
            targets: targets,
            skipped: skipped.map { sequence - $0.from } ?? 0,
            fault: fault
        )
        change.omitted = omitted
        return change
    }

    private var skippedSequences: SkippedSequences? {
        skipped > 0 ? SkippedSequences(from: previousSequence + 1, to: sequence - 1) : nil
    }
}

/// The sequences before a change that belong to no change.
private struct SkippedSequences: TabledDocument {
    let from: Int
    let to: Int

    static let table = FieldTable<SkippedSequences>(
        answer: nil,
        "What is skipped",
        .needed("from", .integer(1...), \.from),
        .needed("to", .integer(1...), \.to),
        make: SkippedSequences.init
    )
}

extension ChangedTarget: TabledDocument {
    package static let table = FieldTable<ChangedTarget>(
        answer: "ChangedTarget",
        "A changed target",
        .target(\.target),
        .needed("previous", .integer(0...), \.previous),
        .needed("revision", .integer(1...), \.revision),
        .needed("before", .gate, \.before),
        .needed("after", .gate, \.after),
        .optional("settings", .document, \.settings),
        .needed("feeds", .feedDigests, \.feeds, missing: [:]),
        .optional("unreadable", .string, \.fault),
        make: ChangedTarget.init
    )
}

extension ChangedTarget {
    /// UTF-8 bytes of the document, counting room for its digests even before it has them.
    public var bytes: Int {
        // Each is a name and 64 hexadecimal digits, both in quotes, a colon and a comma.
        json.bytes.count + (feeds.isEmpty ? FeedName.allCases.reduce(0) { $0 + $1.rawValue.utf8.count + 70 } : 0)
    }
}

extension SettingsChange: TabledDocument {
    package static let table = FieldTable<SettingsChange>(
        answer: nil,
        "The settings of a change",
        .nullable("before", .settings, \.before),
        .nullable("after", .settings, \.after),
        make: SettingsChange.init
    )
}
