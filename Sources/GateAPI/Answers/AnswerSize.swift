/// How large an answer is at most, whatever was asked and by whom: answers wait in memory for clients that read slowly.
package enum AnswerSize {
    /// UTF-8 bytes.
    package static let limit = 2_097_152
    /// The limit of a change in the answer to a write, beside its plan, which has `Plan.mostBytes`.
    package static let change = 917_504
    /// The limit of what an import left out.
    package static let refused = 196_608
    /// The limits of a window beside a plan and a change, and of that change.
    package static let window = 786_432
    package static let changeOfWindow = 327_680
}
