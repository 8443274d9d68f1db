package import GateHTTP

/// The feeds listener: feeds and aliases, the flags made from the same gates, and rehearsals, all answered from memory. It knows no
/// cookies, no sign-in and no database.
package struct FeedsResponder: HTTPResponder {
    private let table: FeedTable
    private let rehearsals: RehearsalTable

    package init(table: FeedTable, rehearsals: RehearsalTable) {
        self.table = table
        self.rehearsals = rehearsals
    }

    package func prepared(path: UnsafeRawBufferPointer) -> PreparedResponse? { table.response(at: path) }

    package func admission(of head: HTTPRequest, hasBody: Bool) -> Admission {
        // An alias takes precedence: an app's address belongs to the app, whatever it is called.
        let isElsewhere = head.path.hasPrefix(EvaluationAnswer.root) || head.path.hasPrefix(RehearsalTable.root)
        guard isElsewhere, table.response(at: head.path) == nil else { return FeedAnswer.poll(of: table) }
        return head.path.hasPrefix(EvaluationAnswer.root) ? EvaluationAnswer.admission(to: table) : rehearsals.admission
    }

    package func response(to refusal: EdgeRefusal, of target: String, id: String) -> HTTPResponse { FeedAnswer.refusal(refusal) }
}
