/// An address's answers to requests with a query, each made for many callers, in advance or when it is asked for.
package protocol ResponseVariants: AnyObject, Sendable {
    /// The ready-made answer to GET and HEAD with a query. Polls go this way: bounded work, nothing that blocks. Any thread.
    /// - Parameters:
    ///   - query: what follows the `?`, as sent, percent-encoded; valid only during the call.
    ///   - isPoll: whether this is a GET on a listener that counts polls; otherwise nothing is counted.
    /// - Returns: nil where the query changes nothing.
    func response(to query: UnsafeRawBufferPointer, isPoll: Bool) -> PreparedResponse?
}
