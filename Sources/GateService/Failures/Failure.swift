package import GateModel
package import GateStore

/// Something that the disk, the database or the program itself failed to do, with its cause: one line of the log. None of it is for
/// callers.
package struct Failure: Sendable {
    package enum Stage: Sendable, Equatable {
        /// Tried once.
        case once
        /// Repeated work has begun to fail. It is not reported again until it works, or fails for another reason.
        case began
        /// It works again, after that many failed tries over that many seconds.
        case ended(tries: Int, seconds: Int64)
        /// That many more like it within a minute, none of which has a line of its own.
        case more(Int)
    }

    package private(set) var stage: Stage
    /// What was being done, as the start of a sentence: "Writing a change".
    package let operation: String
    /// ``StoreError/Code`` as text; `internal` for any other error.
    package let code: String
    /// Nil where neither SQLite nor the system was involved, or none of them reported an error.
    package let cause: StoreError.Cause?
    /// The file or folder that it was about.
    package let path: String?
    /// One sentence. May name files, tables and keys; never a secret or a value.
    package let detail: String
    /// What a person can do about it; empty when all they can do is try again.
    package let remedy: String
    /// The id of the request that failed; for the server's own work, a word that says which: `schedule`, `housekeeping`.
    package let requestId: String
    /// The request as the table of routes names it, such as `POST /api/v1/changes`; nil for the server's own work.
    package var endpoint: String?
    /// The problem code that the caller got; nil when the caller was told nothing, because the request itself succeeded.
    package var problem: String?
    /// Who asked; nil for the server's own work, and while nobody could be recognised.
    package var actor: Actor?
    /// What it was done to, such as `shop/ios`; nil where that is not known.
    package var target: String?

    init(_ error: any Error, stage: Stage = .once, doing operation: String, requestId: String) {
        let stored = error as? StoreError
        self.stage = stage
        self.operation = stored?.operation ?? operation
        code = stored?.code.rawValue ?? StoreError.Code.internal.rawValue
        cause = stored?.cause
        path = stored?.path
        detail = stored?.detail ?? "\(error)"
        remedy = stored?.hint ?? ""
        self.requestId = requestId
    }

    /// The failure at another stage.
    func at(_ stage: Stage) -> Failure {
        var failure = self
        failure.stage = stage
        return failure
    }

    /// What makes two failures the same.
    struct Kind: Hashable, Sendable {
        let operation: String
        let code: String
        let cause: StoreError.Cause?
    }

    var kind: Kind { Kind(operation: operation, code: code, cause: cause) }
}

extension Failure {
    /// The line's sentence: what failed, and whether it still does.
    package var sentence: String {
        switch stage {
        case .once: "\(operation) failed"
        case .began: "\(operation) fails and is tried again"
        case .ended(let tries, let seconds):
            "\(operation) works again, after \(tries) \(tries == 1 ? "try" : "tries") in vain in \(seconds) s"
        case .more(let count): "\(operation) failed \(count) more \(count == 1 ? "time" : "times") within a minute"
        }
    }

    /// Everything else on the line, by name.
    package var fields: [(name: String, value: String)] {
        var fields = [("operation", operation), ("code", code), ("requestId", requestId)]
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { fields.append((name, value)) }
        }
        switch cause {
        case .sqlite(let number): add("sqlite", "\(number)")
        case .postgresql(let state): add("sqlstate", state)
        case .system(let number): add("errno", "\(number)")
        case nil: break
        }
        add("path", path)
        // What works again has nothing to be mended.
        let isOver = if case .ended = stage { true } else { false }
        if !isOver {
            add("error", detail)
            add("remedy", remedy)
        }
        add("endpoint", endpoint)
        add("problem", problem)
        add("actor", actor.map { "\($0.kind.rawValue) \($0.name)" + ($0.id.map { " (\($0))" } ?? "") })
        add("target", target)
        return fields
    }
}
