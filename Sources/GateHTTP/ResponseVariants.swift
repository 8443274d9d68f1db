/// The answers that an address has for requests with a query, made for many callers before or while they ask.
package protocol ResponseVariants: AnyObject, Sendable {
    /// The ready-made answer to GET and HEAD with a query. This is the way of polls: bounded work, nothing that blocks. Any thread.
    /// - Parameters:
    ///   - query: what stands behind the `?` as sent, percent-encoded; valid only during the call.
    ///   - isPoll: whether this is a GET where polls are counted; else nothing is.
    /// - Returns: nil where the query changes nothing.
    func response(to query: UnsafeRawBufferPointer, isPoll: Bool) -> PreparedResponse?
}
