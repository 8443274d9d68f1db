import GateAPI
import GateJSON
import GateModel

extension WriteFlow {
    /// Removes an app or a platform. An app without platforms has a plan without rows, which is still something to do.
    /// - Parameter name: what is removed, in words.
    func remove(_ targets: [TargetBody], _ name: String, send: (WriteTerms) async throws -> ChangeResultBody) async throws {
        let console = session.console
        let plan = try await send(options.terms(dryRun: true)).plan
        let lines = targets.map { "  - \($0.target.key)   now \(Words.badge($0.state))" } + plan.warnings.map { PlanView.warning($0) }
        let confirmation = Confirmation(console: console, options: options, place: session.place(status))
        if options.dryRun {
            console.note(session.contextLine(status))
            guard !console.isJSON else {
                return console.json(
                    Document.of([
                        "context": .string(session.contextName(status)), "dryRun": .bool(true), "changed": .bool(true),
                        "targets": .array(targets.map { .string($0.target.key.description) }), "plan": plan.json,
                    ])
                )
            }
            console.data(lines)
            return console.data(confirmation.drySentence(plan, targets: targets, asksAlways: true))
        }
        ([session.contextLine(status)] + lines).forEach(line)
        let terms = try confirmation.terms(for: plan, targets: targets, question: "Remove \(name)", asksAlways: true)
        let answer = try await send(terms)
        guard console.isJSON else { return console.data("Removed \(name)") }
        console.json(
            Document.of([
                "context": .string(session.contextName(status)), "changed": .bool(true), "removed": .string(name),
                "sequence": answer.change.map { .integer($0.sequence) } ?? .null,
                "requestId": answer.change.map { .string($0.requestId) } ?? .null,
            ])
        )
    }
}
